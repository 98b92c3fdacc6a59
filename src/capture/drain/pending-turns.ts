import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { idOf } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readJson } from '../../memory/store/json-file.ts';
import { namesIn } from '../../memory/store/names-in.ts';
import { turnShape } from '../extract/turn.ts';

const pendingShape = z.object({
  turn: turnShape,
  /** Root of its worktree. */
  root: z.string(),
  branch: z.exactOptional(z.string()),
  commit: z.exactOptional(z.string()),
});

/** A cleaned turn that waits for an extractor, with where it happened. */
export type PendingTurn = z.infer<typeof pendingShape>;

/** Keeps a turn until an extractor has seen it; durable when it returns, and idempotent. */
export function keepTurn(state: string, pending: PendingTurn): void {
  const { session, key } = pending.turn;
  replaceFile(pathOf(state, session, key), JSON.stringify(pending));
}

/** The kept turns of a session with these keys, in their order; those whose file is gone or damaged are left out. */
export function readTurns(state: string, session: string, keys: string[]): PendingTurn[] {
  return keys.flatMap((key) => pendingShape.safeParse(readJson(pathOf(state, session, key))).data ?? []);
}

/** Removes the kept turns of a session except those with these keys. */
export function dropTurns(state: string, session: string, except: string[]): void {
  const folder = folderOf(state, session);
  const kept = new Set(except.map((key) => `${idOf(key)}.json`));
  for (const name of namesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
  if (kept.size === 0) rmSync(folder, { recursive: true, force: true });
}

function folderOf(state: string, session: string): string {
  return join(state, 'sessions', `${idOf(session)}.turns`);
}

function pathOf(state: string, session: string, key: string): string {
  return join(folderOf(state, session), `${idOf(key)}.json`);
}
