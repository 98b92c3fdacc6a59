import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { isSystemError } from '../errors.ts';
import type { FileState, RecordFiles } from './source.ts';

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EPERM'];

/** The files of a folder on the disk. Paths are joined by hand: thousands are looked at before every question. */
export function folderFiles(dir: string): RecordFiles {
  return {
    names(folder) {
      try {
        return readdirSync(`${dir}/${folder}`);
      } catch (error) {
        if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
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
