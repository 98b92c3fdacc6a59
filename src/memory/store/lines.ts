import { isSystemError } from '../../errors.ts';
import { readFileSync, statSync } from '../../looks.ts';

/** The lines of a file; none if it is absent, unreadable or a folder. Throws any other system error. */
export function linesIn(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR')) return [];
    throw error;
  }
}

/** The lines of a cache file: none if it is unreadable, or not a regular file of at most `most` bytes. */
export function notedLines(path: string, most = Number.POSITIVE_INFINITY): string[] {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= most ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  } catch {
    return []; // Nothing was noted yet, or somebody else's file is there: the work is done again.
  }
}
