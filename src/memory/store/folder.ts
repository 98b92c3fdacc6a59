import { existsSync } from 'node:fs';
import { GitMemError, isSystemError } from '../../errors.ts';
import { lstatSync, readdirSync, readFileSync } from '../../looks.ts';
import { allMonths } from '../file-name.ts';
import type { FileState, RecordFiles } from './source.ts';

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EPERM', 'ENAMETOOLONG'];

/**
 * The files of a folder on the disk. A linked folder in it counts as empty: it came with a checkout and may lead
 * anywhere. So does a linked `dir`, unless it is the user's own. Paths are concatenated, which is fast: every question
 * examines thousands.
 */
export function folderFiles(dir: string, isUsersOwn = false): RecordFiles {
  return {
    names(folder) {
      const path = `${dir}/${folder}`;
      try {
        if (linkTo(dir, folder, isUsersOwn) !== undefined) return [];
        if (folder.includes('/') || !isCrowded(path)) return readdirSync(path);
        // Not noted as looks: the folder was looked at, and changes when a month is added or removed.
        return allMonths().filter((month) => existsSync(`${path}/${month}`));
      } catch (error) {
        if (isSystemError(error, ...UNREADABLE)) return [];
        throw error;
      }
    },
    state(path): FileState | undefined {
      try {
        const stat = lstatSync(`${dir}/${path}`, { throwIfNoEntry: false });
        if (stat === undefined) return undefined;
        return { isFile: stat.isFile(), size: stat.size, modifiedMs: stat.mtimeMs, changedMs: stat.ctimeMs };
      } catch (error) {
        if (isSystemError(error, ...UNREADABLE)) return undefined;
        throw error;
      }
    },
    bytes: (path) => readFileSync(`${dir}/${path}`),
  };
}

/** The size in bytes of a folder, at 20 or more a name, with more names than there are months: 1,321. */
const CROWDED = 64 * 1024;

/**
 * Whether a folder of months has so many names that trying each month is cheaper than listing them: a branch may add
 * any number of other names. Where folders have no size, they are listed.
 */
function isCrowded(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > CROWDED;
}

/** Throws cannot-write if a file below `dir` would be written through a link, wherever that leads. */
export function requireOwnFolder(dir: string, path: string, isUsersOwn = false): void {
  const link = linkTo(dir, path.split('/').slice(0, -1).join('/'), isUsersOwn);
  if (link === undefined) return;
  throw new GitMemError('cannot-write', `${link} is a link, which may lead outside this repository’s memory.`, {
    hint: 'Put a folder in its place. Nothing was written.',
  });
}

/** The first link on the path from `dir` to a folder below it; undefined if there is none. */
function linkTo(dir: string, folder: string, isUsersOwn: boolean): string | undefined {
  let at = dir;
  for (const part of [...(isUsersOwn ? [] : ['']), ...folder.split('/')]) {
    if (part !== '') at = `${at}/${part}`;
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return at;
    if (!stat?.isDirectory()) return undefined;
  }
  return undefined;
}
