import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { idOf } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readJson } from '../../memory/store/json-file.ts';
import { namesIn } from '../../memory/store/names-in.ts';
import type { Turn } from '../extract/turn.ts';

const call = z.object({
  id: z.string(),
  tool: z.string(),
  action: z.enum(['read', 'edit', 'write', 'delete', 'command', 'search', 'agent', 'fetch', 'other']),
  paths: z.array(z.string()),
  command: z.optional(z.string()),
  description: z.optional(z.string()),
  ok: z.optional(z.boolean()),
  exitCode: z.optional(z.number()),
  output: z.string(),
  change: z.optional(z.object({ removed: z.string(), added: z.string() })),
  blob: z.optional(z.string()),
  agent: z.optional(z.string()),
  at: z.string(),
});

const schema = z.object({
  turn: z.object({
    session: z.string(),
    key: z.string(),
    promptNumber: z.number(),
    prompt: z.string(),
    promptFrom: z.enum(['user', 'machine']),
    calls: z.array(call),
    reports: z.array(z.string()),
    reply: z.string(),
    interrupted: z.boolean(),
    saved: z.boolean(),
    startedAt: z.string(),
    endedAt: z.string(),
  }),
  root: z.string(),
  branch: z.optional(z.string()),
  commit: z.optional(z.string()),
});

/** A cleaned turn that waits for an extractor, with where it happened. */
export interface PendingTurn {
  turn: Turn;
  /** Root of its worktree. */
  root: string;
  branch?: string;
  commit?: string;
}

/** Keeps a turn until an extractor has seen it; durable when it returns. Keeping it twice keeps it once. */
export function keepTurn(state: string, pending: PendingTurn): void {
  const { session, key } = pending.turn;
  replaceFile(pathOf(state, session, key), JSON.stringify(pending));
}

/** The kept turns of a session with these keys, in their order; those whose file is gone or damaged are left out. */
export function readTurns(state: string, session: string, keys: string[]): PendingTurn[] {
  return keys.flatMap((key) => readTurn(pathOf(state, session, key)) ?? []);
}

/** A turn from its file; undefined if the file is missing or damaged. */
export function readTurn(path: string): PendingTurn | undefined {
  // JSON has no undefined: a value that the host did not give is absent.
  return schema.safeParse(readJson(path)).data as PendingTurn | undefined;
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
