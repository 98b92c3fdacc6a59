import type { Context } from './command.ts';
import { shown } from './print.ts';

/** Most characters of a line that is overwritten: one that wraps, in a terminal of 80 columns, would stay. */
const LONGEST = 70;

/** Columns of the bar, which leaves room for its numbers, and the least milliseconds between two updates: nobody reads faster. */
const WIDTH = 30;
const EVERY_MS = 100;

/** Does work that shows how far it is: in a line of standard error that is overwritten in place, only on a terminal. */
export async function withProgress<T>(
  { stderr }: Context,
  isSilent: boolean,
  work: (show: (text: string) => void) => Promise<T>,
): Promise<T> {
  let isDrawn = false;
  const show = (text: string) => {
    if (isSilent || stderr.isTTY !== true) return;
    stderr.write(`\r\u001b[K${shown(text).slice(0, LONGEST)}`);
    isDrawn = true;
  };
  try {
    return await work(show);
  } finally {
    if (isDrawn) show('');
  }
}

/** The same with a bar of records, of which `all` is undefined while it is unknown. */
export function withProgressBar<T>(
  context: Context,
  isSilent: boolean,
  work: (show: (done: number, all: number | undefined) => void) => Promise<T>,
): Promise<T> {
  let drawnAt = 0;
  return withProgress(context, isSilent, (show) =>
    work((done, all) => {
      const at = context.now().getTime();
      if (at - drawnAt < EVERY_MS) return;
      drawnAt = at;
      if (all === undefined) return show(`${done} records read`);
      const full = Math.round((WIDTH * done) / Math.max(1, all));
      show(`[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${done} of ${all} records`);
    }),
  );
}
