import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError, messageOf } from '../errors.ts';
import { replaceFile } from '../repo/atomic.ts';

/** How a failing provider is left alone: 1, 2, 4 ... minutes, at most an hour. */
export interface Backoff {
  attempts: number;
  /** ISO 8601: no drain that starts by itself asks before. */
  until: string;
  /** What the provider said last. */
  reason: string;
}

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;
/** Longest that a provider may ask for. */
const LONGEST_ASKED_MS = 86_400_000;

/** The state of the backoff; undefined while the provider answers. */
export function readBackoff(state: string): Backoff | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(state), 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { attempts, until, reason } = value as Partial<Record<keyof Backoff, unknown>>;
    const valid = typeof attempts === 'number' && typeof until === 'string' && typeof reason === 'string';
    return valid ? { attempts, until, reason } : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Tells whether a drain that nobody asked for should leave the provider alone. */
export function isBackingOff(state: string, { now, clock }: { now: boolean; clock: () => Date }): boolean {
  const backoff = readBackoff(state);
  return !now && backoff !== undefined && backoff.until > clock().toISOString();
}

/** Lengthens the backoff after a failure; the provider's own `retryAfterMs` counts when it is longer. */
export function noteFailure(state: string, error: unknown, now: Date): void {
  const attempts = (readBackoff(state)?.attempts ?? 0) + 1;
  const asked = error instanceof Error && 'retryAfterMs' in error ? Number(error.retryAfterMs) || 0 : 0;
  const waitMs = Math.max(Math.min(asked, LONGEST_ASKED_MS), Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1)));
  const until = new Date(now.getTime() + waitMs).toISOString();
  replaceFile(pathOf(state), JSON.stringify({ attempts, until, reason: messageOf(error) } satisfies Backoff));
}

/** Forgets the failures once the provider answers. */
export function clearBackoff(state: string): void {
  rmSync(pathOf(state), { force: true });
}

function pathOf(state: string): string {
  return join(state, 'backoff.json');
}
