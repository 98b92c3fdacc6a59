import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readFileSync } from '../looks.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import type { FileState } from '../memory/store/source.ts';
import { folderStamp } from './stamp.ts';

// Small JSON files in the state folder that keep expensive results. They may be removed at any time.

/** Writes a value in place; without space or permission to write it is computed again the next time. */
export function writeNotes(path: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    // A reader may see it half written.
    if (textAt(path) === text) return;
    createFolder(dirname(path), 0o700);
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    // Readers work without it.
  }
}

/** The text of such a file; undefined if it cannot be read. */
export function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** What was found in folders, so that only those that changed since are listed again. `before` is what `news` gave. */
export function folderNotes(before: unknown, nowMs: number) {
  const noted = foldersIn(before);
  const stamps = new Map<string, string>();
  const now = new Map<string, FolderNote>();
  let isNews = false;
  return {
    /**
     * What was found in a folder, if it did not change since. Asked before the names are listed, so that files added in
     * between are found the next time.
     */
    known(key: string, state: Pick<FileState, 'modifiedMs' | 'changedMs'> | undefined): unknown[] | undefined {
      const stamp = folderStamp(state, nowMs);
      if (stamp === undefined) return undefined;
      stamps.set(key, stamp);
      const note = noted.get(key);
      if (note?.stamp !== stamp) return undefined;
      now.set(key, note);
      return note.found;
    },
    /** Notes what a folder held that `known` did not know. */
    note(key: string, found: unknown[]): void {
      const stamp = stamps.get(key);
      if (stamp === undefined) return;
      now.set(key, { stamp, found });
      isNews = true;
    },
    /** All notes in a form that JSON can hold; undefined if they are the same as before. */
    news: () => (isNews ? [...now].map(([key, { stamp, found }]) => [key, stamp, ...found]) : undefined),
  };
}

interface FolderNote {
  stamp: string;
  found: unknown[];
}

/** Damaged notes are left out. */
function foldersIn(value: unknown): Map<string, FolderNote> {
  const folders = new Map<string, FolderNote>();
  for (const entry of Array.isArray(value) ? value : []) {
    const [key, stamp, ...found]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof key === 'string' && typeof stamp === 'string') folders.set(key, { stamp, found });
  }
  return folders;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
