import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../errors.ts';
import type { FileState, RecordFiles } from './source.ts';

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EPERM'];

/** The files of a folder on the disk. */
export function folderFiles(dir: string): RecordFiles {
  return {
    names(folder) {
      try {
        return readdirSync(join(dir, folder));
      } catch (error) {
        if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
        throw error;
      }
    },
    state(path): FileState | undefined {
      try {
        const stat = lstatSync(join(dir, path));
        return { isFile: stat.isFile(), size: stat.size, modifiedMs: stat.mtimeMs, changedMs: stat.ctimeMs };
      } catch (error) {
        if (isSystemError(error, ...UNREADABLE)) return undefined;
        throw error;
      }
    },
    bytes: (path) => readFileSync(join(dir, path)),
  };
}
