import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from '../../memory/store/create-folder.ts';

// Small files of JSON in the state folder with what is expensive to compute. They may be removed at any time.

/** What a folder was noted with: its stamp then, and what was found in it. */
export interface FolderNote {
  stamp: string;
  found: unknown[];
}

/** What was noted in a file; undefined where it is absent or half written. */
export function readNotes(path: string): unknown {
  try {
    return JSON.parse(textAt(path) ?? '');
  } catch {
    return undefined;
  }
}

/** Notes a value, in place; without room or the right to write it is computed again the next time. */
export function writeNotes(path: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    // A reader may meet it half written.
    if (textAt(path) === text) return;
    createFolder(dirname(path), 0o700);
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    // Its readers do without.
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The notes on folders in what `listed` made of them, by the folder's key; damaged ones are left out. */
export function foldersIn(value: unknown): Map<string, FolderNote> {
  const folders = new Map<string, FolderNote>();
  for (const entry of Array.isArray(value) ? value : []) {
    const [key, stamp, ...found]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof key === 'string' && typeof stamp === 'string') folders.set(key, { stamp, found });
  }
  return folders;
}

/** Notes on folders as JSON can hold them. */
export function listed(folders: ReadonlyMap<string, FolderNote>): unknown[][] {
  return [...folders].map(([key, { stamp, found }]) => [key, stamp, ...found]);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
