import { basename, dirname, join, parse, resolve } from 'node:path';
import { lstatSync, readFileSync, realpathSync } from '../looks.ts';
import { isObjectId } from './object-id.ts';

/** The paths of a checkout and its git data; all absolute. */
export interface Checkout {
  /** Top of the worktree. */
  root: string;
  /** The worktree's own git directory. */
  gitDir: string;
  /** The git directory that all worktrees share. */
  commonDir: string;
}

/** Finds the checkout that holds `start`, reading `.git` directly: a git child would cost as much as the whole hook. */
export function locate(start: string): Checkout | undefined {
  const top = parse(resolve(start)).root;
  for (let dir = resolve(start); ; dir = dirname(dir)) {
    const gitDir = gitDirOf(dir);
    if (gitDir !== undefined) {
      // A worktree whose repository is gone belongs to no repository, least of all to one around it.
      const place = { root: dir, gitDir, commonDir: commonDirOf(gitDir) };
      return isThere(join(gitDir, 'HEAD')) && isItsOwn(place) ? place : undefined;
    }
    if (dir === top) return undefined;
  }
}

/** The branch and commit that HEAD names; absent if detached or unborn. */
export function readHead({ gitDir, commonDir }: Checkout): { branch?: string; commit?: string } {
  const head = firstLine(join(gitDir, 'HEAD')) ?? '';
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return isObjectId(head) ? { commit: head } : {};
  const commit = readReference(commonDir, ref);
  const branch = ref.replace(/^refs\/heads\//, '');
  // Repositories with a reftable keep this placeholder in HEAD.
  if (branch === '.invalid') return {};
  return { branch, ...(isObjectId(commit) && { commit }) };
}

/** The content of a reference, as git writes it into a file; undefined if it is unborn, or in a reftable. */
export function readReference(commonDir: string, ref: string): string | undefined {
  const loose = firstLine(join(commonDir, ref));
  if (loose !== undefined) return loose;
  const packed = textOf(join(commonDir, 'packed-refs'))?.split('\n');
  return packed?.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}

/** The repository's object format, as in its `extensions.objectFormat`. */
export function objectFormat(commonDir: string): 'sha1' | 'sha256' {
  // No readable config: git itself assumes SHA-1.
  const config = textOf(join(commonDir, 'config')) ?? '';
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1';
}

/** In linked worktrees and submodules `.git` is a file that names the directory. */
function gitDirOf(dir: string): string | undefined {
  const path = join(dir, '.git');
  if (!isThere(path)) return undefined;
  if (isThere(join(path, 'HEAD'))) return path;
  const target = /^gitdir: (.+)$/.exec(firstLine(path) ?? '')?.[1];
  return target === undefined ? undefined : resolve(dir, target);
}

/**
 * Whether a git directory belongs to this folder, as far as it says. The `.git` file of any folder, such as one that
 * came with a package, may name the git directory of another repository, with somebody's private records in it.
 */
function isItsOwn({ root, gitDir, commonDir }: Checkout): boolean {
  const real = realPath(gitDir);
  const isRoot = (path: string) => realPath(path) === realPath(root);
  if (firstLine(join(gitDir, 'commondir')) !== undefined) {
    const back = firstLine(join(gitDir, 'gitdir'));
    return (
      dirname(real) === join(commonDir, 'worktrees') && back !== undefined && isRoot(dirname(resolve(gitDir, back)))
    );
  }
  if (real === join(realPath(root), '.git')) return true;
  const settings = ['config', 'config.worktree'].map((name) => textOf(join(gitDir, name)) ?? '').join('\n');
  const worktree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(settings)?.[1];
  if (worktree !== undefined) return isRoot(resolve(gitDir, worktree));
  return basename(real) !== '.git';
}

/** Without symbolic links, because worktrees are recognised by this path. */
function commonDirOf(gitDir: string): string {
  const common = firstLine(join(gitDir, 'commondir'));
  // In a linked worktree whose repository is gone it does not exist: opening it reports that.
  return realPath(common === undefined ? gitDir : resolve(gitDir, common));
}

/** A path without symbolic links; unchanged if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A dangling link counts: HEAD may be one that names an unborn branch. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false; // Absent, or in a folder that cannot be entered: not ours either way.
  }
}

function firstLine(path: string): string | undefined {
  return textOf(path)?.split('\n')[0]?.trimEnd();
}

/** The text of one of git's own files; undefined if it is absent, unreadable or a folder. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
