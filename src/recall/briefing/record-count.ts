import { join } from 'node:path';
import { FOLDERS, idInName, isMonth } from '../../memory/file-name.ts';
import { folderFiles } from '../../memory/store/folder.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { folderNotes, isCount, writeNotes } from './notes.ts';

/**
 * Counts the observations and summaries in some stores by listing their folders. `notes` is a file that keeps the
 * counts of unchanged folders: listing thousands of names costs half of a status line. It may be removed at any time;
 * if it is wrong, only the shown number is wrong.
 */
export function countRecords(stores: string[], notes: string, nowMs: number): number {
  const counts = folderNotes(readNotes(notes), nowMs);
  let total = 0;
  for (const store of stores) {
    const files = folderFiles(store);
    for (const kind of [FOLDERS.observation, FOLDERS.summary]) {
      for (const month of files.names(kind).filter(isMonth)) {
        const [folder, key] = [`${kind}/${month}`, join(store, kind, month)];
        // The folder's own time shows whether names came or went; a wrong count does no harm.
        const { modifiedMs = nowMs } = files.state(folder) ?? {};
        const [known] = counts.known(key, { modifiedMs, changedMs: modifiedMs }) ?? [];
        const count = isCount(known) ? known : recordsIn(files.names(folder));
        if (count !== known) counts.note(key, [count]);
        total += count;
      }
    }
  }
  const news = counts.news();
  if (news !== undefined) writeNotes(notes, news);
  return total;
}

/** Two branches may have written the same finding to two files. */
function recordsIn(names: string[]): number {
  return new Set(names.flatMap((name) => (name.endsWith('.md') ? [idInName(name)] : []))).size;
}
