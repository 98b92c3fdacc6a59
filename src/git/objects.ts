import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../user-folders.ts';
import { noteAsked } from './asked.ts';
import { type ChildOptions, gitEnvironment, gitProgram, settingsFor, startGit } from './child.ts';
import { type Checkout, locate, objectFormat } from './locate.ts';
import { isObjectId } from './object-id.ts';
import { isPartial } from './shallow.ts';

/** Longest that a hook waits for git, in milliseconds: answers take a few, and this bounds a hang. */
export const PATIENCE_MS = 3000;

/** Longest that a command waits for one git child, in milliseconds; bounds a hang, not a long history. */
export const COMMAND_PATIENCE_MS = 120_000;

/** Options of one git child whose result is awaited. */
export interface GitOptions extends ChildOptions {
  /** Exit codes that come with an answer, such as 1 from a comparison that finds a difference; by default only 0. */
  answers?: readonly number[];
}

/** Runs one git child and returns its standard output; undefined if git is missing, fails or exceeds `patienceMs`. */
export async function runGit(
  cwd: string,
  args: readonly string[],
  env: Environment,
  options: GitOptions = {},
): Promise<string | undefined> {
  return (await readGit(cwd, args, env, options))?.toString('utf8');
}

/** As `runGit`, with the output as bytes, for blobs. */
export async function readGit(
  cwd: string,
  args: readonly string[],
  env: Environment,
  { answers = [0], patienceMs = PATIENCE_MS, ...options }: GitOptions = {},
): Promise<Buffer | undefined> {
  const git = startGit(cwd, args, env, { input: '', ...options, patienceMs });
  const chunks: Buffer[] = [];
  git?.child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await git?.ended;
  if (git === undefined || code === undefined || !answers.includes(code)) return undefined;
  const output = Buffer.concat(chunks);
  // With an exit code other than 0, the output alone is not the answer.
  if (git.asked && code === 0) git.asked.output = output.toString('utf8');
  return output;
}

/** Git's answer to a question that a command waits for, with these lines as input; undefined if it gives none. */
export function askGit(
  { checkout, env }: { checkout: { root: string }; env: Environment },
  args: readonly string[],
  lines: Iterable<string> = [],
): Promise<string | undefined> {
  const input = [...lines].map((line) => `${line}\n`).join('');
  return runGit(checkout.root, args, env, { input, patienceMs: COMMAND_PATIENCE_MS });
}

/** As `runGit` but synchronous, for short answers that are cached and so rarely asked for. */
export function runGitNow(cwd: string, args: string[], env: Environment): string | undefined {
  noteAsked(cwd, args);
  const { status, stdout } = spawnSync(gitProgram(env), args, {
    cwd,
    env: { ...gitEnvironment(env), ...settingsFor(cwd, args) },
    timeout: PATIENCE_MS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}

/** The full id of the commit that a revision names; undefined if it names none. */
export async function commitNamed(cwd: string, revision: string, env: Environment): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  return (await runGit(cwd, args, env))?.trim() || undefined;
}

/** Whether a commit is another one or in its history; false if git does not answer. */
export async function isAncestor(
  cwd: string,
  commit: string,
  of: string,
  env: Environment,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  if (commit === of) return true;
  return (await runGit(cwd, ['merge-base', '--is-ancestor', commit, of], env, { patienceMs })) !== undefined;
}

/** A file in a revision's tree. */
export interface TreeFile {
  path: string;
  blob: string;
}

/** The regular files at some paths of a revision, or below them, sorted; undefined if there is no such revision. */
export async function treeFiles(
  cwd: string,
  revision: string,
  paths: string | readonly string[],
  env: Environment,
  patienceMs = COMMAND_PATIENCE_MS,
): Promise<TreeFile[] | undefined> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', revision, '--', ...[paths].flat().filter(Boolean)];
  const output = await runGit(cwd, args, env, { patienceMs });
  return output === undefined ? undefined : filesIn(output);
}

/** The regular files in the output of `git ls-tree -r -z`: links and submodules have other modes than 100644 and 100755. */
export function filesIn(listing: string): TreeFile[] {
  return listing.split('\0').flatMap((line) => {
    // `100644 blob ID<tab>PATH`, split without a regular expression: there may be many thousands.
    const tab = line.indexOf('\t');
    if (!line.startsWith('100') || !line.startsWith(' blob ', 6)) return [];
    return [{ blob: line.slice(12, tab), path: line.slice(tab + 1) }];
  });
}

/** The content of blobs, by their ids, in one child; those that are missing are left out. */
export async function readBlobs(cwd: string, blobs: Iterable<string>, env: Environment): Promise<Map<string, Buffer>> {
  const found = await readObjects(cwd, [...new Set(blobs)], env, COMMAND_PATIENCE_MS);
  return new Map(found.flatMap((one) => (one?.type === 'blob' ? [[one.id, one.bytes] as const] : [])));
}

/** An object that git has here. */
export interface GitObject {
  id: string;
  type: string;
  bytes: Buffer;
}

/**
 * The objects that ids or revision expressions (`HEAD:src/a.ts`) name, in one child; undefined for those that name
 * nothing here. Nothing is fetched.
 */
