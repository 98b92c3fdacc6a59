import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './locate.ts';

/** Files that git leaves in a worktree's git directory while an operation is in progress. */
const IN_PROGRESS: [file: string, what: string][] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['sequencer', 'a cherry-pick or revert'],
  ['BISECT_LOG', 'a bisect'],
  // Squash merges and -n leave no head, only the message for the coming commit.
  ['SQUASH_MSG', 'a squash merge'],
  ['MERGE_MSG', 'a merge'],
];

/** The operation in progress in the checkout; undefined if there is none. */
export function operationIn({ gitDir }: Pick<Checkout, 'gitDir'>): string | undefined {
  return IN_PROGRESS.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}
