import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCleaner } from '../../capture/drain/clean.ts';
import { GitMemError } from '../../errors.ts';
import type { Checkout } from '../../git/locate.ts';
import { networkGit } from '../../git/network.ts';
import { isAncestor, readBlobs, runGit, treeFiles } from '../../git/objects.ts';
import { scratchCommit, writingGit } from '../../git/scratch-commit.ts';
import { blobId } from '../../memory/id.ts';
import { MAX_SCANNED_TEXT } from '../../memory/size.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import type { Environment } from '../../user-folders.ts';

/** What a sync did; paths are below the folder. */
export interface Synced {
  sent: string[];
  received: { path: string; blob: string }[];
  removed: string[];
  /** Files that stay here, because a secret was found in them. */
  held: string[];
}

interface SyncOptions {
  /** The reference, here and at the remote. */
  ref: string;
  /** A remote's name or address; undefined to commit here only. */
  remote: string | undefined;
  subject: string;
  env: Environment;
  /** The team's own patterns of secrets: a file in which one is found stays here. */
  patterns: string[];
  onProgress: (line: string) => void;
}

/** Tries, of three requests each: another machine may push at the same moment. */
const TRIES = 5;

/**
 * Makes the folder, the reference and the remote's reference agree: files that either side added stay, files that one side
 * removed since they last agreed go, and if both sides edited a file, this side's is kept (the other one is in the history).
 * Nothing is ever forced. Throws git if the remote cannot be reached, busy if others keep pushing.
 */
export async function syncFolder(place: CarriedFolder, options: SyncOptions): Promise<Synced> {
  const { ref, remote, env, onProgress } = options;
  const { root } = place.checkout;
  for (let i = 0; i < TRIES; i++) {
    const theirs = remote === undefined ? undefined : await fetchTip(root, remote, options);
    const { commit, from, to, sent, held } = await mergeFiles(place, theirs, options);
    if (remote !== undefined && commit !== undefined && commit !== theirs) {
      const push = ['push', '--quiet', '--no-verify', '--no-follow-tags', '--recurse-submodules=no', '--'];
      try {
        await networkGit(root, [...push, remote, `${commit}:${ref}`], env, { onProgress });
      } catch (error) {
        if ((await tipOf(root, remote, ref, env)) === theirs) throw error;
        continue; // Another push came first.
      }
    }
    if (commit !== undefined) await runGit(root, ['update-ref', ref, commit], env);
    const { written, removed } = await applyFiles(place, { from, to, env });
    const received = written.map((path) => ({ path, blob: to.get(path) ?? '' }));
    return { sent, held, received, removed };
  }
  throw new GitMemError('busy', `Others keep pushing to ${ref}.`, { hint: 'Run the command again.' });
}

/** The remote's tip, with its objects; undefined if it has no such reference. */
async function fetchTip(root: string, remote: string, { ref, env, onProgress }: SyncOptions) {
  const tip = await tipOf(root, remote, ref, env);
  if (tip === undefined) return undefined;
  const isHere = (await runGit(root, ['rev-list', '--objects', '--quiet', tip], env)) !== undefined;
  if (!isHere) {
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--'];
    await networkGit(root, [...fetch, remote, ref], env, { onProgress });
  }
  return tip;
}

async function tipOf(root: string, remote: string, ref: string, env: Environment): Promise<string | undefined> {
  const lines = (await networkGit(root, ['ls-remote', '--', remote, ref], env)).split('\n');
  const exact = lines.find((line) => line.endsWith(`\t${ref}`));
  return exact?.split('\t')[0];
}

/** The commit in which both sides are joined, and what changes here. */
async function mergeFiles(place: CarriedFolder, theirs: string | undefined, options: SyncOptions) {
  const { ref, subject, env, patterns } = options;
  const { root } = place.checkout;
  const last = (await runGit(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], env))?.trim();
  const ours = filesOnDisk(place);
  const common = theirs && last ? await runGit(root, ['merge-base', last, theirs], env) : last;
  const agreed = await filesAt(place, common?.trim(), env);
  // An empty folder was lost: nobody removes every record.
  const base = ours.size === 0 ? new Map<string, string>() : agreed;
  const there = theirs === undefined ? agreed : await filesAt(place, theirs, env);
  const both = new Map<string, string>();
  for (const path of new Set([...ours.keys(), ...there.keys()])) {
    const blob = chosen({ ours: ours.get(path), theirs: there.get(path), base: base.get(path) });
    if (blob !== undefined) both.set(path, blob);
  }
  const added = [...both].filter(([path, blob]) => there.get(path) !== blob).map(([path]) => path);
  const held = await filesWithSecrets(place.folder, added, patterns);
  const to = new Map([...both].filter(([path]) => !held.includes(path)));
  for (const path of held) {
    const blob = there.get(path);
    if (blob !== undefined) to.set(path, blob);
  }
  const sent = added.filter((path) => !held.includes(path));
  const parents = await parentsOf(root, theirs, last, env);
  const known = await filesAt(place, theirs ?? last, env);
  const commit = isSame(known, to) ? (theirs ?? last) : await commitFiles(place, to, { parents, subject, env });
  // What is held stays as it is here.
  const here = new Map([...ours].filter(([path]) => !held.includes(path)));
  const wanted = new Map([...to].filter(([path]) => !held.includes(path)));
  return { commit, sent, held, from: here, to: wanted };
}

