import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFileSync } from '../../looks.ts';
import { folderFiles } from './folder.ts';
import { log } from './log.ts';
import { type Entry, openSource } from './source.ts';

// What this clone wrote to the team's store is also in the state folder, under `held/` and the same path, until the reviewed
// branch has it or it is retired or redacted: a clean, a reset or a removed worktree deletes files that no commit has.
// Copies rather than objects under a reference: forgetting one is removing a file, and no push can include it.

/** Copies files that were written; a failure to copy is only logged. */
export function hold(state: string, files: { path: string; bytes: Uint8Array }[]): void {
  try {
    for (const { path, bytes } of files) {
      const copy = join(folderOf(state), path);
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      writeFileSync(copy, bytes, { mode: 0o600 });
    }
  } catch (error) {
    log(state, `held: ${String(error)}`, new Date());
  }
}

/** The held files, newest first. */
export function held(state: string, format: 'sha1' | 'sha256'): { entries: Entry[]; bytes(path: string): Buffer } {
  const source = openSource('team', folderFiles(folderOf(state), true), format);
  return { entries: [...source.newest('observation', 'summary', 'mark')], bytes: (path) => source.files.bytes(path) };
}

/** The bytes of one of them; throws system errors. */
export function heldCopy(state: string, path: string): Buffer {
  return readFileSync(join(folderOf(state), path));
}

/** Removes these copies. */
export function release(state: string, entries: readonly Entry[]): void {
  for (const { path } of entries) rmSync(join(folderOf(state), path), { force: true });
}

function folderOf(state: string): string {
  return join(state, 'held');
}
