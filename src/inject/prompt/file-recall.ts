import { posix, resolve } from 'node:path';
import { realPath } from '../../git/locate.ts';
import { below } from '../../git/paths.ts';
import type { IndexedDocument, MemoryIndex } from '../../index/memory-index.ts';
import { tokenizeWords } from '../../index/tokens.ts';
import { isRule, type Observation } from '../../memory/record.ts';
import { namesIn, stands } from '../../provenance/names.ts';
import { workingFile } from '../../provenance/working-file.ts';
import { isInformative } from '../../search/topic-words.ts';

/** A record, and the file about to be read or changed that it cites. */
export interface FileHit {
  document: IndexedDocument;
  path: string;
  /** The path as the record has it: a former one if the file was renamed. */
  cited: string;
}

/** Most records injected with a read: a session has dozens of reads, and each adds to the context. */
export const MOST_FOR_FILES = 3;

/** Most files cited by a record that modified, or only read, the file: with more, it is about none in particular. */
const MODIFIED_AMONG = 12;
const READ_AMONG = 3;

/**
 * The observations about these files, best first: those that modified one come before those that only read it, then
 * those that cite fewer files, then newer ones. `paths` are relative to the top of the checkout; `formerNames` returns
 * a file's former names.
 */
export function findForFiles(
  index: MemoryIndex,
  paths: readonly string[],
  formerNames: (path: string) => string[] = () => [],
): FileHit[] {
  // By row, not by id: an untrusted file may claim the id of another.
  const hits = new Map<number, FileHit & { weight: number }>();
  const names = paths.flatMap((path) => [path, ...formerNames(path)].map((cited) => ({ path, cited })));
  for (const { path, cited } of names) {
    for (const document of index.documents(index.citing(cited))) {
      const weight = weightOf(document, cited);
      const known = hits.get(document.row);
      if (weight > 0 && (known === undefined || known.weight < weight)) {
        hits.set(document.row, { document, path, cited, weight });
      }
    }
  }
  return [...hits.values()].sort(
    (a, b) => b.weight - a.weight || (a.document.card.created < b.document.card.created ? 1 : -1),
  );
}

/** Above 1 for an observation that modified the file, up to 1 for one that read it, 0 if it cites too many files. */
function weightOf({ card }: IndexedDocument, path: string): number {
  const at = card.files.indexOf(path);
  if (card.kind !== 'observation' || at < 0) return 0;
  const isModified = at < card.modified;
  if (card.files.length > (isModified ? MODIFIED_AMONG : READ_AMONG)) return 0;
  return (isModified ? 1 : 0) + 1 / card.files.length;
}

/** Largest file searched for names, in bytes: an agent is waiting. */
const MOST_BYTES = 1_000_000;

export interface Reading {
  /** The first and last line, counted from 1; absent for a whole file. */
  lines?: readonly [number, number] | undefined;
  isEdit: boolean;
}

/**
 * Returns a test of whether a record bears on the part of a file that is read: a name that it mentions or a line that
 * it cites is in that part, or the file is its main subject. Before an edit, every rule does. Each file is read once.
 */
export function readBearing(root: string, { lines, isEdit }: Reading): (record: Observation, hit: FileHit) => boolean {
  const files = new Map<string, { whole: string; part: string }>();
  function textOf(path: string) {
    const bytes = workingFile(root, path, () => true);
    const whole = bytes === undefined || bytes.length > MOST_BYTES ? '' : bytes.toString('utf8');
    const part = lines ? whole.split('\n').slice(lines[0] - 1, lines[1]) : [whole];
    return { whole, part: part.join('\n') };
  }
  return (record, { path, cited }) => {
    if (isEdit && isRule(record)) return true;
    const { whole, part } = files.get(path) ?? textOf(path);
    files.set(path, { whole, part });
    const names = namesIn(record);
    const inTitle = () => names.some((name) => stands(name, record.title) && stands(name, whole));
    const isFirst = [...record.files_modified, ...record.files_read][0] === cited;
    return (
      names.some((name) => stands(name, part)) ||
      citesLines(record, cited, lines) ||
      (isFirst && (namesFile(record.title, cited) || namesFile(record.title, path) || inTitle()))
    );
  };
}

/** Tells whether a record cites, as in `limit.ts:12-40`, any of the lines of a file that are read. */
function citesLines({ title, narrative, facts }: Observation, cited: string, lines: Reading['lines']): boolean {
  const text = [title, narrative, ...facts].join('\n');
  const [, after = ''] = text.split(`${posix.basename(cited)}:`, 2);
  const found = /^(\d+)(?:-(\d+))?/.exec(after);
  if (found === null || lines === undefined) return found !== null;
  return Number(found[1]) <= lines[1] && Number(found[2] ?? found[1]) >= lines[0];
}

/** Tells whether a title names a file: by its name, or by all words in it, if any tells something about a topic. */
function namesFile(title: string, path: string): boolean {
  const name = posix.basename(path);
  if (stands(name, title)) return true;
  const said = new Set(tokenizeWords(title).flat());
  const words = tokenizeWords(name.replace(/\..*$/s, '')).flatMap((tokens) =>
    tokens.length > 1 ? tokens.slice(0, -1) : tokens,
  );
  return words.some(isInformative) && words.every((word) => said.has(word));
}

/** Those of the paths that are inside the checkout, as records write them, without those in the memory itself. */
export function repositoryPaths(root: string, { cwd, paths }: { cwd: string; paths: readonly string[] }): string[] {
  const inside = paths.flatMap((path) => {
    const absolute = resolve(cwd || root, path);
    // Hosts may name the checkout through a symbolic link. A file that is about to be created has no real path.
    const within = below(root, absolute) ?? below(root, realPath(absolute));
    return within === undefined || within.startsWith('.memory') ? [] : [within];
  });
  return [...new Set(inside)];
}
