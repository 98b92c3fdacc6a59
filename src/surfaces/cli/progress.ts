import type { Context } from './command.ts';
import { shown } from './print.ts';

/** Most characters of a line that is overwritten: one that wraps, in a terminal of 80 columns, would stay. */
const LONGEST = 70;

/** Least milliseconds between two updates: nobody reads faster. */
const EVERY_MS = 100;

/** Does work that shows its progress: on a line of standard error that is overwritten in place, only on a terminal. */
export async function withProgress<T>(
  { stderr }: Context,
  isSilent: boolean,
  work: (show: (text: string) => void) => Promise<T>,
): Promise<T> {
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (text: string) => stderr.write(`\r\u001b[K${shown(text).slice(0, LONGEST)}`);
  const show = (text: string) => {
    const at = performance.now();
    if (isSilent || stderr.isTTY !== true || at - drawnAt < EVERY_MS) return;
    drawnAt = at;
    draw(text);
  };
  try {
    return await work(show);
  } finally {
    if (drawnAt > 0) draw('');
  }
}
