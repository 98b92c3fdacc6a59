import { reviewedBranch } from '../../git/default-branch.ts';
import { treeFiles } from '../../git/objects.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/**
 * Warnings for people before they rely on injected text: nothing counts as reviewed, or the branch lacks all reviewed
 * records. `unreviewed` is how many records are left out. Asks git only if the checkout has no record.
 */
export async function noticesOf(workspace: Workspace, unreviewed: number): Promise<string[]> {
  const { checkout, env, stores, at, linked } = workspace;
  if (at !== undefined || linked) return [];
  const { ref, remote, command } = reviewedBranch(workspace);
  if (ref === undefined) {
    const fork = remote === 'upstream' ? ' (the clone of a fork)' : '';
    return unreviewed === 0
      ? []
      : [`No branch counts as reviewed here${fork}; a person can settle it: \`${command}\`.`];
  }
  const { team } = stores;
  const hasAny = (kind: 'observation' | 'summary') => team.newest(kind).next().done !== true;
  if (hasAny('observation') || hasAny('summary')) return [];
  const folders = ['.memory/observations', '.memory/summaries'];
  const trees = await Promise.all(folders.map((folder) => treeFiles(checkout.root, ref, folder, env)));
  const count = trees.reduce((sum, tree) => sum + (tree?.length ?? 0), 0);
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return count === 0 ? [] : [`This checkout lacks all ${count} records of ${name}.`];
}
