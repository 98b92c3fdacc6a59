import { relative } from 'node:path';
import { commandGit } from '../git/git.ts';
import { isObjectId } from '../git/object-id.ts';
import { objectIds, parseRawLog } from '../git/objects.ts';
import { worktreeRoots } from '../git/worktrees.ts';
import { folderFiles } from '../memory/store/folder.ts';
import { held } from '../memory/store/held.ts';
import { openSource } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** A file of `.memory/` outside this checkout. */
export interface Version {
  /** Path inside the store. */
  path: string;
  /** A description of where it is: `branch feature/x`, `stash@{0}`, `dangling commit 1a2b3c4d`. */
  from: string;
  /** Its blob in git, or its content in another worktree. */
  content: string | (() => Buffer);
}

/** Commits to start from, with a name for each. */
type Tips = Map<string, string>;

/**
 * Every file of `.memory/` that commits outside HEAD's history added or changed, newest first in each place: on
 * branches, in other worktrees, stashes, remote-tracking branches and other references, reflogs, and dangling commits.
 * One git child per place, whatever the number of records. `notes` say what could not be read.
 */
export async function elsewhere(workspace: Workspace, head: string | undefined) {
  const [refs, worktrees, stashed, logged, dangling] = await Promise.all([
    references(workspace),
    inWorktrees(workspace),
    stashes(workspace),
    reflogs(workspace),
    danglingCommits(workspace),
  ]);
  const notes: string[] = [];
  const seen = new Set(head === undefined ? [] : [head]);
  const versions: Version[] = [];
  const look = async (tips: Tips, isLine = false) => {
    versions.push(...(await versionsIn(workspace, tips, seen, isLine)));
  };
  await look(named(refs, 'refs/heads/', 'branch '), true);
  versions.push(...worktrees);
  await look(stashed);
  await look(named(refs, 'refs/remotes/', 'branch '), true);
  await look(named(refs, 'refs/tags/', 'tag '), true);
  await look(named(refs, 'refs/', ''), true);
  await look(logged);
  versions.push(...inThisClone(workspace));
  if (dangling === undefined) notes.push('`git fsck` failed: dangling commits were not searched.');
  else await look(dangling);
  return { versions, notes };
}

