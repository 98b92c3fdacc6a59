import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checkout } from '../../git/locate.ts';
import { readBlobs, treeFiles } from '../../git/objects.ts';
import { scratchCommit, writingGit } from '../../git/scratch-commit.ts';
import { blobId } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import type { Environment } from '../../user-folders.ts';

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
export type Files = ReadonlyMap<string, string>;

/** The carried files as they lie on the disk. */
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
export async function filesAt(
  { checkout, prefix, isCarried }: CarriedFolder,
  commit: string | undefined,
  env: Environment,
): Promise<Map<string, string>> {
  if (commit === undefined) return new Map();
  const files = (await treeFiles(checkout.root, commit, prefix.replace(/\/$/, ''), env)) ?? [];
  const below = files.map(({ path, blob }): [string, string] => [path.slice(prefix.length), blob]);
  return new Map(below.filter(([path]) => isCarried(path)));
}

/** Writes a commit with exactly these files, some of which may be on the disk only; throws git. */
export async function commitFiles(
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
export async function applyFiles(
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
