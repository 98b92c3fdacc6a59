import { readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { COMMAND_PATIENCE_MS, readGit } from '../../git/objects.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { linesIn } from '../../memory/store/lines.ts';
import type { Entry } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** Larger files (256 MB) are not searched: a file is read whole into memory. */
const MOST_BYTES = 1 << 28;

/**
 * Files other than the records' own that hold one of these fragments: drafts of running sessions, and output of `export` and
 * `site` in the working tree, ignored or not. Absolute, sorted. One git child.
 */
export async function copiesOf(workspace: Workspace, fragments: string[], own: Entry[]): Promise<string[]> {
  if (fragments.length === 0) return [];
  const { stores, layout } = workspace;
  // The next command syncs the cache, and a redaction releases held copies, so a person need remove neither.
  const derived = ['cache.sqlite', `held${sep}`].map((name) => join(layout.state, name));
  const records = new Set(own.map(({ store, path }) => join(stores[store].dir, path)));
  const states = [layout.state, ...layout.otherStates].flatMap((folder) => holders(folder, fragments));
  const found = [...states, ...(await inWorkingTree(workspace, fragments))];
  return [...new Set(found)]
    .filter((path) => !records.has(path) && !derived.some((start) => path.startsWith(start)))
    .sort();
}

/** Files in the state folders that hold the file name of one of these records, which quotes its title. Absolute. */
export function namesLeft({ layout }: Workspace, ids: readonly string[]): string[] {
  const inStores = [layout.private, join(layout.state, 'held'), join(layout.state, 'spool')];
  return [layout.state, ...layout.otherStates]
    .flatMap((folder) =>
      holders(
        folder,
        ids.map((id) => `-${id}.md`),
      ),
    )
    .filter((path) => !inStores.some((folder) => path.startsWith(folder + sep)));
}

/** Removes these records' file names, which quote their titles, from git-mem's own notes. */
export function forgetNames(workspace: Workspace, ids: readonly string[]): void {
  for (const path of ids.length === 0 ? [] : namesLeft(workspace, ids)) {
    const database = /^(.*[\\/](\w+)\.sqlite)(?:-\w+)?$/.exec(path);
    if (database !== null) {
      // The next sync removes it from the cache.
      for (const end of database[2] === 'cache' ? [] : ['', '-wal', '-shm'])
        rmSync(`${database[1]}${end}`, { force: true });
      continue;
    }
    if (!/[\\/]own-(?:paths|accepted)$/.test(path)) {
      // The next query rebuilds it from what is left.
      rmSync(path, { force: true });
      continue;
    }
    const kept = linesIn(path).filter((line) => !ids.some((id) => line.endsWith(`-${id}.md`)));
    replaceFile(path, kept.map((line) => `${line}\n`).join(''));
  }
}

/** The files below a folder that hold a fragment; none if the folder does not exist. */
function holders(folder: string, fragments: string[]): string[] {
  const wanted = fragments.map((fragment) => Buffer.from(fragment));
  return regularFiles(folder).filter((path) => {
    const bytes = contentOf(path);
    return bytes !== undefined && holds(bytes, wanted);
  });
}

function regularFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return []; // No such folder: no copies in it.
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    const { size }: Stats = statSync(path);
    return size > MOST_BYTES ? undefined : readFileSync(path);
  } catch {
    return undefined; // Removed meanwhile by a drain.
  }
}

/** Tells whether a file's bytes hold one of these fragments, also within the packed records of a `git mem site` page. */
export function holdsText(bytes: Buffer, fragments: readonly string[]): boolean {
  const wanted = fragments.map((fragment) => Buffer.from(fragment));
  return holds(bytes, wanted) || holds(siteData(bytes), wanted);
}

/** The text before the records in a page of `git mem site`; the records are gzip in base64. */
export const SITE_DATA = 'type="application/octet-stream" id="data">';

/** Installed packages are left out: they have many files, and no memory is exported there. */
async function inWorkingTree({ checkout, env }: Workspace, fragments: string[]): Promise<string[]> {
  const where = ['--untracked', '--no-exclude-standard', '-f', '-', '--', ':(exclude,glob)**/node_modules/**'];
  const output = await readGit(checkout.root, ['grep', '-l', '-z', '-F', ...where], env, {
    input: [...fragments, SITE_DATA].join('\n'),
    patienceMs: COMMAND_PATIENCE_MS,
    answers: [0, 1],
  });
  const paths = output?.toString('utf8').split('\0').filter(Boolean) ?? [];
  return paths
    .map((path) => join(checkout.root, path.split('/').join(sep)))
    .filter((path) => {
      const bytes = contentOf(path);
      return bytes !== undefined && holdsText(bytes, fragments);
    });
}

function holds(bytes: Buffer, wanted: Buffer[]): boolean {
  return wanted.some((fragment) => bytes.includes(fragment));
}

/** The records within a page of `git mem site`; empty for any other file. */
function siteData(bytes: Buffer): Buffer {
  const start = bytes.indexOf(SITE_DATA);
  if (start < 0) return Buffer.alloc(0);
  const packed = bytes.subarray(start + SITE_DATA.length, bytes.indexOf('<', start + SITE_DATA.length));
  try {
    return gunzipSync(Buffer.from(packed.toString('latin1'), 'base64'));
  } catch {
    return Buffer.alloc(0); // Not such a page: it only contains the text, as this file does.
  }
}
