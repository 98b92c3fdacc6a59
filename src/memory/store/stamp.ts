import { statSync } from 'node:fs';
import type { FileState } from './source.ts';

// Whether a file or folder changed, by its times alone. File systems note times in steps: what changed a moment ago could
// change again within the same step, so that a stamp counts only once it has settled.

/** Steps of file systems, in milliseconds: of those that note fractions of a second, and of the others. */
export const STEP_MS = 100;
export const COARSE_STEP_MS = 2000;

type Times = Pick<FileState, 'modifiedMs' | 'changedMs'>;

/** Tells whether what changes from now on must get another time. */
export function isSettled({ modifiedMs, changedMs }: Times, nowMs: number): boolean {
  const stepMs = modifiedMs % 1000 === 0 ? COARSE_STEP_MS : STEP_MS;
  return Math.max(modifiedMs, changedMs) < nowMs - stepMs;
}

/** What is another once a folder changed; undefined while it may still change without that, or where there is none. */
export function folderStamp(state: Times | undefined, nowMs: number): string | undefined {
  return state && isSettled(state, nowMs) ? `${state.modifiedMs} ${state.changedMs}` : undefined;
}

/** What is another once a file was replaced or written to, as far as size and time tell; `-` where it cannot be looked at. */
export function fileStamp(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '-';
  }
}
