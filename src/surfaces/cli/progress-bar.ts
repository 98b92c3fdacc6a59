import type { Context } from './context.ts';

/** Columns of the bar, and the least time between two updates, in milliseconds. */
const WIDTH = 30;
const EVERY_MS = 100;

/** A line on standard error that is overwritten in place; only on a terminal. */
export function createProgressBar({ stderr, now }: Context, isSilent: boolean) {
  let drawnAt = 0;
  let isShown = false;
  return {
    /** `all` is undefined while it is unknown. */
    show(done: number, all: number | undefined): void {
      const at = now().getTime();
      if (isSilent || stderr.isTTY !== true || at - drawnAt < EVERY_MS) return;
      drawnAt = at;
      isShown = true;
      const full = all === undefined ? 0 : Math.round((WIDTH * done) / Math.max(1, all));
      const bar = all === undefined ? '' : `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] `;
      stderr.write(`\r\u001b[K${bar}${done}${all === undefined ? ' records read' : ` of ${all} records`}`);
    },
    clear(): void {
      if (isShown) stderr.write('\r\u001b[K');
      isShown = false;
    },
  };
}
