import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { reviewedBranch } from '../../git/default-branch.ts';
import { gitAtWork } from '../../git/git-processes.ts';
import { type Checkout, readHead } from '../../git/locate.ts';
import { COMMAND_PATIENCE_MS, readGit, runGit } from '../../git/objects.ts';
import { operationIn } from '../../git/operation.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** The position of HEAD. */
export interface Head {
  /** Full name of the branch. */
  ref: string;
  commit: string;
}

/** A message begun longer ago than this was abandoned, in milliseconds; git leaves its file behind. */
const WRITING_MS = 3_600_000;

/** How often to look for running git commands, in milliseconds: a look reads /proc or starts `ps`. */
const LOOK_MS = 100;

/**
 * Waits until no running git command may move HEAD, and none has been seen for `quietMs` milliseconds; false if that is
 * not so yet at `lastMs` of `performance.now()`.
 */
export async function isStill(checkout: Checkout, lastMs: number, quietMs = 0): Promise<boolean> {
  let sinceMs = performance.now();
  for (;;) {
    if (gitAtWork(checkout) !== undefined) sinceMs = performance.now();
    else if (performance.now() - sinceMs >= quietMs) return true;
    if (performance.now() >= lastMs) return false;
    await setTimeout(LOOK_MS);
  }
}

/**
 * Where git-mem's own commit would go, or why there must be none now: an operation is in progress, there is no branch,
 * or the commit would show up elsewhere.
 */
export async function placeForCommit(workspace: Workspace, now: Date): Promise<Head | { reason: string }> {
  const { checkout, env } = workspace;
  if (env.GIT_INDEX_FILE || env.GIT_DIR) return { reason: 'a hook of git is running' };
  if (existsSync(join(checkout.gitDir, 'HEAD.lock'))) return { reason: 'another git process is running' };
  const busy = interruption(checkout, now);
  if (busy !== undefined) return { reason: busy };
  const ask = (...args: string[]) => runGit(checkout.root, args, env, { patienceMs: COMMAND_PATIENCE_MS });
  const ref = await branchOf(workspace);
  if (ref === undefined) return { reason: 'HEAD is detached' };
  const commit = (await ask('rev-parse', '--quiet', '--verify', 'HEAD^{commit}'))?.trim();
  if (!commit) return { reason: 'there is no first commit yet' };
  // A new commit in a submodule is a change in the outer repository.
  if ((await ask('rev-parse', '--show-superproject-working-tree'))?.trim() !== '') {
    return { reason: 'this is a submodule' };
  }
  if ((await ask('ls-files', '--unmerged', '-z')) !== '') return { reason: 'there are conflicts' };
  const tags = (await ask('ls-files', '-t', '-z', '--', '.memory')) ?? '';
  if (/(?:^|\0)S /.test(tags)) return { reason: '.memory is outside the sparse checkout' };
  return { ref, commit };
}

/** What has to end before a commit, judged by a glance into the git directory; undefined if nothing does. */
export function interruption(checkout: Checkout, now: Date): string | undefined {
  const operation = operationIn(checkout);
  if (operation !== undefined) return `${operation} is in progress`;
  if (existsSync(join(checkout.gitDir, 'index.lock'))) return 'the index is locked';
  if (isMessageOpen(checkout.gitDir, now)) return 'a commit message is being written';
  return gitAtWork(checkout);
}

/** The full name of HEAD's branch; undefined if HEAD is detached. */
export async function branchOf({ checkout, env }: Workspace): Promise<string | undefined> {
  // No child if a file is enough: the branch is locked meanwhile, and git waits for that lock only a tenth of a second.
  const { branch } = readHead(checkout);
  if (branch !== undefined && !branch.startsWith('refs/')) return `refs/heads/${branch}`;
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  const ref = (await runGit(checkout.root, args, env, { patienceMs: COMMAND_PATIENCE_MS }))?.trim();
  return ref?.startsWith('refs/heads/') ? ref : undefined;
}

/**
 * Why the tip's author may still amend it: HEAD moved to it less than `afterMs` ago. Commits on the remote's reviewed
 * branch are not amended. `git commit --amend` right after a commit of the memory would fold the user's change into
 * that one.
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
 * A plain `git commit` with its editor open holds no lock, and would fail if HEAD moved meanwhile. While it is open,
 * its message file is newer than HEAD's last move.
 */
function isMessageOpen(gitDir: string, now: Date): boolean {
  const written = modifiedMs(join(gitDir, 'COMMIT_EDITMSG'));
  const moved = modifiedMs(join(gitDir, 'logs', 'HEAD')) ?? 0;
  return written !== undefined && written > moved && now.getTime() - written < WRITING_MS;
}

function modifiedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
