import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { type Checkout, locate, realPath } from '../../git/locate.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { registration } from '../../memory/store/layout.ts';
import { namesIn } from '../../memory/store/names-in.ts';
import { PERSONAL, personalCheckout } from '../../memory/store/personal.ts';
import type { Environment } from '../../user-folders.ts';

/** A repository of this user on this machine, as `init` noted it: nothing looks for others. */
export interface Registered {
  /** The label of its records; unique in the registry. */
  name: string;
  /** The top of the checkout that was set up; its other worktrees have the same memory. */
  root: string;
  /** ISO 8601, UTC; null for the personal store. */
  added: string | null;
  /** Undefined if there is no checkout with a memory any more. */
  checkout: Checkout | undefined;
  /** The file that notes it; undefined for the personal store. */
  file: string | undefined;
}

const noteSchema = z.object({ root: z.string(), added: z.string() });

/** Notes a repository for this user, once for all its worktrees. Never fails: nothing here needs the registry. */
export function register({ root, commonDir }: Checkout, env: Environment, now: Date): void {
  try {
    const file = registration(realPath(commonDir), env);
    createFolder(dirname(file), 0o700);
    replaceFile(file, `${JSON.stringify({ root, added: now.toISOString() })}\n`);
  } catch {
    // No home, or it is not writable.
  }
}

/** Every registered repository by name, including those that are gone, and the personal store if there is one. */
export function registered(env: Environment): Registered[] {
  const personal = personalCheckout(env);
  const found: Registered[] = personal
    ? [{ name: PERSONAL, root: personal.root, added: null, checkout: personal, file: undefined }]
    : [];
  for (const { root, added, file } of notes(env)) {
    if (root === personal?.root) continue;
    const place = locate(root);
    const isThere = place?.root === root && existsSync(join(root, '.memory'));
    found.push({ name: nameOf(root, found), root, added, checkout: isThere ? place : undefined, file });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function goneNote({ name, root, file }: Pick<Registered, 'name' | 'root' | 'file'>): string {
  return `${name} is gone: ${root} has no memory. Delete ${file} to end this note.`;
}

export function unregister({ commonDir }: Checkout, env: Environment): void {
  rmSync(registration(realPath(commonDir), env), { force: true });
}

/** The notes, oldest first; one file per repository, so that processes that register at once don't collide. */
function notes(env: Environment): (z.infer<typeof noteSchema> & { file: string })[] {
  const folder = dirname(registration('', env));
  const found = namesIn(folder).flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    const file = join(folder, name);
    // A damaged one is written again by `init`.
    const { data } = noteSchema.safeParse(readNotes(file));
    return data === undefined ? [] : [{ ...data, file }];
  });
  return found.sort((a, b) => (a.added < b.added ? -1 : 1));
}

/** A folder's name as an id may have it before its colon, with a number if another repository has it. */
function nameOf(root: string, others: readonly { name: string }[]): string {
  const plain = basename(root)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  const name = plain.slice(0, 40) || 'repository';
  let free = name;
  for (let n = 2; others.some((other) => other.name === free); n++) free = `${name}-${n}`;
  return free;
}
