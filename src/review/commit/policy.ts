import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { type Checkout, realPath } from '../../git/locate.ts';
import { COMMAND_PATIENCE_MS, readGit } from '../../git/objects.ts';
import { log } from '../../memory/store/log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { untrackedFiles } from '../../provenance/untracked.ts';
import { belongsHere, ownNewFiles } from './own-files.ts';

/** Longest that a user's commit waits for its memory, in milliseconds: staging takes some, so this bounds a hang. */
const PATIENCE_MS = 10_000;

/**
 * The pre-commit hook's work under `commit: stage`: adds records of this branch that this clone wrote and git does not
 * track to the commit in the making. Not to one that names its files (`git commit -- PATH`), which has an index of its
 * own and is explicit. Not during merges, rebases and the like. Returns the added paths; never throws, and a failure
 * leaves the commit as it was.
 */
export async function stageMemory(workspace: Workspace, config: Config): Promise<string[]> {
  const { checkout, env, layout } = workspace;
  if (config.commit !== 'stage') return [];
  try {
    const index = indexOfCommit(checkout, env.GIT_INDEX_FILE);
    if (index === undefined || operationIn(checkout) !== undefined) return [];
    const untracked = await untrackedFiles(workspace, { patienceMs: COMMAND_PATIENCE_MS, index });
    const own = await ownNewFiles(workspace, config.privacy.redact, untracked ?? []);
    const isHere = await belongsHere(
      workspace,
      own.map(({ record }) => record),
    );
    const files = own.filter(({ record }) => isHere(record));
    if (files.length === 0) return [];
    const args = ['update-index', '--add', '-z', '--stdin'];
    const input = files.map(({ path }) => `${path}\0`).join('');
    const done = await readGit(checkout.root, args, env, { input, index, patienceMs: PATIENCE_MS, ending: 'SIGTERM' });
    return done === undefined ? [] : files.map(({ path }) => path);
  } catch (error) {
    log(layout.state, `commit: nothing was staged: ${messageOf(error)}`, new Date());
    return [];
  }
}

/**
 * The index of the commit in the making; undefined for one that names its files. `git commit` uses the checkout's own
 * index; -a and -p the one that is about to replace it; `git commit -- PATH` a third.
 */
function indexOfCommit({ root, gitDir }: Checkout, given: string | undefined): string | undefined {
  if (!given) return join(gitDir, 'index');
  const index = resolve(root, given);
  const isOwn = ['index', 'index.lock'].includes(basename(index)) && realPath(dirname(index)) === realPath(gitDir);
  return isOwn ? index : undefined;
}

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
function operationIn({ gitDir }: Pick<Checkout, 'gitDir'>): string | undefined {
  return IN_PROGRESS.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}
