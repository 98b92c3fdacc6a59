import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FOLDERS, idInName } from '../../memory/file-name.ts';
import { createFolder } from '../../memory/store/create-folder.ts';

/** What is known of folders: their modification time in milliseconds, and how many records they held then. */
type Known = Map<string, [modifiedMs: number, count: number]>;

/** A folder that was changed so recently may change again within the same tick of its file system's clock. */
const SETTLED_MS = 2000;

/**
 * The number of observations and summaries in some stores, by their listings. `notes` is a file that keeps the counts of
 * folders that have not changed since: listing thousands of names costs half of a status line. It may be removed at any
 * time, and another count is all that a wrong one does.
 */
export function countRecords(stores: string[], notes: string, nowMs: number): number {
  const before = readNotes(notes);
  const now: Known = new Map();
  let total = 0;
  for (const store of stores) {
    for (const kind of [FOLDERS.observation, FOLDERS.summary]) {
      for (const month of namesIn(join(store, kind))) {
        const folder = join(store, kind, month);
        const stat = lstatSync(folder, { throwIfNoEntry: false });
        if (!stat?.isDirectory()) continue;
        const { mtimeMs: modifiedMs } = stat;
        const known = before.get(folder);
        const count = known?.[0] === modifiedMs ? known[1] : recordsIn(folder);
        if (nowMs - modifiedMs > SETTLED_MS) now.set(folder, [modifiedMs, count]);
        total += count;
      }
    }
  }
  const isNews = [...now].some(([folder, [modifiedMs]]) => before.get(folder)?.[0] !== modifiedMs);
  if (isNews) writeNotes(notes, now);
  return total;
}

function recordsIn(folder: string): number {
  // Two branches may have noted the same finding in two files.
  return new Set(namesIn(folder).flatMap((name) => (name.endsWith('.md') ? [idInName(name)] : []))).size;
}

function namesIn(folder: string): string[] {
  try {
    // A link may lead anywhere.
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return []; // None yet, or a file in a folder's place.
  }
}

function readNotes(path: string): Known {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const known: Known = new Map();
    for (const entry of Array.isArray(value) ? value : []) {
      const [folder, modifiedMs, count]: unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof folder === 'string' && typeof modifiedMs === 'number' && isCount(count)) {
        known.set(folder, [modifiedMs, count]);
      }
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
    writeFileSync(path, JSON.stringify([...known].map(([folder, counts]) => [folder, ...counts])), { mode: 0o600 });
  } catch {
    // No room or no right to write: the next line lists again.
  }
}
