import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isSystemError } from '../../../errors.ts';
import { matchesGlob } from '../../../memory/glob.ts';
import type { Environment } from '../../../user-folders.ts';
import type { SessionLogs } from '../../agents/event.ts';

export interface LogFile {
  path: string;
  inode: number;
  size: number;
  /** Milliseconds since 1970. */
  changedMs: number;
}

/** Most folders that are searched: too wide a glob should not walk a whole home. */
const MOST_FOLDERS = 20_000;

/** The logs that a host may keep of sessions in a checkout. Links are not followed, so nothing outside the folder is read. */
export function findLogs(logs: SessionLogs, root: string, env: Environment): LogFile[] {
  const folder = logFolder(logs, env);
  const pattern = logs.files.replaceAll('{slug}', root.replace(/[^A-Za-z0-9]/g, '-')).split('/');
  let places = [folder];
  for (const part of pattern.slice(0, -1))
    places = places.flatMap((place) => entriesOf(place, part, (entry) => entry.isDirectory())).slice(0, MOST_FOLDERS);
  return places
    .flatMap((place) => entriesOf(place, pattern.at(-1) ?? '', (entry) => entry.isFile()))
    .flatMap((path) => lookAt(path) ?? []);
}

/** A log's current size and identity; undefined if it is not a regular file. */
export function lookAt(path: string): LogFile | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? { path, inode: stat.ino, size: stat.size, changedMs: stat.mtimeMs } : undefined;
}

function logFolder({ variable, folder }: SessionLogs, env: Environment): string {
  const moved = variable === undefined ? undefined : env[variable];
  return moved && isAbsolute(moved) ? moved : join(env.HOME || homedir(), folder);
}

function entriesOf(folder: string, pattern: string, isWanted: (entry: Dirent) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => isWanted(entry) && matchesGlob(pattern, entry.name))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch (error) {
    // A host that was never used here, or a folder that is not the user's.
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
