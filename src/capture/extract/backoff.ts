import { join } from 'node:path';
import * as z from 'zod/mini';
import { messageOf } from '../../errors.ts';
import { fieldsOf } from '../../json.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readJson } from '../../memory/store/json-file.ts';
import { ProviderError, REACTIONS } from './provider.ts';

const backoffShape = z.object({
  attempts: z.int().check(z.positive()),
  /** ISO 8601: no drain that starts by itself asks earlier. */
  until: z.iso.datetime(),
  /** What the provider said last. */
  reason: z.string(),
});

/** The backoff of a failing provider, as `REACTIONS` defines it. */
export type Backoff = z.infer<typeof backoffShape>;

/** Longest wait that a provider may ask for, a day: quotas are renewed by then, and a wrong clock may say years. */
const LONGEST_ASKED_MS = 86_400_000;
/** Failures under settings that changed since are forgotten a week after their wait, which is at most a day. */
const FORGET_MS = 7 * 86_400_000;

/** The state of the backoff of the provider with this id; undefined while it answers. */
export function readBackoff(state: string, id: string): Backoff | undefined {
  return readAll(state).get(id);
}

/** Tells whether the provider should be left alone. */
export function isBackingOff(state: string, id: string, now: Date): boolean {
  const backoff = readBackoff(state, id);
  return backoff !== undefined && backoff.until > now.toISOString();
}

/** Lengthens the backoff after a failure; the provider's own `retryAfterMs` counts when it is longer. */
export function noteFailure(state: string, id: string, error: unknown, now: Date): void {
  const all = readAll(state);
  const attempts = (all.get(id)?.attempts ?? 0) + 1;
  const errorClass = error instanceof ProviderError ? error.class : 'transient';
  const { firstMs, longestMs } = REACTIONS[errorClass].rest ?? { firstMs: 0, longestMs: 0 };
  const asked = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(Math.min(asked || 0, LONGEST_ASKED_MS), Math.min(longestMs, firstMs * 2 ** (attempts - 1)));
  const until = new Date(now.getTime() + waitMs).toISOString();
  all.set(id, { attempts, until, reason: messageOf(error) });
  const old = new Date(now.getTime() - FORGET_MS).toISOString();
  writeAll(state, new Map([...all].filter(([, backoff]) => backoff.until > old)));
}

/** Forgets the failures of a provider once it answers. */
export function clearBackoff(state: string, id: string): void {
  const all = readAll(state);
  if (all.delete(id)) writeAll(state, all);
}

function readAll(state: string): Map<string, Backoff> {
  const entries = Object.entries(fieldsOf(readJson(pathOf(state))));
  return new Map(
    entries.flatMap(([id, entry]) => {
      const { data } = backoffShape.safeParse(entry);
      return data === undefined ? [] : [[id, data]];
    }),
  );
}

function writeAll(state: string, all: Map<string, Backoff>): void {
  replaceFile(pathOf(state), JSON.stringify(Object.fromEntries(all)));
}

function pathOf(state: string): string {
  return join(state, 'backoff.json');
}
