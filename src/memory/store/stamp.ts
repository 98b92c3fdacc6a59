import { statSync } from 'node:fs';
import type { FileState } from './source.ts';

// Whether a file or folder changed, by its times alone. File systems record times in steps: a file that changed a
// moment ago could change again within the same step, so a stamp counts only once it has settled.

/** Time steps of file systems, in milliseconds: those that record fractions of a second, and the others. */
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

/** Differs once a file was replaced or written to, as far as size and time show it; `-` if it is not accessible. */
export function fileStamp(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '-';
  }
}
