import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FOLDERS, idInName, isMonth } from '../../memory/file-name.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { folderFiles } from '../../memory/store/folder.ts';
import { folderStamp } from '../../memory/store/stamp.ts';

/** By folder: its stamp when it was counted, and how many records it held then. */
type Known = Map<string, { stamp: string; count: number }>;

/**
 * The number of observations and summaries in some stores, by their listings. `notes` is a file that keeps the counts of
 * folders that have not changed since: listing thousands of names costs half of a status line. It may be removed at any
 * time, and another count is all that a wrong one does.
 */
export function countRecords(stores: string[], notes: string, nowMs: number): number {
  const before = readNotes(notes);
  const now: Known = new Map();
  let [total, isNews] = [0, false];
  for (const store of stores) {
    const files = folderFiles(store);
    for (const kind of [FOLDERS.observation, FOLDERS.summary]) {
      for (const month of files.names(kind).filter(isMonth)) {
        const [folder, key] = [`${kind}/${month}`, join(store, kind, month)];
        // Its own time tells which names came and went; a wrong count does no harm.
        const { modifiedMs = nowMs } = files.state(folder) ?? {};
        const stamp = folderStamp({ modifiedMs, changedMs: modifiedMs }, nowMs);
        const known = before.get(key);
        const isSame = stamp !== undefined && known?.stamp === stamp;
        const count = isSame ? known.count : recordsIn(files.names(folder));
        if (stamp !== undefined) now.set(key, { stamp, count });
        isNews ||= !isSame && stamp !== undefined;
        total += count;
      }
    }
  }
  if (isNews) writeNotes(notes, now);
  return total;
}

/** Two branches may have noted the same finding in two files. */
function recordsIn(names: string[]): number {
  return new Set(names.flatMap((name) => (name.endsWith('.md') ? [idInName(name)] : []))).size;
}

function readNotes(path: string): Known {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const known: Known = new Map();
    for (const entry of Array.isArray(value) ? value : []) {
      const [folder, stamp, count]: unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof folder === 'string' && typeof stamp === 'string' && isCount(count))
        known.set(folder, { stamp, count });
    }
    return known;
  } catch {
    return new Map(); // Absent or half written: everything is listed.
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function writeNotes(path: string, known: Known): void {
  try {
    createFolder(dirname(path), 0o700);
    writeFileSync(path, JSON.stringify([...known].map(([folder, { stamp, count }]) => [folder, stamp, count])), {
      mode: 0o600,
    });
  } catch {
    // No room or no right to write: the next line lists again.
  }
}
