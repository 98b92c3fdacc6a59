import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDERS, isMonth } from '../../memory/file-name.ts';
import { folderFiles } from '../../memory/store/folder.ts';
import type { RecordFiles } from '../../memory/store/source.ts';
import { isSettled } from '../../memory/store/stamp.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** The times of all folders that hold records. */
export interface FolderTimes {
  /** Changes whenever one of the times does. */
  key: string;
  /** The newest one, in milliseconds since 1970; 0 where there is no folder. */
  newestMs: number;
}

/**
 * The times of all folders that hold records, which show whether a record came or went; undefined while a folder is too
 * young for its time to be reliable. Edits in place change no folder.
 */
export function folderTimes({ stores }: Workspace, now = Date.now()): FolderTimes | undefined {
  const times: string[] = [];
  let newestMs = 0;
  for (const store of [stores.team, stores.private]) {
    const { dir } = store;
    const files = folderFiles(dir, store === stores.private);
    for (const kind of Object.values(FOLDERS)) {
      for (const month of ['.', ...monthsIn(files, kind)]) {
        const path = join(dir, kind, month);
        const stat = lstatSync(path, { throwIfNoEntry: false });
        if (!stat?.isDirectory()) continue;
        if (!isSettled({ modifiedMs: stat.mtimeMs, changedMs: stat.mtimeMs }, now)) return undefined;
        times.push(`${path} ${stat.mtimeMs} ${stat.ino}`);
        newestMs = Math.max(newestMs, stat.mtimeMs);
      }
    }
  }
  return { key: times.join('\n'), newestMs };
}

function monthsIn(files: RecordFiles, kind: string): string[] {
  try {
    return files.names(kind).filter(isMonth);
  } catch {
    return []; // Unreadable: a sync would find nothing in it either.
  }
}
