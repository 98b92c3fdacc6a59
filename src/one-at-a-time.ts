/** Does work one run at a time until the signal; after a failure the next run tries again. */
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
    /** Does it now, or once more when what runs has ended; settles when nothing runs any more. Never rejects. */
    wake() {
      isWanted = true;
      running ??= run();
      return running;
    },
    /** Settles when nothing runs. */
    idle: () => running ?? Promise.resolve(),
  };
}
