import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { isSystemError } from '../../errors.ts';

/** Larger files are not compared. */
export const MAX_FILE_BYTES = 2_000_000;

/**
 * The content of a file that a record cites; undefined if there is none. A record may cite any path: files outside the
 * repository, in git's own folder or behind a link are never read.
 */
export function readCited(root: string, path: string): Buffer | 'too-large' | 'unreadable' | undefined {
  const parts = path.split('/');
  const isOdd = (part: string) => ['', '.', '..'].includes(part) || /^\.git$/i.test(part) || /[\0\\:]/.test(part);
  if (parts.some(isOdd)) return 'unreadable';
  const file = join(root, ...parts);
  let descriptor: number | undefined;
  try {
    // A folder on the way may be a link to anywhere.
    const real = realpathSync(root);
    if (realpathSync(dirname(file)) !== [real, ...parts.slice(0, -1)].join(sep)) return 'unreadable';
    // Does not block, because a FIFO would never answer.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return 'unreadable';
    return stat.size > MAX_FILE_BYTES ? 'too-large' : readFileSync(descriptor);
  } catch (error) {
    return isSystemError(error, 'ENOENT', 'ENOTDIR') ? undefined : 'unreadable';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