/** Walks from these commits, except those already seen, and adds the commits to `seen`. */
async function versionsIn(workspace: Workspace, tips: Tips, seen: Set<string>, isLine = false): Promise<Version[]> {
  const fresh = [...tips.keys()].filter((commit) => !seen.has(commit));
  if (fresh.length === 0) return [];
  const input = [...fresh, ...[...seen].map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('');
  for (const commit of fresh) seen.add(commit);
  const files = changesIn((await answerOf(workspace, [...PLAIN_LOG, '--stdin', '--', '.memory'], input)) ?? '');
  const deleted = isLine ? await gone(workspace, fresh, files) : new Set();
  return files
    .filter(({ path, blob }) => blob !== undefined && !deleted.has(path))
    .map(({ source, path, blob = '' }) => ({
      path: path.slice('.memory/'.length),
      from: tips.get(source) ?? 'reflog',
      content: blob,
    }));
}

/** The files that a commit deleted and that no tip has: on a line of history the deletion was deliberate. */
async function gone({ checkout, env }: Workspace, tips: string[], files: Change[]): Promise<Set<string>> {
  const deleted = [...new Set(files.flatMap(({ path, blob }) => (blob === undefined ? [path] : [])))];
  const expressions = deleted.flatMap((path) => tips.map((tip) => `${tip}:${path}`));
  const found = (await objectIds(checkout.root, expressions, env)) ?? [];
  return new Set(deleted.filter((_, i) => tips.every((_, j) => found[i * tips.length + j] === undefined)));
}

/** A log that the user's settings cannot colour, shorten or decorate; `%S` is the tip that the walk came from. */
const PLAIN_LOG = [
  ...['-c', 'log.showSignature=false', '-c', 'log.showRoot=true', 'log', '--format=%x01%S', '--full-history', '-m'],
  ...['--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AMD', '--no-color', '--no-ext-diff', '--no-notes'],
];

/** A file that a commit added or changed, or, without a blob, deleted. */
interface Change {
  source: string;
  path: string;
  blob: string | undefined;
}

function changesIn(output: string): Change[] {
  return parseRawLog(output).flatMap(({ head, changes }) =>
    changes.flatMap(({ path, mode, blob, status }): Change[] => {
      const source = head.slice(1).trim();
      if (status === 'D') return [{ source, path, blob: undefined }];
      // 100644 and 100755: a link or a submodule is not a record.
      return mode.startsWith('100') ? [{ source, path, blob }] : [];
    }),
  );
}

async function references(workspace: Workspace): Promise<[commit: string, ref: string][]> {
  const output = (await answerOf(workspace, ['for-each-ref', '--format=%(objectname) %(refname)'])) ?? '';
  return output.split('\n').flatMap((line): [string, string][] => {
    const [commit = '', ref = ''] = line.split(' ');
    return ref === '' || ref === 'refs/stash' ? [] : [[commit, ref]];
  });
}

function named(refs: [string, string][], prefix: string, word: string): Tips {
  const below = refs.filter(([, ref]) => ref.startsWith(prefix));
  return tipsOf(below.map(([commit, ref]) => [commit, `${word}${word === '' ? ref : ref.slice(prefix.length)}`]));
}

async function stashes(workspace: Workspace): Promise<Tips> {
  const output = (await answerOf(workspace, ['log', '-g', '--format=%H', '--no-color', 'refs/stash', '--'])) ?? '';
  const commits = output.split('\n').filter(isObjectId);
  return tipsOf(commits.map((commit, i) => [commit, `stash@{${i}}`]));
}

async function reflogs(workspace: Workspace): Promise<Tips> {
  const args = ['log', '-g', '--all', '--format=%H %gD', '--no-color', '--'];
  const lines = ((await answerOf(workspace, args)) ?? '').split('\n').map((line) => line.split(' '));
  return tipsOf(
    lines.map(([commit = '', entry = '']) => {
      const ref = entry.replace(/@\{.*$/s, '').replace(/^refs\/(?:heads|remotes)\//, '');
      return [commit, `reflog of ${ref}`];
    }),
  );
}

/** Tips that no reference or reflog reaches any more: dropped stashes, branches deleted some time ago. */
async function danglingCommits(workspace: Workspace): Promise<Tips | undefined> {
  const args = ['fsck', '--no-reflogs', '--connectivity-only', '--dangling', '--no-progress'];
  const output = await answerOf(workspace, args);
  if (output === undefined) return undefined;
  const commits = output.split('\n').flatMap((line) => /^dangling commit ([0-9a-f]+)$/.exec(line)?.[1] ?? []);
  return tipsOf(commits.map((commit) => [commit, `dangling commit ${commit.slice(0, 8)}`]));
}

/** What this clone wrote and still holds, whatever became of the files. */
function inThisClone({ layout, format }: Workspace): Version[] {
  const { entries, bytes } = held(layout.state, format);
  return entries.map(({ path }) => ({ path, from: 'this clone', content: () => bytes(path) }));
}

/** Files in other worktrees, committed or not. */
async function inWorktrees(workspace: Workspace): Promise<Version[]> {
  const { checkout, format } = workspace;
  return ((await worktreeRoots(workspace)) ?? [])
    .filter((root) => root !== checkout.root)
    .flatMap((root) => {
      const source = openSource('team', folderFiles(`${root}/.memory`), format);
      const from = `worktree ${relative(checkout.root, root)}`;
      return [...source.newest('observation', 'summary', 'mark')]
        .filter(({ path }) => source.files.state(path)?.isFile)
        .map(({ path }) => ({ path, from, content: () => source.files.bytes(path) }));
    });
}

/** A commit with several names keeps the first. */
function tipsOf(entries: [commit: string, name: string][]): Tips {
  return new Map(entries.filter(([commit]) => isObjectId(commit)).reverse());
}

/** Git's answer; undefined if it gives none, as about a stash that does not exist. */
async function answerOf({ checkout, env }: Workspace, args: string[], input = ''): Promise<string | undefined> {
  try {
    return await commandGit(checkout.root, args, env, { input });
  } catch {
    return undefined; // The caller says so where it matters.
  }
}
