import { isObjectId } from '../git/object-id.ts';
import { askGit, objectIds } from '../git/objects.ts';
import { shallowCommits } from '../git/shallow.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** A commit as shown to people. */
export interface CommitInfo {
  commit: string;
  author: string;
  /** When it was authored: ISO 8601, in the author's own time zone. */
  date: string;
  /** When it was committed, which a rebase updates: ISO 8601. */
  committed: string;
  subject: string;
}

/** A captured record is written after its turn ends, so a commit of that turn may be this much older. */
const LONGEST_TURN_MS = 3_600_000;

/**
 * Tells whether a commit, by its commit time (ISO 8601), is recent enough to hold the work that a record describes.
 * Older commits may have the same content of a file that the work left unchanged or restored.
 */
export function isRecentEnough(committed: string, { generated }: Pick<MemoryRecord, 'generated'>): boolean {
  return Date.parse(committed) >= Date.parse(generated.at) - LONGEST_TURN_MS;
}

/**
 * The commit in which work landed that began at another one: the first after it, on the way to `revision`, that changes
 * one of the files. Undefined if there is none, or if that history was rewritten (a squash, a rebase).
 */
export async function landingOf(
  workspace: Workspace,
  { from, files, revision }: { from: string; files: string[]; revision: string },
): Promise<string | undefined> {
  // A record may name anything as its commit.
  if (!isObjectId(from) || files.length === 0) return undefined;
  const way = ['--topo-order', '--reverse', '--ancestry-path', `${from}..${revision}`];
  const output = await askGit(workspace, ['--literal-pathspecs', 'rev-list', ...way, '--', ...files]);
  return output?.split('\n')[0] || undefined;
}

/**
 * The commit of work that the agent committed before it was recorded: the last one up to `from` that changes these
 * files, if they had the anchors' content there. Undefined if they did not, or if it is older than the work can be.
 */
export async function landedBefore(
  workspace: Workspace,
  { from, anchors, record }: { from: string; anchors: Record<string, string>; record: MemoryRecord },
): Promise<CommitInfo | undefined> {
  const files = Object.keys(anchors);
  if (!isObjectId(from) || files.length === 0) return undefined;
  const { checkout, env } = workspace;
  const names = files.map((file) => `${from}:${file}`);
  const blobs = (await objectIds(checkout.root, names, env)) ?? [];
  if (files.some((file, i) => blobs[i] !== anchors[file])) return undefined;
  const [last] = await commits(workspace, ['-1', from, '--', ...files]);
  return last && isRecentEnough(last.committed, record) ? last : undefined;
}

/** Tells whether `revision` is this commit or comes after it. */
export async function isBefore(workspace: Workspace, commit: string, revision: string): Promise<boolean> {
  if (!isObjectId(commit)) return false;
  return (await askGit(workspace, ['merge-base', '--is-ancestor', commit, revision])) !== undefined;
}

/** The commit that first added a file; undefined for one that is not committed. */
export async function additionOf(workspace: Workspace, path: string): Promise<CommitInfo | undefined> {
  const found = await commits(workspace, ['--full-history', '--no-renames', '--diff-filter=A', 'HEAD', '--', path]);
  return found.at(-1);
}

/** What is known about a commit. */
export async function commitInfo(workspace: Workspace, commit: string): Promise<CommitInfo | undefined> {
  return isObjectId(commit) ? (await commits(workspace, ['-1', commit, '--']))[0] : undefined;
}

export async function changesAny(workspace: Workspace, commit: string, files: string[]): Promise<boolean> {
  if (files.length === 0) return false;
  const args = ['--literal-pathspecs', 'diff-tree', '-r', '--root', '--name-only', '--no-commit-id', commit, '--'];
  return Boolean(await askGit(workspace, [...args, ...files]));
}

async function commits(workspace: Workspace, args: string[]): Promise<CommitInfo[]> {
  const format = ['--no-show-signature', '--no-color', '--format=%H%x00%an%x00%aI%x00%cI%x00%s'];
  const output = (await askGit(workspace, ['--literal-pathspecs', 'log', ...format, ...args])) ?? '';
  // The apparent changes of a shallow clone's boundary commit may come from any commit before it.
  const boundary = shallowCommits(workspace.checkout.commonDir);
  return output.split('\n').flatMap((line) => {
    const [commit = '', author = '', date = '', committed = '', subject = ''] = line.split('\0');
    return isObjectId(commit) && !boundary.has(commit) ? [{ commit, author, date, committed, subject }] : [];
  });
}
