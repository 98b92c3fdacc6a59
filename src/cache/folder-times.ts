import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDERS } from '../memory/file-name.ts';
import type { Workspace } from '../store/workspace.ts';
import { isPast } from './scan.ts';

/**
 * The times of all folders that hold records, which tell whether one came or went; undefined while a folder is too young
 * to be sure of. Edits in place change no folder.
 */
export function folderTimes({ stores }: Workspace, now = Date.now()): string | undefined {
  const times: string[] = [];
  for (const { dir } of [stores.team, stores.private]) {
    for (const kind of Object.values(FOLDERS)) {
      for (const month of ['.', ...namesIn(join(dir, kind))]) {
        const path = join(dir, kind, month);
        const stat = lstatSync(path, { throwIfNoEntry: false });
        if (!stat?.isDirectory()) continue;
        if (!isPast(stat.mtimeMs, now)) return undefined;
        times.push(`${path} ${stat.mtimeMs} ${stat.ino}`);
      }
    }
  }
  return times.join('\n');
}

function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return []; // Not there, or not to be read: a sync would see nothing in it either.
  }
}
