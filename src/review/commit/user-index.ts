import { copyFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { flush } from '../../git/flush.ts';
import { type GitOptions, readGit } from '../../git/objects.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** The user's index with other entries, ready beside it. */
export interface PreparedIndex {
  /** Puts it in place of the user's; not when that one changed meanwhile, or its lock is held. Tells whether it did. */
  replace(): boolean;
  /** Removes what is left of the preparation. */
  drop(): void;
}

/**
 * Adds these files to a copy of the user's index, or takes them out of it. Git itself would hold `index.lock` for as long
 * as it reads, hashes and writes, and a `git add` of the user's in these milliseconds would die; here the lock is held for
 * four system calls. `scratch` is the path of the copy, in the file system of the git directory.
 */
export async function prepareIndex(
  { checkout, env }: Workspace,
  paths: string[],
  how: '--add' | '--force-remove',
  { scratch, options }: { scratch: string; options: GitOptions },
): Promise<PreparedIndex | undefined> {
  const index = join(checkout.gitDir, 'index');
  const lock = `${index}.lock`;
  const drop = () => {
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

/** Removes a lock on the index that a killed git-mem left; without it every git command of the user's would fail. */
export function releaseOwnLock(gitDir: string): void {
  const lock = join(gitDir, 'index.lock');
  const holder = holderOf(lock);
  if (holder !== undefined && !isRunning(holder)) rmSync(lock, { force: true });
}

const MARK = /^git-mem (\d+)\n$/;

/** Does something while this process holds git's lock on the index; false where somebody else holds it. */
function underLock(lock: string, action: () => boolean): boolean {
  try {
    writeFileSync(lock, `git-mem ${process.pid}\n`, { flag: 'wx' });
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
