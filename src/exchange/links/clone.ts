import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { networkGit } from '../../git/network.ts';
import { commitNamed, runGit, treeFiles } from '../../git/objects.ts';
import { missingObjects, remoteHead, WITHOUT_CONTENTS } from '../../git/partial-clone.ts';
import { idOf } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Environment } from '../../user-folders.ts';
import type { Link } from './link.ts';

/** The note on a fetched repository: a bare clone of one commit without a remote. */
const fetchedSchema = z.object({
  /** Name of the folder that contains it as `.git`, beside this note. */
  clone: z.string().check(z.regex(/^clone-[\da-z]+$/)),
  /** The remote's HEAD at that time; empty if it had no commit. */
  head: z.string(),
  /** The commit whose memory is read: the pinned one, or HEAD. */
  commit: z.string(),
  /** ISO 8601, UTC. */
  updated: z.string(),
});
type Fetched = z.infer<typeof fetchedSchema>;

const NOTE = 'fetched.json';

/** Longest that a fetch takes, in milliseconds: its few children have half an hour each. */
const ABANDONED_MS = 24 * 3_600_000;

/** What the next fetch needs of the repository; everything else stays on the server, if it supports partial clones. */
const SMALL = ['--depth=1', '--no-tags', '--filter=blob:none'];

/** The fetched copy of a repository with an address; undefined if it was never fetched. */
export function readFetched({ folder }: Link): (Fetched & { root: string }) | undefined {
  // If it is missing or damaged, the repository is fetched again.
  const { data } = fetchedSchema.safeParse(readNotes(join(folder, NOTE)));
  return data && { ...data, root: join(folder, data.clone) };
}

/**
 * Fetches the current state of an address, unless it is here already; tells whether anything was fetched. The old copy
 * stays until the new one is complete. Throws `git`, or no-such-revision if the pinned commit is not available.
 */
export async function fetchLink(
  link: Link & { place: { url: string } },
  env: Environment,
  { now, onProgress }: { now: Date; onProgress: (line: string) => void },
): Promise<{ changed: boolean }> {
  createFolder(link.folder, 0o700);
  const { url } = link.place;
  const before = readFetched(link);
  const head = await remoteHead(url, env, link.folder);
  const isHere =
    before?.head === head &&
    (before.commit === '' || (await treeFiles(before.root, before.commit, '.memory', env)) !== undefined);
  const updated = now.toISOString();
  if (before !== undefined && isHere) {
    const { root: _, ...rest } = before;
    note(link, { ...rest, updated });
    return { changed: false };
  }
  const clone = `clone-${idOf(updated, String(process.pid))}`;
  const root = join(link.folder, clone);
  try {
    mkdirSync(root, { mode: 0o700 });
    const commit = await fetchInto(root, link, env, onProgress);
    note(link, { clone, head, commit, updated });
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
  sweep(link, clone, before?.clone, now);
  return { changed: true };
}

/** Removes earlier copies and the leftovers of killed fetches; another fetch may be in progress in a younger folder. */
function sweep({ folder }: Link, clone: string, before: string | undefined, now: Date): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('clone-') || name === clone) continue;
    const path = join(folder, name);
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const isLeft = name === before || modifiedMs < now.getTime() - ABANDONED_MS;
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

function note({ folder }: Link, fetched: Fetched): void {
  replaceFile(join(folder, NOTE), `${JSON.stringify(fetched)}\n`);
}

/**
 * Clones as `.git`, so that git finds it even where bare repositories are refused; returns the commit, empty for none.
 */
async function fetchInto(
  root: string,
  link: Link & { place: { url: string } },
  env: Environment,
  onProgress: (line: string) => void,
): Promise<string> {
  const { name, at } = link;
  const { url } = link.place;
  const git = (...args: string[]) => networkGit(root, args, env, { settings: WITHOUT_CONTENTS, onProgress });
  await git('clone', '--bare', '--single-branch', '--template=', '--progress', ...SMALL, '--', url, '.git');
  if (at !== undefined) await fetchPinned(at, git);
  const commit = await resolveCommit(root, at ?? 'HEAD', env);
  if (commit === undefined && at !== undefined) throw lacking(name, at);
  if (commit !== undefined) await fetchRecords(root, commit, env, onProgress);
  // Old versions of git fetch missing objects unasked: without a remote they cannot. The address may also contain a
  // password.
  await git('config', '--remove-section', 'remote.origin');
  await runGit(root, ['config', '--unset-all', 'extensions.partialClone'], env);
  return commit ?? '';
}

/** A whole id can be fetched directly; a prefix of one must be looked up in the history of all branches and tags. */
async function fetchPinned(at: string, git: (...args: string[]) => Promise<string>): Promise<void> {
  if (at.length >= 40) {
    try {
      await git('fetch', '--progress', ...SMALL, 'origin', `+${at}:refs/git-mem/pinned`);
      return;
    } catch {
      // Some servers serve only commits that a branch or tag names: it may be in the history of one.
    }
  }
  const refs = ['+refs/heads/*:refs/git-mem/heads/*', '+refs/tags/*:refs/git-mem/tags/*'];
  await git('fetch', '--progress', '--no-tags', '--depth=2147483647', '--filter=blob:none', 'origin', ...refs);
}

/** Fetches the records of a commit, whose contents the server of a partial clone has not sent yet. */
async function fetchRecords(
  root: string,
  commit: string,
  env: Environment,
  onProgress: (line: string) => void,
): Promise<void> {
  const files = (await treeFiles(root, commit, '.memory', env)) ?? [];
  if (files.length === 0) return;
  const missing = await missingObjects(root, [commit], env);
  if (missing.length === 0) return;
  const fetch = ['fetch', '--progress', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin'];
  await networkGit(root, [...fetch, 'origin'], env, {
    input: `${missing.join('\n')}\n`,
    settings: WITHOUT_CONTENTS,
    onProgress,
  });
}

/** The id of a commit that HEAD or the digits of an id name, never of a branch with such a name. */
export async function resolveCommit(root: string, at: string, env: Environment): Promise<string | undefined> {
  const commit = await commitNamed(root, at, env);
  return commit && (at === 'HEAD' || commit.startsWith(at)) ? commit : undefined;
}

/** The error for a pinned commit that a repository does not have. */
export function lacking(name: string, at: string): GitMemError {
  return new GitMemError('no-such-revision', `${name} has no commit ${at}, or several that start like it.`, {
    hint: 'Give the whole id in your settings; `git mem links update` fetches what came since.',
  });
}
