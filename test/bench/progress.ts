/** How often a run of many minutes says where it is, in milliseconds. */
const EVERY_MS = 30_000;

/** Tells on stderr how far a long part has come, and about how long it still takes. */
export function progressOf(name: string, total: number): { step(): void; end(): void } {
  const started = Date.now();
  let done = 0;
  const tell = setInterval(() => {
    const left = ((Date.now() - started) / Math.max(done, 1)) * (total - done);
    console.error(`  ${name}: ${done} of ${total}, about ${Math.ceil(left / 60_000)} min left`);
  }, EVERY_MS);
  tell.unref();
  return {
    step() {
      done++;
    },
    end: () => clearInterval(tell),
  };
}
