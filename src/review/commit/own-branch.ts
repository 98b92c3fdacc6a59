import { reviewedBranch } from '../../git/default-branch.ts';
import { readHead, readReference } from '../../git/locate.ts';
import { isObjectId } from '../../git/object-id.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { notIn } from '../../provenance/recorded-walk.ts';

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
  const others = isReviewed(current) ? [] : records.filter((record) => !isCurrent(record));
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
    if (isReviewed(current) || commit === undefined || !commits.has(commit) || notHere.has(commit)) return false;
    return branch === undefined || isReviewed(branch) || notReviewed?.has(commit) === true || !isThere(branch);
  };
}
