import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { idOf } from '../memory/id.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import { readJson } from '../memory/store/json-file.ts';

/** A file's state before it was set up. */
export interface Original {
  /** Undefined if there was no file. */
  bytes: Buffer | undefined;
  /** The outermost folder that was created for it, relative to the top of the worktree. */
  newFolder: string | undefined;
}

const schema = z.object({ path: z.string(), original: z.nullable(z.string()), new_folder: z.optional(z.string()) });

// Originals are looked up by the bytes that replaced them, not by worktree or branch: these mean the same in every
// checkout of the clone, and all checkouts share the state folder.

/** Keeps the content of a file before it is replaced by `written`. */
export function keepOriginal(state: string, path: string, written: Uint8Array, { bytes, newFolder }: Original): void {
  const entry = { path, original: bytes?.toString('base64') ?? null, new_folder: newFolder };
  replaceFile(fileOf(state, path, written), `${JSON.stringify(entry satisfies z.infer<typeof schema>)}\n`);
}

/** The content of a file before it was replaced by `current`; undefined if somebody else wrote these bytes. */
export function originalOf(state: string, path: string, current: Uint8Array): Original | undefined {
  const { data } = schema.safeParse(readJson(fileOf(state, path, current)));
  // Damaged counts as missing: then only our own part is removed.
  if (data === undefined) return undefined;
  const bytes = data.original === null ? undefined : Buffer.from(data.original, 'base64');
  return { bytes, newFolder: data.new_folder };
}

function fileOf(state: string, path: string, written: Uint8Array): string {
  return join(state, 'init', `${idOf(path, createHash('sha256').update(written).digest('hex'))}.json`);
}
