/** Ctrl-C or a process manager's termination signal, as an abort; `release` restores the default behaviour of both. */
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
