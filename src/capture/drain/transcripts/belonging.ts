import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Checkout, locate } from '../../../git/locate.ts';
import type { SessionLogs } from '../../agents/event.ts';
import type { Reader } from './reader.ts';

/** Tells which logs, and which places in them, are about one repository. */
export interface Belonging {
  /** Undefined as long as the log did not say. */
  isOurs(logs: SessionLogs, reader: Reader): boolean | undefined;
  /** The worktree of this repository that a directory lies in; of an event that names none this checkout. */
  checkoutAt(cwd: string): Checkout | undefined;
}

/** What belongs to the repository of a checkout, in whichever of its worktrees. */
export function belongingTo(checkout: Checkout): Belonging {
  const known = new Map<string, Checkout | undefined>();
  const hashes = new Set([checkout.root, realpathSync(checkout.root)].map(sha256));

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
    isOurs({ belongs }, { cwd, hash }) {
      if (belongs === 'sha256') return hash === '' ? undefined : hashes.has(hash);
      return cwd === '' ? undefined : checkoutAt(cwd) !== undefined;
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
