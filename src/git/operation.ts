import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './locate.ts';

/** What git leaves in a worktree's git directory while something is going on. */
const IN_PROGRESS: [file: string, what: string][] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['sequencer', 'a cherry-pick or revert'],
  ['BISECT_LOG', 'a bisect'],
  // Squash merges and -n leave no head, only the message of the commit that is to come.
  ['SQUASH_MSG', 'a squash merge'],
  ['MERGE_MSG', 'a merge'],
];

/** What is going on in the checkout; undefined when nothing is. */
export function operationIn({ gitDir }: Pick<Checkout, 'gitDir'>): string | undefined {
  return IN_PROGRESS.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}
