import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { reviewedBranch } from '../../git/default-branch.ts';
import { gitAtWork } from '../../git/git-processes.ts';
import { type Checkout, readHead } from '../../git/locate.ts';
import { COMMAND_PATIENCE_MS, readGit, runGit } from '../../git/objects.ts';
import { operationIn } from '../../git/operation.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** Where HEAD is. */
export interface Head {
  /** Full name of the branch. */
  ref: string;
  commit: string;
}

/** A message that was begun longer ago than this was given up, in milliseconds. */
const WRITING_MS = 3_600_000;

/** How often running git commands are looked for, in milliseconds. */
const LOOK_MS = 100;

/** Waits until no git command runs that may move HEAD; false when one still does at this instant of `performance.now()`. */
export async function isStill(checkout: Checkout, lastMs: number): Promise<boolean> {
  while (gitAtWork(checkout) !== undefined) {
    if (performance.now() >= lastMs) return false;
    await setTimeout(LOOK_MS);
  }
  return true;
}

/**
 * Where a commit of git-mem's own would go, or why there must be none now: somebody is in the middle of something, there
 * is no branch to put it on, or it would be seen elsewhere.
 */
export async function placeForCommit(workspace: Workspace, now: Date): Promise<Head | { reason: string }> {
  const { checkout, env } = workspace;
  if (env.GIT_INDEX_FILE || env.GIT_DIR) return { reason: 'a hook of git is running' };
  if (existsSync(join(checkout.gitDir, 'HEAD.lock'))) return { reason: 'another git process is at work' };
  const busy = interruption(checkout, now);
  if (busy !== undefined) return { reason: busy };
  const ask = (...args: string[]) => runGit(checkout.root, args, env, { patienceMs: COMMAND_PATIENCE_MS });
  const ref = await branchOf(workspace);
  if (ref === undefined) return { reason: 'HEAD is detached' };
  const commit = (await ask('rev-parse', '--quiet', '--verify', 'HEAD^{commit}'))?.trim();
  if (!commit) return { reason: 'there is no first commit yet' };
  // A new commit in a submodule is a change in the repository around it.
  if ((await ask('rev-parse', '--show-superproject-working-tree'))?.trim() !== '') {
    return { reason: 'this is a submodule' };
  }
  if ((await ask('ls-files', '--unmerged', '-z')) !== '') return { reason: 'there are conflicts' };
  const tags = (await ask('ls-files', '-t', '-z', '--', '.memory')) ?? '';
  if (/(?:^|\0)S /.test(tags)) return { reason: '.memory is outside the sparse checkout' };
  return { ref, commit };
}

/** What has to end before a commit, as far as a glance into the git directory tells; undefined when nothing has to. */
export function interruption(checkout: Checkout, now: Date): string | undefined {
  const operation = operationIn(checkout);
  if (operation !== undefined) return `${operation} is in progress`;
  if (existsSync(join(checkout.gitDir, 'index.lock'))) return 'the index is locked';
  if (isMessageOpen(checkout.gitDir, now)) return 'a commit message is being written';
  return gitAtWork(checkout);
}

/** The full name of the branch that HEAD names; undefined where it is detached. */
export async function branchOf({ checkout, env }: Workspace): Promise<string | undefined> {
  // No child where a file tells: the branch is locked meanwhile, and git waits for that lock a tenth of a second only.
  const { branch } = readHead(checkout);
  if (branch !== undefined && !branch.startsWith('refs/')) return `refs/heads/${branch}`;
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  const ref = (await runGit(checkout.root, args, env, { patienceMs: COMMAND_PATIENCE_MS }))?.trim();
  return ref?.startsWith('refs/heads/') ? ref : undefined;
}

/**
 * Why the tip may still be amended by whom it is from: HEAD moved to it less than `afterMs` ago. What is on the remote's
 * reviewed branch nobody amends. `git commit --amend` right after a commit of the memory would fold the user's change
 * into that one.
 */
export async function unsettled(
  { checkout, layout, env }: Workspace,
  { commit }: Head,
  { now, afterMs }: { now: Date; afterMs: number },
): Promise<string | undefined> {
  if (afterMs === 0) return undefined;
  const { root, gitDir } = checkout;
  const ask = (...args: string[]) => readGit(root, args, env, { patienceMs: COMMAND_PATIENCE_MS });
  const movedMs =
    modifiedMs(join(gitDir, 'logs', 'HEAD')) ?? Number(await ask('log', '-1', '--format=%ct', commit)) * 1000;
  if (now.getTime() - movedMs >= afterMs) return undefined;
  const { ref } = reviewedBranch({ checkout, layout, env });
  const isReviewed =
    ref?.startsWith('refs/remotes/') && (await ask('merge-base', '--is-ancestor', commit, ref)) !== undefined;
  return isReviewed ? undefined : 'HEAD moved a short while ago, and its commit may still be amended';
}

/**
 * An as-is `git commit` with its editor open holds no lock, and would fail for a HEAD that moved meanwhile. Its message
 * is newer than the last movement of HEAD then.
 */
function isMessageOpen(gitDir: string, now: Date): boolean {
  const written = modifiedMs(join(gitDir, 'COMMIT_EDITMSG'));
  const moved = modifiedMs(join(gitDir, 'logs', 'HEAD')) ?? 0;
  return written !== undefined && written > moved && now.getTime() - written < WRITING_MS;
}

function modifiedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
