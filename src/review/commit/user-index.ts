import { copyFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { flush } from '../../git/flush.ts';
import { gitAtWork } from '../../git/git-processes.ts';
import { guardLock } from '../../git/lock-guard.ts';
import { type GitOptions, readGit } from '../../git/objects.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isStill } from './standstill.ts';

/** A modified copy of the user's index, ready beside it. */
export interface PreparedIndex {
  /** Replaces the user's index, unless that changed meanwhile or its lock is held. Tells whether it did. */
  replace(): boolean;
  /** Removes the leftovers of the preparation. */
  drop(): void;
}

/** Signing may ask for a passphrase, and an index may be large; without an answer there is no commit. */
export const WRITING: GitOptions = { patienceMs: 60_000, ending: 'SIGTERM' };

/** How long files to be unstaged wait for the user's git command, in milliseconds; staying staged does no harm. */
const WAIT_MS = 60_000;

/** A command that follows right upon another, as in a script, would find the index locked; in milliseconds. */
const QUIET_MS = 1000;

/** How often to try; a program other than git may hold the lock for good. */
const MOST_TRIES = 5;

/**
 * Adds these files to a copy of the user's index, or removes them from it. Git itself would hold `index.lock` while it
 * reads, hashes and writes, and a user's `git add` in these milliseconds would fail; here the lock is held for four
 * system calls. `scratch` is the path of the copy, in the file system of the git directory.
 */
export async function prepareIndex(
  { checkout, env }: Workspace,
  paths: string[],
  how: '--add' | '--force-remove',
  scratch: string,
): Promise<PreparedIndex | undefined> {
  const index = join(checkout.gitDir, 'index');
  const lock = `${index}.lock`;
  const endGuard = guardLock(lock, OWN_MARK, env);
  const drop = () => {
    endGuard();
    rmSync(scratch, { force: true });
    rmSync(`${scratch}.lock`, { force: true });
  };
  const seen = stateOf(index);
  if (seen !== undefined) {
    copyFileSync(index, scratch);
    // Git treats files as young as the index as possibly changed. In a copy with a newer time they would pass as
    // unchanged; in one up to a second older, a few more files are compared by content.
    const seconds = Math.floor(Number(seen.mtimeNs / 1_000_000_000n));
    utimesSync(scratch, seconds, seconds);
  }
  const input = paths.map((path) => `${path}\0`).join('');
  const args = ['update-index', how, '-z', '--stdin'];
  if ((await readGit(checkout.root, args, env, { ...WRITING, index: scratch, input })) === undefined) {
    drop();
    return undefined;
  }
  // Some file systems flush a file when it replaces another; they would do so under the lock.
  flush(scratch);
  return { replace: () => underLock(lock, () => replaced(scratch, index, seen)), drop };
}

/**
 * Unstages files that were added to the user's index, unless HEAD has them. A user's commit that read the index in
 * between may include them: until it ends that is unknown, and files that stay staged do no harm.
 */
export async function takeBack(workspace: Workspace, paths: string[], scratch: string): Promise<void> {
  const { checkout, env } = workspace;
  const lastMs = performance.now() + WAIT_MS;
  const args = ['ls-tree', '-r', '-z', '--name-only', 'HEAD', '.memory'];
  for (let tries = 0; tries < MOST_TRIES && (await isStill(checkout, lastMs, QUIET_MS)); tries++) {
    const committed = new Set((await readGit(checkout.root, args, env, WRITING))?.toString('utf8').split('\0'));
    const left = paths.filter((path) => !committed.has(path));
    const index = await prepareIndex(workspace, left, '--force-remove', scratch);
    // A command that started while git prepared the copy goes first.
    const isDone = gitAtWork(checkout) === undefined && index?.replace();
    index?.drop();
    if (isDone) return;
  }
}

/**
 * Removes an index lock left by a git-mem that died, for example in a power cut; it would make every git command fail.
 */
export function releaseOwnLock(gitDir: string): void {
  const lock = join(gitDir, 'index.lock');
  const holder = holderOf(lock);
  if (holder !== undefined && !isRunning(holder)) rmSync(lock, { force: true });
}

const MARK = /^git-mem (\d+)\n$/;
const OWN_MARK = `git-mem ${process.pid}`;

/** Runs an action while this process holds git's lock on the index; false if another process holds it. */
function underLock(lock: string, action: () => boolean): boolean {
  try {
    writeFileSync(lock, `${OWN_MARK}\n`, { flag: 'wx' });
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    return action();
  } finally {
    rmSync(lock, { force: true });
  }
}

function replaced(scratch: string, index: string, seen: State | undefined): boolean {
  const state = stateOf(index);
  if (state?.ino !== seen?.ino || state?.mtimeNs !== seen?.mtimeNs || state?.size !== seen?.size) return false;
  renameSync(scratch, index);
  return true;
}

interface State {
  ino: bigint;
  mtimeNs: bigint;
  size: bigint;
}

function stateOf(path: string): State | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function holderOf(lock: string): number | undefined {
  try {
    const pid = MARK.exec(readFileSync(lock, 'utf8'))?.[1];
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined; // Nobody holds it, or git does.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isSystemError(error, 'ESRCH');
  }
}
