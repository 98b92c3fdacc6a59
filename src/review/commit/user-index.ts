import { copyFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { flush } from '../../git/flush.ts';
import { gitAtWork } from '../../git/git-processes.ts';
import { guardLock } from '../../git/lock-guard.ts';
import { type GitOptions, readGit } from '../../git/objects.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isStill } from './standstill.ts';

/** The user's index with other entries, ready beside it. */
export interface PreparedIndex {
  /** Puts it in place of the user's; not when that one changed meanwhile, or its lock is held. Tells whether it did. */
  replace(): boolean;
  /** Removes what is left of the preparation. */
  drop(): void;
}

/** How an index is prepared. */
interface Preparation {
  /** Path of the copy, in the file system of the git directory. */
  scratch: string;
  options: GitOptions;
}

/** How long files that have to go wait for a git command of the user's, in milliseconds. */
const WAIT_MS = 60_000;

/** How often that is tried; another program than git may hold the lock for good. */
const MOST_TRIES = 5;

/**
 * Adds these files to a copy of the user's index, or takes them out of it. Git itself would hold `index.lock` for as long
 * as it reads, hashes and writes, and a `git add` of the user's in these milliseconds would die; here the lock is held for
 * four system calls.
 */
export async function prepareIndex(
  { checkout, env }: Workspace,
  paths: string[],
  how: '--add' | '--force-remove',
  { scratch, options }: Preparation,
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
    // Git takes files that are as young as the index for possibly changed. In a copy that looks younger they would pass
    // for unchanged; in one that looks up to a second older, a few more are compared by content.
    const seconds = Math.floor(Number(seen.mtimeNs / 1_000_000_000n));
    utimesSync(scratch, seconds, seconds);
  }
  const input = paths.map((path) => `${path}\0`).join('');
  const args = ['update-index', how, '-z', '--stdin'];
  if ((await readGit(checkout.root, args, env, { ...options, index: scratch, input })) === undefined) {
    drop();
    return undefined;
  }
  // A file system that writes a file out when it replaces another would do that under the lock.
  flush(scratch);
  return { replace: () => underLock(lock, () => replaced(scratch, index, seen)), drop };
}

/**
 * Takes files that were added out of the user's index again, where HEAD does not have them. A commit of the user's that
 * read the index in between may take them along: until it has ended nobody knows, and files that stay staged do no harm.
 */
export async function takeBack(workspace: Workspace, paths: string[], how: Preparation): Promise<void> {
  const { checkout, env } = workspace;
  const lastMs = performance.now() + WAIT_MS;
  const args = ['ls-tree', '-r', '-z', '--name-only', 'HEAD', '.memory'];
  for (let tries = 0; tries < MOST_TRIES && (await isStill(checkout, lastMs)); tries++) {
    const committed = new Set((await readGit(checkout.root, args, env, how.options))?.toString('utf8').split('\0'));
    const left = paths.filter((path) => !committed.has(path));
    const index = await prepareIndex(workspace, left, '--force-remove', how);
    // What began while git prepared it goes first.
    const isDone = gitAtWork(checkout) === undefined && index?.replace();
    index?.drop();
    if (isDone) return;
  }
}

/** Removes a lock on the index that outlived a git-mem, as a power cut leaves it; every git command of the user's would fail. */
export function releaseOwnLock(gitDir: string): void {
  const lock = join(gitDir, 'index.lock');
  const holder = holderOf(lock);
  if (holder !== undefined && !isRunning(holder)) rmSync(lock, { force: true });
}

const MARK = /^git-mem (\d+)\n$/;
const OWN_MARK = `git-mem ${process.pid}`;

/** Does something while this process holds git's lock on the index; false where somebody else holds it. */
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
