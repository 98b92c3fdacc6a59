import { GitMemError } from '../errors.ts';
import { defaultBranches } from '../git/default-branch.ts';
import { commitNamed, runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** The two states that are compared. */
export interface Range {
  /** A commit; undefined if there is nothing before, as in a repository without commits. */
  base: string | undefined;
  /** A commit; undefined for the working tree. */
  head: string | undefined;
}

/**
 * Parses a range as git does: `A...B` from their merge base to B, `A..B` from A to B, `A` from where HEAD branched off
 * it to the working tree, and without any the same for the default branch. An empty side means HEAD. Throws
 * no-such-revision.
 */
export async function rangeOf(workspace: Workspace, text?: string): Promise<Range> {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,3})(.*)$/s.exec(text ?? '') ?? [];
  if (dots === undefined) return { base: await startOf(workspace, text), head: undefined };
  const [base, head] = await Promise.all([commitOf(workspace, from || 'HEAD'), commitOf(workspace, to || 'HEAD')]);
  return { base: dots === '..' ? base : await mergeBase(workspace, base, head), head };
}

/** Where HEAD branched off a revision, or off the default branch; undefined in a repository without commits. */
export async function startOf(workspace: Workspace, revision?: string): Promise<string | undefined> {
  const head = await headCommit(workspace);
  if (revision !== undefined) {
    const base = await commitOf(workspace, revision);
    return head === undefined ? base : mergeBase(workspace, base, head);
  }
  const [branch] = defaultBranches(workspace);
  const base = branch === undefined ? undefined : await commitNamed(workspace.checkout.root, branch, workspace.env);
  if (head === undefined || base === undefined) return head;
  return mergeBase(workspace, base, head);
}

/** The commit that is checked out; undefined before the first one. */
export function headCommit({ checkout, env }: Workspace): Promise<string | undefined> {
  return commitNamed(checkout.root, 'HEAD', env);
}

async function commitOf({ checkout, env }: Workspace, revision: string): Promise<string> {
  const commit = await commitNamed(checkout.root, revision, env);
  if (commit !== undefined) return commit;
  throw new GitMemError('no-such-revision', `"${revision}" names no commit.`, {
    hint: 'Give a branch, a tag, a commit, or two of them as in main...HEAD.',
  });
}

async function mergeBase({ checkout, env }: Workspace, a: string, b: string): Promise<string> {
  const commit = (await runGit(checkout.root, ['merge-base', a, b], env))?.trim();
  if (commit) return commit;
  throw new GitMemError('no-such-revision', `${a.slice(0, 12)} and ${b.slice(0, 12)} have no commit in common.`, {
    hint: 'In a shallow clone fetch the rest of the history: `git fetch --unshallow`.',
  });
}
