import { appendFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checkout, readReference, textOf } from '../git/locate.ts';
import { isObjectId } from '../git/object-id.ts';
import { runGitNow, type TreeFile, treeFiles } from '../git/objects.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { notedLines } from '../memory/store/lines.ts';
import { sweep } from '../memory/store/sweep.ts';
import type { Workspace } from '../memory/store/workspace.ts';

// Facts about things that never change, by their ids: a record's blob, a record that a commit added, a path that a
// record cites. They never become outdated. Kept in the state folder as one list per two-character prefix of an id, so
// that each is short even with a hundred thousand records. May be removed at any time.

/** The facts kept under these ids; those of one id in the order they were kept. */
export function factsOn(folder: string, ids: Iterable<string>): [id: string, fact: string][] {
  const lists = new Map<string, Set<string>>();
  for (const id of ids) lists.set(id.slice(0, 2), (lists.get(id.slice(0, 2)) ?? new Set()).add(id));
  return [...lists].flatMap(([list, wanted]) =>
    notedLines(join(folder, list)).flatMap((line): [string, string][] => {
      const id = line.slice(0, line.indexOf(' '));
      return wanted.has(id) ? [[id, line.slice(id.length + 1)]] : [];
    }),
  );
}

/** Keeps facts of one line each; false without space or permission to write: then they are computed again. */
export function keepFacts(folder: string, facts: Iterable<readonly [id: string, fact: string]>): boolean {
  const lists = new Map<string, string>();
  for (const [id, fact] of facts) lists.set(id.slice(0, 2), `${lists.get(id.slice(0, 2)) ?? ''}${id} ${fact}\n`);
  try {
    if (lists.size > 0) createFolder(folder, 0o700);
    for (const [list, lines] of lists) appendFileSync(join(folder, list), lines, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

// A commit's tree never changes, and starting git is a large part of a hook's cost. So git's answers about the reviewed
// commit are cached in the state folder, in files named after the commit. They may be removed at any time.

type Place = Pick<Workspace, 'checkout' | 'layout' | 'env'>;

/** Longer answers, some two thousand lines, are not cached: asking git is quicker than reading them. In bytes. */
const MOST_KEPT = 256 * 1024;

/** A commit not asked about for this long is no longer the reviewed one; if it is, git is asked once more. */
const FORGET_MS = 14 * 86_400_000;

/** Stands for the blob if the tree has no such file. */
const ABSENT = '-';

/** The last line of a complete list. */
const END = 'end';

/** All files below a folder of a revision's tree; undefined if git does not answer. */
export async function keptFolder(place: Place, revision: string, folder: string): Promise<TreeFile[] | undefined> {
  const { checkout, env } = place;
  const commit = commitOf(checkout, revision);
  if (commit === undefined) return treeFiles(checkout.root, revision, folder, env);
  const path = pathOf(place, nameOf(commit, folder));
  const lines = notedLines(path, MOST_KEPT);
  if (lines.at(-1) === END) return lines.slice(0, -1).flatMap(toBlob);
  const files = await treeFiles(checkout.root, commit, folder, env);
  const isPlain = files?.every((file) => !file.path.includes('\n'));
  const text = [...(files ?? []).map(({ blob, path }) => `${blob} ${path}`), END, ''].join('\n');
  if (isPlain && text.length <= MOST_KEPT) kept(path, () => replaceFile(path, text));
  return files;
}

/**
 * The blobs at some paths of a revision's tree, without those that it lacks. `ask` is called for paths that are not
 * cached yet, and gives undefined if git does not answer.
 */
export async function keptBlobs(
  place: Place,
  revision: string,
  paths: string[],
  ask: (revision: string, paths: string[]) => Promise<Map<string, string> | undefined>,
): Promise<Map<string, string>> {
  const commit = commitOf(place.checkout, revision);
  if (commit === undefined) return (await ask(revision, paths)) ?? new Map();
  const path = pathOf(place, commit);
  const noted = notedLines(path, MOST_KEPT).flatMap(toBlob);
  const known = new Map(noted.map((one) => [one.path, one.blob]));
  const unknown = paths.filter((one) => !known.has(one));
  const found = unknown.length === 0 ? new Map<string, string>() : await ask(commit, unknown);
  const added = unknown.filter((one) => !one.includes('\n')).map((one) => `${found?.get(one) ?? ABSENT} ${one}\n`);
  if (found !== undefined && added.length > 0) kept(path, () => append(path, added.join('')));
  const blobs = paths.map((one): [string, string] => [one, found?.get(one) ?? known.get(one) ?? ABSENT]);
  return new Map(blobs.filter(([, blob]) => blob !== ABSENT));
}

/** The text of a file in a revision's tree, empty if it has none; undefined if git does not answer. */
export function keptText(place: Place, revision: string, file: string): string | undefined {
  const commit = commitOf(place.checkout, revision);
  const path = commit && pathOf(place, nameOf(commit, file));
  const known = path && textOf(path);
  if (known !== undefined) return known;
  const { checkout, env } = place;
  const listed = runGitNow(checkout.root, ['ls-tree', '--full-tree', commit ?? revision, '--', file], env);
  const blob = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed ?? '')?.[1];
  const text = blob === undefined ? listed && '' : runGitNow(checkout.root, ['cat-file', 'blob', blob], env);
  if (path !== undefined && text !== undefined) kept(path, () => replaceFile(path, text));
  return text;
}

/** The commit that a full reference name or an id stands for, as far as git's files show. */
export function commitOf({ commonDir }: Checkout, revision: string): string | undefined {
  const id = revision.startsWith('refs/') ? readReference(commonDir, revision) : revision;
  return isObjectId(id) ? id : undefined;
}

function nameOf(commit: string, path: string): string {
  return `${commit}-${path.replace(/\W/g, '-')}`;
}

function pathOf({ layout }: Place, name: string): string {
  return join(layout.state, 'trees', name);
}

/** A truncated line names a path that is never asked for: all paths end in `.md`. */
function toBlob(line: string): TreeFile[] {
  const [, blob, path] = /^(-|[0-9a-f]{40}|[0-9a-f]{64}) (.+)$/.exec(line) ?? [];
  return blob === undefined || path === undefined ? [] : [{ path, blob }];
}

function append(path: string, lines: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // Starts on a new line, in case the file ends in a truncated one.
  if (size + lines.length < MOST_KEPT) appendFileSync(path, `\n${lines}`, { mode: 0o600 });
}

/** Never fails: without the cache, git is asked again next time. */
function kept(path: string, write: () => void): void {
  try {
    const folder = dirname(path);
    createFolder(folder, 0o700);
    sweep(folder, { ageMs: FORGET_MS, nowMs: Date.now() });
    write();
  } catch {
    // No space, or no permission to write.
  }
}
