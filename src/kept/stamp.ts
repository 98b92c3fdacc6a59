import { lstatSync, type Stats, statSync } from 'node:fs';
import type { FileState } from '../memory/store/source.ts';

// Whether a file or folder changed, by its times alone. File systems record times in steps: a file that changed a
// moment ago could change again within the same step, so a stamp counts only once it has settled.

/** Time steps of file systems, in milliseconds: with fractions of a second ten kernel ticks, else FAT's two seconds. */
export const STEP_MS = 100;
export const COARSE_STEP_MS = 2000;

type Times = Pick<FileState, 'modifiedMs' | 'changedMs'>;

/** Tells whether any change from now on must get another time. */
export function isSettled({ modifiedMs, changedMs }: Times, nowMs: number): boolean {
  const stepMs = modifiedMs % 1000 === 0 ? COARSE_STEP_MS : STEP_MS;
  return Math.max(modifiedMs, changedMs) < nowMs - stepMs;
}

/** Differs once a folder changed; undefined while it might change without a new stamp, or if there is no folder. */
export function folderStamp(state: Times | undefined, nowMs: number): string | undefined {
  return state && isSettled(state, nowMs) ? `${state.modifiedMs} ${state.changedMs}` : undefined;
}

/** The stamp where nothing can be said of what is there. */
const UNREADABLE = '?';

/** What is there at a path, a link's target included: the same only if nothing was written, replaced or moved. */
export function stampOf(path: string): string {
  try {
    const own = lstatSync(path, { throwIfNoEntry: false });
    if (own === undefined) return '-';
    const target = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return target === undefined ? stampIn(own) : `${stampIn(own)} ${stampIn(target)}`;
  } catch {
    return UNREADABLE;
  }
}

function stampIn({ mode, dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${mode} ${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** Tells whether any change from now on must give what is there another stamp. */
export function isStampSettled(stamp: string, nowMs: number): boolean {
  if (stamp === UNREADABLE) return false;
  const numbers = stamp.split(' ').map(Number);
  // The times are the last two of each six.
  const changes = numbers.flatMap((changedMs, i) =>
    i % 6 === 5 ? [{ modifiedMs: numbers[i - 1] ?? 0, changedMs }] : [],
  );
  return changes.every((times) => isSettled(times, nowMs));
}
