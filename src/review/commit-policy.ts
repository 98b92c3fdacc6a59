import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createCleaner } from '../capture/drain/clean.ts';
import type { Config } from '../config.ts';
import { messageOf } from '../errors.ts';
import { reviewedBranch } from '../git/default-branch.ts';
import { type Checkout, readHead, readReference, realPath } from '../git/locate.ts';
import { isObjectId } from '../git/object-id.ts';
import { COMMAND_PATIENCE_MS, readGit } from '../git/objects.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../memory/size.ts';
import { log } from '../memory/store/log.ts';
import { readable } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { notIn } from '../provenance/recorded-walk.ts';
import { activeRedactions } from '../provenance/redactions.ts';
import { withTrust } from '../provenance/trust.ts';
import { untrackedFiles } from '../provenance/untracked.ts';

/** Longest that a user's commit waits for its memory, in milliseconds: staging takes a few, so this only bounds a hang. */
const PATIENCE_MS = 10_000;

/**
 * The pre-commit hook's work under `commit: stage`: adds this clone's new records of this branch, except during merges,
 * rebases and the like. Returns the added paths; never throws, and a failure leaves the commit as it was.
 */
export async function stageMemory(workspace: Workspace, config: Config): Promise<string[]> {
  const { checkout, env, layout } = workspace;
  if (config.commit !== 'stage') return [];
  try {
    const indexes = indexesOfCommit(checkout, env.GIT_INDEX_FILE);
    const [index] = indexes;
    if (index === undefined || IN_PROGRESS.some((file) => existsSync(join(checkout.gitDir, file)))) return [];
    const untracked = await untrackedFiles(workspace, {
      patienceMs: COMMAND_PATIENCE_MS,
      variables: { GIT_INDEX_FILE: index },
    });
    const own = await ownNewFiles(workspace, config.privacy.redact, untracked ?? []);
    const records = own.map(({ record }) => record);
    const isHere = await belongsHere(workspace, records);
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
 * The indexes that must have a file for it to be in the commit in the making and stay in the checkout; none if git does not
 * say which. `git commit` uses the checkout's own index; -a and -p the one that is about to replace it; `git commit -- PATH`
 * a third one beside that. The one that remains comes first: a file that only it has joins the next commit.
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
const IN_PROGRESS = [
  ...['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer', 'BISECT_LOG'],
  // Squash merges and -n leave no head, only the message for the coming commit.
  ...['SQUASH_MSG', 'MERGE_MSG'],
];

/**
 * The records that git-mem may commit by itself: not in the index (what somebody staged is theirs to commit), not ignored,
 * written in this clone, readable, neither redacted nor repeating a redacted passage, and free of secrets by the current
 * rules and `patterns`, the team's `privacy.redact`.
 */
export async function ownNewFiles(workspace: Workspace, patterns: string[], untracked: readonly string[]) {
  const { stores } = workspace;
  const listed = new Set(untracked);
  if (listed.size === 0) return [];
  const entries = stores.team.newest('observation', 'summary', 'mark');
  // A file that does not parse or cannot be read is not committed; `git mem check` reports it.
  const read = [...entries].flatMap((entry) =>
    listed.has(`.memory/${entry.path}`) ? (readable(stores.team, entry) ?? []) : [],
  );
  const judged = await withTrust(read, workspace, { signatures: false });
  const cleaner = createCleaner(patterns, MAX_SCANNED_TEXT);
  const redactions = await activeRedactions(workspace);
  const files: { path: string; record: MemoryRecord }[] = [];
  for (const { entry, record, text, trust } of judged) {
    if (redactions.ids.has(record.id) || redactions.repeats(record)) continue;
    if (trust === 'own' && (await cleaner.text(text)) === text) files.push({ path: `.memory/${entry.path}`, record });
  }
  return files;
}

/**
 * Tells which records belong in a commit on the checked-out branch: those captured on it and, unless it is the reviewed
 * branch, those of a commit in its history that were captured on the reviewed branch, on a branch whose commits this one
 * contains, or on one that no longer exists. Asks git only about records of other branches.
 */
export async function belongsHere(
  workspace: Workspace,
  records: readonly MemoryRecord[],
): Promise<(record: MemoryRecord) => boolean> {
  const { checkout } = workspace;
  const { branch: current } = readHead(checkout);
  const reviewed = reviewedBranch(workspace).ref;
  const isReviewed = (branch = '') => reviewed?.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '') === branch;
  const isCurrent = ({ branch, commit }: MemoryRecord) =>
    branch === undefined ? commit === undefined : branch === current;
  // What was quoted from a commit, or captured on no branch, belongs wherever that commit is.
  const mayJoin = ({ branch }: MemoryRecord) => branch === undefined || !isReviewed(current);
  const others = records.filter((record) => !isCurrent(record) && mayJoin(record));
  const commits = new Set(others.flatMap(({ commit }) => (isObjectId(commit) ? [commit] : [])));
  if (commits.size === 0) return isCurrent;
  const [notHere = commits, notReviewed] = await Promise.all([
    notIn(workspace, 'HEAD', commits),
    reviewed === undefined ? undefined : notIn(workspace, reviewed, commits),
  ]);
  const isThere = (branch: string) => readReference(checkout.commonDir, `refs/heads/${branch}`) !== undefined;
  return (record) => {
    if (isCurrent(record)) return true;
    const { branch, commit } = record;
    if (!mayJoin(record) || commit === undefined || !commits.has(commit) || notHere.has(commit)) return false;
    return branch === undefined || isReviewed(branch) || notReviewed?.has(commit) === true || !isThere(branch);
  };
}

/** How many of the records in these untracked files belong to a branch other than the one checked out. */
export async function countElsewhere(workspace: Workspace, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const own = (await ownNewFiles(workspace, [], files)).map(({ record }) => record);
  const isHere = await belongsHere(workspace, own);
  return own.filter((record) => !isHere(record)).length;
}
