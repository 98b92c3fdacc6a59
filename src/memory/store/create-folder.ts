import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSystemError } from '../../errors.ts';

/**
 * Creates a folder and its parents, and returns the topmost one created. Step by step, because `mkdirSync` with
 * `recursive` never returns in /proc, where nothing can be created. Throws system errors.
 */
export function createFolder(folder: string, mode = 0o777): string | undefined {
  if (isFolder(folder)) return undefined;
  const first = createFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it meanwhile; anything else with that name is in the way.
    if (!isSystemError(error, 'EEXIST') || !isFolder(folder)) throw error;
  }
  return first ?? folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
