import type { Dirent } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GitMemError, isSystemError, messageOf } from '../../errors.ts';
import { below } from '../../git/paths.ts';
import { idOf } from '../../memory/id.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Arrival } from './importer.ts';

/** Largest note, in bytes, most files of one folder, and their greatest depth: a wrong folder is rejected early. */
const MAX_BYTES = 4_000_000;
const MAX_FILES = 10_000;
const MAX_DEPTH = 16;

/** Most files of a place, of any kind: one with more is a whole disk, not a folder of notes. */
const MAX_LISTED = 200_000;

/** A text file in the place that a person named. */
export interface SourceFile {
  kind: 'file';
  /** Relative to the place, POSIX. */
  path: string;
  /** Relative to the top of the repository, POSIX; undefined for files elsewhere. */
  repositoryPath: string | undefined;
  /** The same at every import of this file, and without folder names from outside the repository. */
  key: string;
  text: string;
  modified: Date;
}

type Problem = Extract<Arrival, { kind: 'problem' }>;

/** Throws bad-input for a path that does not exist, and for a link that leads out of the checkout. */
export function realPlace(path: string, { checkout }: Workspace): string {
  try {
    const real = realpathSync(path);
    if (below(checkout.root, path) === undefined || below(realpathSync(checkout.root), real) !== undefined) return real;
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EINVAL')) throw error;
    const hint = 'Name the place: `git mem import FROM PATH`.';
    if (isSystemError(error, 'ENOENT', 'ENOTDIR'))
      throw new GitMemError('bad-input', `There is no ${path}.`, { hint, cause: error });
    throw new GitMemError('bad-input', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  throw new GitMemError('bad-input', `${path} is a link that leads out of the repository.`, {
    hint: 'Name the place itself if it is what you mean.',
  });
}

/** A place for which there is no default; throws bad-input if the person named none. */
export function namedPlace(path: string | undefined, missing: string, hint: string): string {
  if (path === undefined) throw new GitMemError('bad-input', missing, { hint });
  return path;
}

export function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name);
}

/**
 * The text files of a place, which is a file or a folder, in order of their names. Links, dot folders and anything that
 * is not text are left out; nothing outside the place is read. Throws bad-input if the place does not exist, and for a
 * whole disk, before anything is read.
 */
export function* sourceFiles(
  place: string,
  workspace: Workspace,
  isWanted: (name: string) => boolean,
): Generator<SourceFile | Problem> {
  const real = realPlace(place, workspace);
  const root = realpathSync(workspace.checkout.root);
  const one = (file: string, path: string) => {
    const read = readText(file);
    if (typeof read === 'string') return problem(path || basename(file), read);
    const repositoryPath = below(root, file);
    const key = repositoryPath ?? (path === '' ? idOf(file) : `${idOf(real)}/${path}`);
    return { kind: 'file', path: path || basename(file), repositoryPath, key, ...read } as const;
  };
  const listed = entriesOf(real);
  if (listed === undefined) return yield one(real, '');
  let count = 0;
  for (const { path, isLink } of wantedIn(real, listed, isWanted)) {
    if (isLink) yield problem(path, 'It is a link, which is not followed.');
    else yield one(join(real, path), path);
    if (++count >= MAX_FILES) return yield problem(path, `Only the first ${MAX_FILES} files were read.`);
  }
}

/** The wanted files in a folder; throws bad-input if it is a whole disk. */
function wantedIn(folder: string, listed: Dirent[], isWanted: (name: string) => boolean): Listed[] {
  const found: Listed[] = [];
  let count = 0;
  const isRoot = dirname(folder) === folder;
  for (const file of isRoot ? [] : walk(folder, listed, '', 0)) {
    if (++count > MAX_LISTED) break;
    if (isWanted(file.path)) found.push(file);
  }
  if (!isRoot && count <= MAX_LISTED) return found;
  throw new GitMemError('bad-input', `${folder} holds ${isRoot ? 'a whole disk' : `more than ${MAX_LISTED} files`}.`, {
    hint: 'Nothing was read: name the folder that holds the notes.',
  });
}

export function problem(place: string, message: string): Problem {
  return { kind: 'problem', at: { place }, code: 'bad-input', message };
}

type Listed = { path: string; isLink: boolean };

function* walk(folder: string, entries: Dirent[], prefix: string, depth: number): Generator<Listed> {
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      const isSkipped = entry.name.startsWith('.') || entry.name === 'node_modules' || depth >= MAX_DEPTH;
      if (!isSkipped) yield* walk(folder, entriesOf(join(folder, path)) ?? [], `${path}/`, depth + 1);
    } else yield { path, isLink: entry.isSymbolicLink() };
  }
}

/** The entries of a folder; undefined if it is not one. */
function entriesOf(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR')) return undefined;
    // An unreadable folder, like many in /proc, has nothing for us.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

/** A file's text, or the reason why it has none. */
export function readText(path: string, maxBytes = MAX_BYTES): { text: string; modified: Date } | string {
  let file: number | undefined;
  try {
    // Does not follow a link that was put in its place meanwhile, and does not block on a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    if (!stat.isFile()) return 'It is not a file.';
    if (stat.size > maxBytes) return `It has ${stat.size} bytes, more than ${maxBytes}.`;
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)), modified: stat.mtime };
  } catch (error) {
    if (error instanceof TypeError) return 'It is not UTF-8 text.';
    if (error instanceof Error && 'code' in error) return `It cannot be read: ${error.code}.`;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
