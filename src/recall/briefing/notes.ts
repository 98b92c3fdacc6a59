import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from '../../memory/store/create-folder.ts';

// Small JSON files in the state folder that keep expensive results. They may be removed at any time.

/** The note on a folder: its stamp at that time, and what was found in it. */
export interface FolderNote {
  stamp: string;
  found: unknown[];
}

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

/**
 * Reads the notes on folders from the form that `listed` gives them, by the folder's key; damaged ones are left out.
 */
export function foldersIn(value: unknown): Map<string, FolderNote> {
  const folders = new Map<string, FolderNote>();
  for (const entry of Array.isArray(value) ? value : []) {
    const [key, stamp, ...found]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof key === 'string' && typeof stamp === 'string') folders.set(key, { stamp, found });
  }
  return folders;
}

/** Notes on folders in a form that JSON can hold. */
export function listed(folders: ReadonlyMap<string, FolderNote>): unknown[][] {
  return [...folders].map(([key, { stamp, found }]) => [key, stamp, ...found]);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
