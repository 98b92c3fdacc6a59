import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { GitMemError, isSystemError } from '../../errors.ts';

/**
 * Creates a folder and its parents, and returns the topmost one created. Step by step, because `mkdirSync` with
 * `recursive` never returns in /proc, where nothing can be created. Throws cannot-write if a file is in its place, and
 * system errors.
 */
export function createFolder(folder: string, mode = 0o777): string | undefined {
  if (isFolder(folder)) return undefined;
  const first = createFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    // Another process may have created it meanwhile; anything else with that name is in the way.
    if (!isFolder(folder)) {
      throw new GitMemError('cannot-write', `${folder} is not a folder, so nothing can be written there.`, {
        hint: 'Move it elsewhere, and run it again.',
        cause: error,
      });
    }
  }
  return first ?? folder;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR')) return false;
    throw error;
  }
}
