import { chmodSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { GitMemError, isSystemError, messageOf } from '../errors.ts';
import { lstatSync, readFileSync, realpathSync, statSync } from '../looks.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import { createFolder } from '../memory/store/create-folder.ts';

/** Where `init` writes: a checkout, and the state folder that keeps the earlier contents. */
export interface Place {
  /** Top of the worktree. */
  root: string;
  state: string;
}

/** The bytes of a file in the checkout; undefined if there is none. Throws cannot-write for a link that leads out. */
export function readBytes(root: string, path: string): Buffer | undefined {
  return attempt(path, 'read', () => {
    const target = targetOf(root, path);
    return lookAt(target) && readFileSync(target);
  });
}

/** The text of a file in the checkout, read in the same way. */
export function readText(root: string, path: string): string | undefined {
  return readBytes(root, path)?.toString('utf8');
}

/** Throws cannot-write if a parent folder of a file is itself a file. */
export function requireFolder(root: string, path: string): void {
  for (const [i] of path.split('/').slice(1).entries()) {
    const folder = path.split('/', i + 1).join('/');
    const found = lookAt(join(root, folder));
    if (found === undefined) return;
    if (found.isDirectory()) continue;
    throw new GitMemError('cannot-write', `${path} cannot be written: ${folder} is a file.`, {
      hint: 'Make it a folder, or leave that agent out with --host. Nothing was written.',
    });
  }
}

/** The file or folder at a path, through links; also undefined if a part of the path is not a folder. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Writes a file of the checkout as its user would: through links inside the checkout, keeping its mode. */
export function writeBytes(root: string, path: string, bytes: Uint8Array, executable: boolean): void {
  attempt(path, 'written', () => {
    const target = targetOf(root, path);
    createFolder(dirname(target));
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    replaceFile(target, bytes, executable ? 0o777 : 0o666);
    // A new file follows the umask; an existing one keeps its mode.
    if (mode !== undefined) chmodSync(target, (mode & 0o777) | (executable ? 0o111 : 0));
  });
}

export function deleteFile(root: string, path: string): void {
  attempt(path, 'removed', () => unlinkSync(join(root, path)));
}

export function deleteIfEmpty(root: string, folder: string): void {
  try {
    rmdirSync(join(root, folder));
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR')) throw error;
  }
}

/** The real file behind a path: following a link out of the checkout could write to somebody's home. */
function targetOf(root: string, path: string): string {
  const top = realpathSync(root);
  const parts = path.split('/');
  let at = top;
  for (const [i, part] of parts.entries()) {
    const next = join(at, part);
    // A file in place of a folder contains nothing.
    if (lookAt(at)?.isFile()) return join(at, ...parts.slice(i));
    if (lstatSync(next, { throwIfNoEntry: false }) === undefined) return join(at, ...parts.slice(i));
    at = realpathSync(next);
    const inside = relative(top, at);
    if (inside === '..' || inside.startsWith(`..${sep}`) || inside === at) {
      throw new GitMemError('cannot-write', `${path} leads out of the checkout, to ${at}.`, {
        hint: 'Replace the link by a file or folder of this repository. Nothing was written through it.',
      });
    }
  }
  return at;
}

/** Runs work on a file; system errors become cannot-write. */
export function attempt<T>(path: string, verb: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof GitMemError) throw error;
    throw new GitMemError('cannot-write', `${path} cannot be ${verb}: ${messageOf(error)}.`, {
      hint: 'See who owns it and whether the disk is full, then run the command again.',
      cause: error,
    });
  }
}
