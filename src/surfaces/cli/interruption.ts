/** Ctrl-C, or a process manager that asks for the end, as an abort; `release` gives both back their usual meaning. */
export function interruption(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', abort).off('SIGTERM', abort);
    },
  };
}
