import { messageOf } from '../../errors.ts';
import type { Context } from './context.ts';
import { shown } from './print.ts';

/** Work that is asked for again and again. */
export interface Repeated {
  /** Does it now, or once more when what runs has ended. */
  wake(): void;
  /** Settles when nothing runs. */
  idle(): Promise<void>;
}

/** Does work one run at a time until the signal; a failure is printed, and the next run tries again. */
export function oneAtATime(work: () => Promise<void>, signal: AbortSignal, { stderr }: Context): Repeated {
  let running: Promise<void> | undefined;
  let isWanted = false;

  async function run(): Promise<void> {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await work();
    }
  }

  return {
    wake() {
      isWanted = true;
      running ??= run()
        .catch((error) => void stderr.write(`${shown(messageOf(error))}\n`))
        .finally(() => {
          running = undefined;
        });
    },
    async idle() {
      await running;
    },
  };
}
