import { isSystemError } from '../errors.ts';

/** The next step where the file system of this machine is the trouble, and what was to be done is still there to do. */
export function machineHint(error: unknown): string | undefined {
  if (isSystemError(error, ...FULL)) return ROOM;
  return isSystemError(error, ...SURROUNDINGS) ? ACCESS : undefined;
}

const FULL = ['ENOSPC', 'EDQUOT'];
const ROOM =
  'Make room and run it again: what was captured is kept. `git mem doctor` says which folders cannot be written.';
const SURROUNDINGS = ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EMFILE', 'ENFILE', 'ELOOP'];
const ACCESS = '`git mem doctor` says which folders cannot be written.';