export async function readObjects(
  cwd: string,
  expressions: readonly string[],
  env: Environment,
  patienceMs = PATIENCE_MS,
): Promise<(GitObject | undefined)[]> {
  if (expressions.length === 0) return [];
  const args = ['cat-file', '--batch', '--buffer'];
  const ask = (variables: Environment = {}) =>
    readGit(cwd, args, env, { input: requests(expressions), patienceMs, variables });
  const checkout = locate(cwd);
  const isOffline =
    checkout !== undefined && isPartial(checkout.commonDir) && expressions.every((one) => /^[0-9a-f]{40}/.test(one));
  const output = (await (isOffline ? withoutRemote(checkout, ask) : ask())) ?? Buffer.alloc(0);
  let at = 0;
  // Each answer is "<id> <type> <bytes>\n<content>\n", or "<expression> missing\n".
  return expressions.map(() => {
    const end = output.indexOf(10, at);
    if (end < 0) return undefined;
    const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (id === undefined || type === undefined) return undefined;
    const bytes = output.subarray(at, at + Number(size));
    at += bytes.length + 1;
    return { id, type, bytes };
  });
}

/**
 * Asks git about a partial clone's objects from a repository with the same objects and no remote: before version 2.44,
 * git gives up at the first object that it cannot fetch.
 */
async function withoutRemote<T>({ commonDir }: Checkout, ask: (variables: Environment) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-objects-'));
  try {
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    const extensions = `[extensions]\n\tobjectFormat = ${objectFormat(commonDir)}\n`;
    writeFileSync(join(folder, 'config'), `[core]\n\trepositoryformatversion = 1\n\tbare = true\n${extensions}`);
    return await ask({ GIT_DIR: folder, GIT_OBJECT_DIRECTORY: join(commonDir, 'objects') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A line feed would end the request: such an expression is replaced by one that names nothing. */
function requests(expressions: readonly string[]): string {
  return expressions.map((expression) => `${expression.replaceAll('\n', '\u0001')}\n`).join('');
}

/** The object ids of revision expressions (`HEAD:src/a.ts`), undefined for those that name nothing; one git child. */
export async function objectIds(
  cwd: string,
  expressions: string[],
  env: Environment,
): Promise<(string | undefined)[] | undefined> {
  if (expressions.length === 0) return [];
  const input = requests(expressions);
  const output = await runGit(cwd, ['cat-file', '--batch-check=%(objectname)'], env, { input });
  if (output === undefined) return undefined;
  const lines = output.split('\n');
  return expressions.map((_, i) => (isObjectId(lines[i]) ? lines[i] : undefined));
}

/** One changed path in git's `--raw -z`. */
export interface RawChange {
  path: string;
  /** Its new name, if it was renamed. */
  now?: string;
  /** The file's mode after the change; zeros if it was removed. */
  mode: string;
  /** The blob before the change, in the first parent; zeros if there was none. */
  before: string;
  /** The blob that the change left there; zeros if it removed the file, or git did not hash it. */
  blob: string;
  /** A letter, such as `A` for added; for a merge, one per parent. */
  status: string;
}

/** A commit as `--format` printed it, with what it changed. */
export interface RawCommit {
  head: string;
  changes: RawChange[];
}

/**
 * Parses the output of `git log --raw --no-abbrev -z`, or of `git diff`, whose changes have no head. Names of files and
 * people may hold anything but NUL, so NUL is the only separator.
 */
export function parseRawLog(output: string): RawCommit[] {
  const fields = output.split('\0');
  const commits: RawCommit[] = [];
  for (let i = 0; i < fields.length; i++) {
    const field = (fields[i] ?? '').replace(/^\n/, '');
    // One colon per parent; the last mode and blob are the commit's version of the file.
    const [, modes, blobs, status] = /^:+((?:\d{6} )+)((?:[0-9a-f]{40,64} )+)([A-Z]+)\d*$/.exec(field) ?? [];
    if (modes === undefined || blobs === undefined || status === undefined) {
      if (field !== '') commits.push({ head: field, changes: [] });
      continue;
    }
    const [before = '', ...after] = blobs.trim().split(' ');
    const change = { mode: modes.trim().split(' ').at(-1) ?? '', before, blob: after.at(-1) ?? '', status };
    const path = fields[++i] ?? '';
    const now = /^[RC]$/.test(status) ? fields[++i] : undefined;
    if (commits.length === 0) commits.push({ head: '', changes: [] });
    commits.at(-1)?.changes.push({ path, ...change, ...(now !== undefined && status === 'R' && { now }) });
  }
  return commits;
}

/** Every change in such output, in the order of the output. */
export function rawChanges(output: string): RawChange[] {
  return parseRawLog(output).flatMap(({ changes }) => changes);
}

/** Options for a log or diff that override what the user's settings would add. */
export const RAW_DIFF = ['--raw', '--no-abbrev', '-z', '--no-color', '--no-ext-diff'];
export const RAW_LOG = [...RAW_DIFF, '--no-show-signature', '--no-notes'];
