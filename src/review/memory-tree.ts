import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { GitMemError, isSystemError } from '../errors.ts';
import { defaultBranches } from '../git/default-branch.ts';
import { askGit, COMMAND_PATIENCE_MS, commitNamed, readBlobs, runGit } from '../git/objects.ts';
import { blobId } from '../memory/id.ts';
import { MAX_RECORD_BYTES } from '../memory/size.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** A file of `.memory/`, in the checkout, a commit or the index. */
export interface MemoryFile {
  /** Relative to the top of the repository, with forward slashes. */
  path: string;
  kind: 'file' | 'program' | 'link' | 'other' | 'unmerged';
  blob: string;
  /** Undefined if it is not a regular file, is missing, or is too large to read. */
  bytes: Buffer | undefined;
}

/** The files of `.memory/` by their paths. */
export type MemoryTree = Map<string, MemoryFile>;

/** The folder of the team's store. */
export const MEMORY = '.memory';

export interface TreeOptions {
  /** If false, the files are listed but not read: they can be compared by their blobs. */
  isRead?: boolean;
}

/** The files in the checkout, committed or not. */
export function worktreeTree({ checkout, format }: Workspace): MemoryTree {
  const found: { path: string; stat: Stats }[] = [];
  const visit = (path: string) => {
    const full = join(checkout.root, path);
    const stat = lstatSync(full, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of namesIn(full)) visit(`${path}/${name}`);
    } else if (stat !== undefined) found.push({ path, stat });
  };
  visit(MEMORY);
  return new Map(
    found.flatMap(({ path, stat }) => {
      const kind = stat.isSymbolicLink() ? 'link' : !stat.isFile() ? 'other' : stat.mode & 0o100 ? 'program' : 'file';
      const isRead = stat.isFile() && stat.size <= MAX_RECORD_BYTES;
      try {
        const bytes = isRead ? readFileSync(join(checkout.root, path)) : undefined;
        return [[path, { path, kind, blob: bytes ? blobId(bytes, format) : '', bytes }] as const];
      } catch (error) {
        // Removed since it was listed: a checkout may be running.
        if (isSystemError(error, 'ENOENT')) return [];
        throw error;
      }
    }),
  );
}

/** The files of a commit; empty without a commit. */
export async function commitTree(
  workspace: Workspace,
  commit: string | undefined,
  how: TreeOptions = {},
): Promise<MemoryTree> {
  if (commit === undefined) return new Map();
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', MEMORY];
  return treeOf(workspace, answered(await askGit(workspace, args), commit), how);
}

/** The files that the next commit will have. `index` is the index of a commit in the making, if git names one. */
export async function stagedTree(workspace: Workspace, index?: string, options: TreeOptions = {}): Promise<MemoryTree> {
  const args = ['ls-files', '-s', '-z', '--', MEMORY];
  const variables = index === undefined ? {} : { GIT_INDEX_FILE: index };
  const how = { patienceMs: COMMAND_PATIENCE_MS, variables };
  const output = await runGit(workspace.checkout.root, args, workspace.env, how);
  return treeOf(workspace, answered(output, 'what is staged'), options);
}

/** Git's output; throws git on failure, because a review that took it for an empty folder would find no problems. */
export function answered(output: string | undefined, what: string): string {
  if (output !== undefined) return output;
  throw new GitMemError('git', `git could not read ${what}.`, {
    hint: '`git fsck` shows whether the repository is complete.',
  });
}

/** An entry of `ls-tree`, which names its type, or of `ls-files`, which gives its stage. */
const ENTRY = /^(\d+) (?:(?:blob|commit) )?([0-9a-f]+)(?: (\d))?\t(.*)$/s;

async function treeOf(workspace: Workspace, listed: string, { isRead = true }: TreeOptions): Promise<MemoryTree> {
  const entries = listed.split('\0').flatMap((line) => {
    const [, mode = '', blob = '', stage = '0', path] = ENTRY.exec(line) ?? [];
    return path === undefined ? [] : [{ mode, blob, path, isMerged: stage === '0' }];
  });
  const regular = entries.filter(({ mode, isMerged }) => isRead && isMerged && mode.startsWith('100'));
  const blobs = regular.map(({ blob }) => blob);
  const small = await smallBlobs(workspace, blobs);
  const contents = await readBlobs(workspace.checkout.root, small, workspace.env);
  return new Map(
    entries.map(({ mode, blob, path, isMerged }) => {
      const kind = isMerged ? (KINDS[mode] ?? 'other') : 'unmerged';
      return [path, { path, kind, blob, bytes: mode.startsWith('100') ? contents.get(blob) : undefined }];
    }),
  );
}

/** Blobs small enough to read: an untrusted branch may have one that fills the memory. */
async function smallBlobs(workspace: Workspace, blobs: string[]): Promise<string[]> {
  if (blobs.length === 0) return [];
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'];
  const lines = ((await askGit(workspace, args, new Set(blobs))) ?? '').split('\n').map((line) => line.split(' '));
  return lines.flatMap(([blob, size]) => (blob && Number(size) <= MAX_RECORD_BYTES ? [blob] : []));
}

const KINDS: Record<string, MemoryFile['kind']> = { '100644': 'file', '100755': 'program', '120000': 'link' };

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

/** The two states to compare. */
export interface Range {
  /** A commit; undefined if there is nothing before, as in a repository without commits. */
  base: string | undefined;
  /** A commit; undefined for the working tree. */
  head: string | undefined;
}

/**
 * Parses a range as git does: `A...B` from their merge base to B, `A..B` from A to B, `A` from where HEAD branched off
 * it to the working tree, and no range the same for the default branch. An empty side means HEAD. Throws
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
