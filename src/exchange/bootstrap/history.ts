import { runGit, treeFiles } from '../../git/objects.ts';
import { streamGit } from '../../git/stream.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import type { Environment } from '../../user-folders.ts';

/** What a commit did to one file. */
export interface FileChange {
  /** The file's path today, as far as renames could be followed. */
  path: string;
  /** The path just after the commit; for a deleted file, just before. */
  name: string;
  /** The path just before. */
  before: string;
  /** The blobs after and before the commit; all zeros if there was none. */
  blob: string;
  blobBefore: string;
  /** Git's letter: A, M, D, R, C, T. */
  status: string;
  added: number;
  removed: number;
}

export interface Commit {
  id: string;
  parents: string[];
  /** Its position in the log: 0 is the newest. */
  order: number;
  /** Unix time in seconds when the commit was first written, which a rebase keeps. */
  seconds: number;
  /** The same as ISO 8601 in UTC. */
  at: string;
  /** As the author wrote them: untrusted until `cite` made them harmless. */
  subject: string;
  body: string;
  files: FileChange[];
}

/** A checkout's history as the miners read it. */
export interface History {
  /** Newest first, without merges; commits at the end of a shallow clone have no known files. */
  commits: Commit[];
  /** Merges, newest first, for their messages; their files are not read. */
  merges: Commit[];
  /** The commit that is checked out, with its changed files if it is one of `commits`. */
  head: Commit;
  /** Blob ids of the files at HEAD by path. */
  tree: Map<string, string>;
  /** Whether commits were left out because there are too many. */
  isCut: boolean;
}

/** Commits beyond this many say little about today's code. */
const MOST_COMMITS = 50_000;

/** Longest part of a message, in UTF-16 units: as many messages as there are commits are in memory at once. */
const BODY = 4000;

/** Turns off user settings that change the form of the output or run a program. */
export const PLAIN_OUTPUT = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-show-signature', '--no-notes'];

/** Reads the history up to HEAD with one git child; `range` is revisions or `--since=...`. Throws `git`. */
export async function readHistory(
  root: string,
  env: Environment,
  { range, shallow, onProgress }: { range: string[]; shallow?: Set<string>; onProgress?: (commits: number) => void },
): Promise<History> {
  const all: Commit[] = [];
  const parser = createParser((commit) => {
    commit.order = all.length;
    // At the end of a shallow clone, a commit seems to add every file.
    if (shallow?.has(commit.id)) commit.files = [];
    all.push(commit);
    if (all.length % 500 === 0) onProgress?.(all.length);
  });
  let rest = '';
  for await (const chunk of streamGit(root, logOf(range), env)) {
    const tokens = (rest + chunk).split('\0');
    rest = tokens.pop() ?? '';
    for (const token of tokens) parser.take(token);
  }
  parser.end();
  const commits = all.filter(({ parents }) => parents.length < 2);
  const merges = all.filter(({ parents }) => parents.length >= 2);
  followRenames(commits);
  const head = all[0] ?? (await readHead(root, env));
  const files = (await treeFiles(root, 'HEAD', '', env)) ?? [];
  const tree = new Map(files.map(({ path, blob }) => [path, blob]));
  return { commits, merges, head, tree, isCut: all.length === MOST_COMMITS };
}

const FORMAT = '--format=%x1e%H%x1f%P%x1f%at%x1f%ct%x1f%s%x1f%b';

function logOf(range: string[]): string[] {
  const shape = ['-z', '--raw', '--numstat', '-M', '-l200', '--no-abbrev', '--encoding=UTF-8'];
  const log = ['-c', 'log.diffMerges=off', 'log', ...shape, ...PLAIN_OUTPUT];
  return [...log, `--max-count=${MOST_COMMITS}`, FORMAT, ...range, '--'];
}

/** The checked out commit, if the range is empty. */
async function readHead(root: string, env: Environment): Promise<Commit> {
  const text = await runGit(root, ['log', '-1', '--encoding=UTF-8', ...PLAIN_OUTPUT, FORMAT, 'HEAD'], env);
  return headerOf(text?.trimEnd() ?? '');
}

/**
 * Parses the log's pieces between NULs. The meaning of a piece follows from those before it, so that no file name,
 * however odd, is misread.
 */
function createParser(onCommit: (commit: Commit) => void): { take(token: string): void; end(): void } {
  let commit: Commit | undefined;
  let byPath = new Map<string, FileChange>();
  let pending: Pending | undefined;

  function take(raw: string): void {
    if (pending) {
      pending.paths.push(raw);
      if (pending.paths.length === pending.wanted) finish(pending);
      return;
    }
    const token = raw.startsWith('\n') ? raw.slice(1) : raw;
    if (token.startsWith('\u001e')) {
      end();
      commit = headerOf(token);
      byPath = new Map();
    } else if (token.startsWith(':')) {
      const [, , blobBefore = '', blob = '', letter = 'M'] = token.split(' ');
      const status = letter[0] ?? 'M';
      pending = { status, blob, blobBefore, paths: [], wanted: status === 'R' || status === 'C' ? 2 : 1 };
    } else takeCount(token);
  }

  function takeCount(token: string): void {
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(token);
    if (match === null) return;
    const lines: [number, number] = [Number(match[1]) || 0, Number(match[2]) || 0];
    const counted = { status: '', blob: '', blobBefore: '', lines };
    if (match[3] === '') pending = { ...counted, paths: [], wanted: 2 };
    else finish({ ...counted, paths: [match[3] ?? ''], wanted: 1 });
  }

  function finish({ status, blob, blobBefore, lines, paths }: Pending): void {
    pending = undefined;
    const path = paths.at(-1) ?? '';
    if (lines) {
      const file = byPath.get(path);
      if (file) [file.added, file.removed] = lines;
      return;
    }
    const before = status === 'R' ? (paths[0] ?? '') : path;
    const file = { path, name: path, before, status, blob, blobBefore, added: 0, removed: 0 };
    byPath.set(path, file);
    // A name that is not UTF-8 cannot be written into a record.
    if (!paths.some((one) => one.includes('\ufffd'))) commit?.files.push(file);
  }

  function end(): void {
    if (commit) onCommit(commit);
    commit = undefined;
  }
  return { take, end };
}

/** A piece of the log whose paths are still to come. */
interface Pending {
  status: string;
  blob: string;
  blobBefore: string;
  lines?: [number, number];
  paths: string[];
  wanted: number;
}

function headerOf(token: string): Commit {
  const [id = '', parents = '', written = '', committed = '', subject = '', ...body] = token.slice(1).split('\u001f');
  // A clock that ran ahead must not make a record the newest for ever.
  const seconds = Math.min(Number(written) || 0, Number(committed) || 0);
  const at = wholeSeconds(new Date(seconds * 1000));
  const text = body.join(' ').slice(0, BODY);
  return { id, parents: parents.split(' ').filter(Boolean), order: 0, seconds, at, subject, body: text, files: [] };
}

/** Gives every change the current name of its file. The commits come newest first, so the later name is known. */
function followRenames(commits: Commit[]): void {
  const today = new Map<string, string>();
  for (const { files } of commits) {
    const renamed: [string, string][] = [];
    for (const file of files) {
      const name = file.path;
      file.path = today.get(name) ?? name;
      if (file.status === 'R') renamed.push([file.before, file.path]);
      // Before this commit the name belonged to another file, or to none.
      if (file.status === 'R' || file.status === 'A') today.delete(name);
    }
    for (const [before, path] of renamed) if (before !== path) today.set(before, path);
  }
}
