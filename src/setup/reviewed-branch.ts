import { join } from 'node:path';
import { GitMemError } from '../errors.ts';
import { type ReviewedBranch, reviewedBranch, SETTLED } from '../git/default-branch.ts';
import { readHead } from '../git/locate.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type Check, ok, type Patient, warn } from './check.ts';

/** Stores in the user's state which branch counts as reviewed. Throws bad-input for a branch that does not exist. */
export function settleReviewed(workspace: Workspace, name: string): ReviewedBranch {
  const env = { ...workspace.env, GIT_MEM_TRUST_BRANCH: name };
  // Before the first commit the branch is only a name.
  const head = readHead(workspace.checkout);
  const isUnborn = head.branch === name && head.commit === undefined;
  if (!isUnborn && reviewedBranch({ ...workspace, env }).ref === undefined) {
    throw new GitMemError('bad-input', `There is no branch "${name}" that could be the reviewed one.`, {
      hint: 'Give one that `git branch --all` lists: of origin, or of upstream where there is one.',
    });
  }
  replaceFile(join(workspace.layout.state, SETTLED), `${name}\n`);
  return reviewedBranch(workspace);
}

/** The branch to offer where there is no remote; undefined if it is settled already, or if only the remote can tell. */
export function offeredBranch(workspace: Workspace): string | undefined {
  const { by, isShared } = reviewedBranch(workspace);
  return by === 'nobody' && !isShared ? readHead(workspace.checkout).branch : undefined;
}

/** Checks which branch counts as reviewed, and who decided that. */
export function checkReviewed({ workspace }: Patient): Check {
  const { ref, by, remote, command } = reviewedBranch(workspace);
  const fork = remote === 'upstream' ? ' This is the clone of a fork: only what upstream has counts.' : '';
  if (ref === undefined && by !== 'nobody' && readHead(workspace.checkout).commit === undefined) {
    return ok('reviewed', 'Nothing yet: there is no commit.');
  }
  if (ref === undefined) {
    const next = offeredBranch(workspace) === undefined ? command : 'Run `git mem init`.';
    return warn('reviewed', `No branch counts as reviewed, so only what this clone wrote is injected.${fork}`, next);
  }
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  const source = {
    environment: 'as GIT_MEM_TRUST_BRANCH says',
    user: 'as `git mem init` noted',
    forge: 'as the code host says',
    remote: `the default branch of ${remote}`,
    nobody: '',
  }[by];
  return ok('reviewed', `${name}, ${source}.${fork}`);
}
