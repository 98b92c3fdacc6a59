import type { Context } from './context.ts';
import { shown } from './print.ts';

/** Columns of the bar, and the least time between two updates of it, in milliseconds. */
const WIDTH = 30;
const EVERY_MS = 100;

/** A line on standard error that is overwritten in place; only on a terminal. */
export function createProgressLine({ stderr }: Context, isSilent: boolean) {
  let isShown = false;
  return {
    show(text: string): void {
      if (isSilent || stderr.isTTY !== true) return;
      isShown = true;
      stderr.write(`\r\u001b[K${text}`);
    },
    clear(): void {
      if (isShown) stderr.write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** Shows the lines that git gives of its progress while work is done. */
export async function withProgress<T>(
  context: Context,
  isSilent: boolean,
  work: (onProgress: (line: string) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgressLine(context, isSilent);
  try {
    return await work((line) => progress.show(shown(line).slice(0, 70)));
  } finally {
    progress.clear();
  }
}

/** The same with a bar of records. */
export function createProgressBar(context: Context, isSilent: boolean) {
  const line = createProgressLine(context, isSilent);
  let drawnAt = 0;
  return {
    /** `all` is undefined while it is unknown. */
    show(done: number, all: number | undefined): void {
      const at = context.now().getTime();
      if (at - drawnAt < EVERY_MS) return;
      drawnAt = at;
      const full = all === undefined ? 0 : Math.round((WIDTH * done) / Math.max(1, all));
      const bar = all === undefined ? '' : `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] `;
      line.show(`${bar}${done}${all === undefined ? ' records read' : ` of ${all} records`}`);
    },
    clear: line.clear,
  };
}