/** Merges a file's versions, given the one both sides last agreed on. */
function chosen(sides: Record<'ours' | 'theirs' | 'base', string | undefined>): string | undefined {
  const { ours, theirs, base } = sides;
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  return ours ?? theirs;
}

/** If the remote's tip contains our last commit, it is the only parent. */
async function parentsOf(root: string, theirs: string | undefined, last: string | undefined, env: Environment) {
  const tips = [...new Set([theirs, last])].filter((one) => one !== undefined);
  const isPart = theirs && last && theirs !== last && (await isAncestor(root, last, theirs, env));
  return isPart ? [theirs] : tips;
}

function isSame(a: Files, b: Files): boolean {
  return a.size === b.size && [...a].every(([path, blob]) => b.get(path) === blob);
}

/** Files that must not leave the machine: the rules for secrets may have changed since the files were written. */
async function filesWithSecrets(folder: string, paths: string[], patterns: string[]): Promise<string[]> {
  const held: string[] = [];
  for (const path of paths) {
    const text = readFileSync(join(folder, path), 'utf8');
    // A secret found in one file doesn't count in the next.
    const cleaner = createCleaner(patterns, MAX_SCANNED_TEXT);
    if (text.length > MAX_SCANNED_TEXT || (await cleaner.text(text)) !== text) held.push(path);
  }
  return held;
}

/** A folder of records that a reference carries from machine to machine: the trees of its commits are the folder. */
export interface CarriedFolder {
  /** The repository that holds the objects. */
  checkout: Checkout;
  /** Absolute; its path in the trees is `prefix`, which ends in a slash unless it is empty. */
  folder: string;
  prefix: string;
  format: 'sha1' | 'sha256';
  /** Mode of new files. */
  mode: number;
  /** Tells whether a path below the folder is carried; all others are neither sent nor written. */
  isCarried(path: string): boolean;
}

/** Files by their path below the folder, each with the blob of its content. */
type Files = ReadonlyMap<string, string>;

/** The carried files as they are on disk. */
export function filesOnDisk({ folder, format, isCarried }: CarriedFolder): Map<string, string> {
  const found = new Map<string, string>();
  const look = (below: string) => {
    for (const entry of entriesOf(join(folder, below))) {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) look(`${path}/`);
      else if (entry.isFile() && isCarried(path)) found.set(path, blobId(readFileSync(join(folder, path)), format));
    }
  };
  look('');
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Nothing was written there yet.
  }
}

/** The carried files of a commit; none if it is undefined. */
export async function filesAt(place: CarriedFolder, commit: string | undefined, env: Environment) {
  const { checkout, prefix, isCarried } = place;
  if (commit === undefined) return new Map<string, string>();
  const files = (await treeFiles(checkout.root, commit, prefix.replace(/\/$/, ''), env)) ?? [];
  const below = files.map(({ path, blob }): [string, string] => [path.slice(prefix.length), blob]);
  return new Map(below.filter(([path]) => isCarried(path)));
}

/** Writes a commit with exactly these files, some of which may be on the disk only; throws git. */
async function commitFiles(
  place: CarriedFolder,
  files: Files,
  { parents, subject, env }: { parents: string[]; subject: string; env: Environment },
): Promise<string> {
  const { checkout, folder, prefix } = place;
  const onDisk = filesOnDisk(place);
  // Without filters: a file has the same bytes on every machine.
  const own = [...files].filter(([path, blob]) => onDisk.get(path) === blob).map(([path]) => `${join(folder, path)}\n`);
  if (own.length > 0) {
    await writingGit(checkout, env)(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input: own.join('') });
  }
  const blobs = [...files].map(([path, blob]): [string, string] => [`${prefix}${path}`, blob]);
  return scratchCommit(checkout, env, { blobs, parents, subject });
}

/** Makes the folder's files those of `to`; one that is no longer as in `from` stays as it is. */
async function applyFiles(
  place: CarriedFolder,
  { from, to, env }: { from: Files; to: Files; env: Environment },
): Promise<{ written: string[]; removed: string[] }> {
  const { checkout, folder, format, mode } = place;
  const wanted = [...to].filter(([path, blob]) => from.get(path) !== blob);
  const blobs = wanted.map(([, blob]) => blob);
  const contents = await readBlobs(checkout.root, blobs, env);
  const isAsBefore = (path: string) => {
    const stat = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (stat === undefined) return !from.has(path);
    return stat.isFile() && blobId(readFileSync(join(folder, path)), format) === from.get(path);
  };
  const written: string[] = [];
  for (const [path, blob] of wanted) {
    const bytes = contents.get(blob);
    if (bytes === undefined || !isAsBefore(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o777 });
    replaceFile(join(folder, path), bytes, mode);
    written.push(path);
  }
  const removed = [...from.keys()].filter((path) => !to.has(path) && isAsBefore(path));
  for (const path of removed) rmSync(join(folder, path), { force: true });
  return { written, removed };
}
