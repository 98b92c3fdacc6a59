/** Runs work, one run at a time, until the signal; after a failure the next run tries again. */
export function oneAtATime(
  work: () => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
) {
  let running: Promise<void> | undefined;
  let isWanted = false;

  async function run(): Promise<void> {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await work().catch(onError);
    }
    running = undefined;
  }

  return {
    /** Starts a run, or queues one more after the current one; settles when nothing runs any more. Never rejects. */
    wake() {
      isWanted = true;
      running ??= run();
      return running;
    },
    /** Settles when nothing runs. */
    idle: () => running ?? Promise.resolve(),
  };
}
