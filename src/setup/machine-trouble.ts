import { isSystemError } from '../errors.ts';

/** The hint for a problem of this machine's file system, after which the work can be retried. */
export function machineHint(error: unknown): string | undefined {
  if (isSystemError(error, ...FULL)) return ROOM;
  return isSystemError(error, ...SURROUNDINGS) ? ACCESS : undefined;
}

const FULL = ['ENOSPC', 'EDQUOT'];
const ROOM =
  'Make room and run it again: what was captured is kept. `git mem doctor` shows which folders cannot be written.';
const SURROUNDINGS = ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EMFILE', 'ENFILE', 'ELOOP'];
const ACCESS = '`git mem doctor` shows which folders cannot be written.';
