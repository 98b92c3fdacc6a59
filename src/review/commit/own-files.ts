import { createCleaner } from '../../capture/drain/clean.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import { readHead, readReference } from '../../git/locate.ts';
import { isObjectId } from '../../git/object-id.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../memory/size.ts';
import { readable } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { notIn } from '../../provenance/recorded-walk.ts';
import { withTrust } from '../../provenance/trust.ts';
import { untrackedFiles } from '../../provenance/untracked.ts';

/** A record's file that git does not track yet. */
export interface OwnFile {
  /** Relative to the top of the checkout. */
  path: string;
  blob: string;
  record: MemoryRecord;
}

/**
 * The records that git-mem may commit by itself: not in the index (what somebody staged is theirs to commit), not
 * ignored, as this clone or a person in it wrote them, readable, and free of secrets by the current rules. `patterns` are
 * the team's `privacy.redact`, `untracked` the files to look at.
 */
export async function ownNewFiles(
  workspace: Workspace,
  patterns: string[],
  untracked?: readonly string[],
): Promise<OwnFile[]> {
  const { stores } = workspace;
  const listed = new Set(untracked ?? (await untrackedFiles(workspace)));
  if (listed.size === 0) return [];
  const entries = stores.team.newest('observation', 'summary', 'mark');
  // A file that does not parse or cannot be read is not committed; `git mem check` reports it.
  const read = [...entries].flatMap((entry) =>
    listed.has(`.memory/${entry.path}`) ? (readable(stores.team, entry) ?? []) : [],
  );
  const judged = await withTrust(read, workspace, { signatures: false });
  const cleaner = createCleaner(patterns, MAX_SCANNED_TEXT);
  const files: OwnFile[] = [];
  for (const { entry, record, blob, text, trust } of judged) {
    if (trust === 'own' && (await cleaner.text(text)) === text)
      files.push({ path: `.memory/${entry.path}`, blob, record });
  }
  return files;
}

/**
 * Tells which records belong into a commit on the branch that is checked out: those captured on it and, unless it is the
 * reviewed branch, those of a commit in its history that were captured on the reviewed branch, on a branch whose commits
 * this one contains, or on one that is no more. Asks git only about records of other branches.
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
  // What was quoted from a commit, or captured on none, belongs wherever that commit is.
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

/** How many of the records in these untracked files belong to another branch than the one checked out. */
export async function countElsewhere(workspace: Workspace, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const own = (await ownNewFiles(workspace, [], files)).map(({ record }) => record);
  const isHere = await belongsHere(workspace, own);
  return own.filter((record) => !isHere(record)).length;
}
