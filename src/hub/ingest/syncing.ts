import { setImmediate } from 'node:timers/promises';
import { GitMemError } from '../../errors.ts';
import type { Environment } from '../../user-folders.ts';

/** What every step of a sync is given. */
export interface Syncing {
  env: Environment;
  /** Ends it: the time of one sync is over, or the process is asked to end. What was not committed is done again. */
  signal: AbortSignal;
}

/** Lets the process hear signals and answer others between two steps of long work; throws where the sync has to end. */
export async function breathe({ signal }: Pick<Syncing, 'signal'>): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** How the problem of a repository beyond the limits begins. */
export const NOT_INDEXED = 'The repository is not indexed:';

/** The error for a repository beyond the limits. */
export function tooLarge(what: string): GitMemError {
  return new GitMemError('too-large', `${NOT_INDEXED} ${what}.`, {
    hint: '"limits" in hub.yaml; the state before is still served.',
  });
}
