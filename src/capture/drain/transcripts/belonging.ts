import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Checkout, locate } from '../../../git/locate.ts';
import type { SessionLogs } from '../../agents/event.ts';
import type { Reader } from './reader.ts';

/** Tells which logs, and which places in them, are about one repository. */
export type Belonging = ReturnType<typeof belongingTo>;

/** What belongs to the repository of a checkout, in any of its worktrees. */
export function belongingTo(checkout: Checkout) {
  const known = new Map<string, Checkout | undefined>();
  const hashes = new Set([checkout.root, realpathSync(checkout.root)].map(sha256));

  /** The worktree of this repository that holds a directory; this checkout for an event without a directory. */
  function checkoutAt(cwd: string): Checkout | undefined {
    if (cwd === '') return checkout;
    if (!known.has(cwd)) {
      const found = locate(cwd);
      known.set(cwd, found?.commonDir === checkout.commonDir ? found : undefined);
    }
    return known.get(cwd);
  }

  return {
    checkoutAt,
    /** Undefined until the log says so. */
    isOurs({ belongs }: SessionLogs, { cwd, hash }: Reader): boolean | undefined {
      if (belongs === 'sha256') return hash === '' ? undefined : hashes.has(hash);
      return cwd === '' ? undefined : checkoutAt(cwd) !== undefined;
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
