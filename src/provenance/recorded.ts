import { isObjectId } from '../git/object-id.ts';
import { askGit, objectIds, parseRawLog } from '../git/objects.ts';
import { shallowCommits } from '../git/shallow.ts';
import { idInName } from '../memory/file-name.ts';
import { isContent, type MemoryRecord } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type Addition, additionsOf, CHANGES_OF, FEW_COMMITS, notIn, walkAdditions } from './recorded-walk.ts';

/** A commit as shown to people. */
export interface CommitInfo {
  commit: string;
  author: string;
  /** When it was authored: ISO 8601, in the author's own time zone. */
  date: string;
  subject: string;
}

/** A commit with its whole message. */
type CommitWithMessage = CommitInfo & { message: string };

/** The commit that added a record's file. */
export interface RecordedIn extends CommitInfo {
  /** The files outside of the memory that the same commit changed. */
  changed: ReadonlySet<string>;
}

/**
 * `history-ends`: the file was added before the first commit that a shallow clone has. `unread`: the background has not
 * read its commit yet.
 */
export type Recorded = RecordedIn | 'history-ends' | 'unread';

/**
 * The commits that added these files of the team store (`observations/2026-11/...`), by path; without uncommitted ones.
 * If a file was removed and added again, its first addition counts. A file that people renamed without editing it
 * counts under its first name. Reads only history that no walk has seen yet.
 */
export async function recordedIn(workspace: Workspace, paths: readonly string[]): Promise<Map<string, Recorded>> {
  if (paths.length === 0) return new Map();
  const isRead = await walkAdditions(workspace, { most: FEW_COMMITS });
  const found = await additions(workspace, paths);
  const firsts = new Map(paths.map((path) => [path, firstAddition(path, found)?.commit]));
  const commits = new Set([...firsts.values()].filter((commit) => commit !== undefined));
  const [logged, changed] = await Promise.all([commitsNamed(workspace, commits), changedFiles(workspace, commits)]);
  const infos = new Map(logged.map(({ message: _, ...info }) => [info.commit, info]));
  // In a shallow clone, a committed file that no commit here added is older than all of them.
  const isCut = shallowCommits(workspace.checkout.commonDir).size > 0;
  const absent = paths.filter((path) => !firsts.get(path));
  const older = isCut || !isRead ? await committedAmong(workspace, absent) : new Set();
  return new Map(
    paths.flatMap((path): [string, Recorded][] => {
      const info = infos.get(firsts.get(path) ?? '');
      if (info !== undefined) return [[path, { ...info, changed: changed.get(info.commit) ?? new Set() }]];
      return older.has(path) ? [[path, isRead ? 'history-ends' : 'unread']] : [];
    }),
  );
}

/** The files that the current commit has. */
async function committedAmong(workspace: Workspace, paths: string[]): Promise<Set<string>> {
  const { checkout, env, at = 'HEAD' } = workspace;
  const expressions = paths.map((path) => `${at}:.memory/${path}`);
  const ids = await objectIds(checkout.root, expressions, env);
  return new Set(paths.filter((_, i) => ids?.[i] !== undefined));
}

/** Whether the commit that recorded it also changed a file that the record cites. */
export function isWithChange({ changed }: RecordedIn, record: MemoryRecord): boolean {
  return citedFiles(record).some((file) => changed.has(file));
}

/** The files that a record cites. */
export function citedFiles(record: MemoryRecord): string[] {
  if (!isContent(record)) return [];
  const modified = record.kind === 'observation' ? record.files_modified : record.files_edited;
  return [...new Set([...modified, ...record.files_read])];
}

/** The files outside the memory that each of these commits changed; for a merge, those that differ from all its parents. */
async function changedFiles(
  workspace: Workspace,
  commits: ReadonlySet<string>,
): Promise<Map<string, ReadonlySet<string>>> {
  if (commits.size === 0) return new Map();
  const output = await askGit(workspace, [...CHANGES_OF, '--full-history', '--', ':(top,exclude).memory'], commits);
  return new Map(
    parseRawLog(output ?? '').map(({ head, changes }) => [head.trim(), new Set(changes.map(({ path }) => path))]),
  );
}

/** Every known addition of these records' files to the history, oldest first, including under names that people gave them. */
async function additions(workspace: Workspace, paths: readonly string[]): Promise<Addition[]> {
  const all = [...additionsOf(workspace, new Set(paths.map((path) => idInName(path)))).values()].flat();
  const elsewhere = await notIn(workspace, workspace.at ?? 'HEAD', new Set(all.map(({ commit }) => commit)));
  return elsewhere === undefined ? [] : all.filter(({ commit }) => !elsewhere.has(commit));
}

/** Commits by their ids, with their messages; those that were garbage-collected are left out. */
export async function commitsNamed(workspace: Workspace, commits: ReadonlySet<string>): Promise<CommitWithMessage[]> {
  if (commits.size === 0) return [];
  return loggedCommits(workspace, ['--no-walk=unsorted', '--ignore-missing', '--stdin'], commits);
}

/** The commits that `git log` prints for these arguments, in its order. */
export async function loggedCommits(
  workspace: Workspace,
  args: string[],
  lines?: Iterable<string>,
): Promise<CommitWithMessage[]> {
  const how = ['--format=%H%x00%an%x00%aI%x00%s%x00%B%x01', '--no-color', '--no-notes', '--no-show-signature'];
  const output = await askGit(workspace, ['log', ...how, ...args], lines);
  return (output ?? '').split('\u0001').flatMap((entry) => {
    const [commit = '', author = '', date = '', subject = '', message = ''] = entry.trim().split('\0');
    return isObjectId(commit) ? [{ commit, author, date, subject, message }] : [];
  });
}

/** The first addition of the file, or, if that was a rename, of the same content under another name. */
function firstAddition(path: string, found: readonly Addition[]): Addition | undefined {
  const own = found.find((one) => one.path === path);
  if (own === undefined) return undefined;
  const id = idInName(path);
  // Another file may claim the same id, so only the same content is taken for the same record.
  return found.find((one) => one === own || (one.blob === own.blob && idInName(one.path) === id)) ?? own;
}
