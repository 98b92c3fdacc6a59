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
 * track to the commit in the making. Not during merges, rebases and the like. Returns the added paths; never throws, and a
 * failure leaves the commit as it was.
 */
export async function stageMemory(workspace: Workspace, config: Config): Promise<string[]> {
  const { checkout, env, layout } = workspace;
  if (config.commit !== 'stage') return [];
  try {
    const indexes = indexesOfCommit(checkout, env.GIT_INDEX_FILE);
    const [index] = indexes;
    if (index === undefined || operationIn(checkout) !== undefined) return [];
    const untracked = await untrackedFiles(workspace, {
      patienceMs: COMMAND_PATIENCE_MS,
      variables: { GIT_INDEX_FILE: index },
    });
    const own = await ownNewFiles(workspace, config.privacy.redact, untracked ?? []);
    const isHere = await belongsHere(
      workspace,
      own.map(({ record }) => record),
    );
    const files = own.filter(({ record }) => isHere(record));
    if (files.length === 0) return [];
    const args = ['update-index', '--add', '-z', '--stdin'];
    const input = files.map(({ path }) => `${path}\0`).join('');
    for (const one of indexes) {
      const given = { input, variables: { GIT_INDEX_FILE: one }, patienceMs: PATIENCE_MS, ending: 'SIGTERM' } as const;
      if ((await readGit(checkout.root, args, env, given)) === undefined) return [];
    }
    return files.map(({ path }) => path);
  } catch (error) {
    log(layout.state, `commit: nothing was staged: ${messageOf(error)}`, new Date());
    return [];
  }
}

/**
 * The indexes that a file has to be in to be in the commit in the making and stay in the checkout; none where git does not
 * say which. `git commit` uses the checkout's own index; -a and -p the one that is about to replace it; `git commit -- PATH`
 * a third beside that one. First the one that remains: a file that is in it alone joins the next commit.
 * Source: git's builtin/commit.c, `prepare_index`.
 */
function indexesOfCommit({ root, gitDir }: Checkout, given: string | undefined): string[] {
  if (!given) return [join(gitDir, 'index')];
  const index = resolve(root, given);
  if (realPath(dirname(index)) !== realPath(gitDir)) return [];
  if (['index', 'index.lock'].includes(basename(index))) return [index];
  const next = join(gitDir, 'index.lock');
  return /^next-index-\d+\.lock$/.test(basename(index)) && existsSync(next) ? [next, index] : [];
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
