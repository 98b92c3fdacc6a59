import type { Freshness } from './levels.ts';
import { stands } from './names.ts';

/** A file that a record cites, as it was when the record was made. */
export interface CitedFile {
  path: string;
  /** The blob ids under which it is unchanged: its content at capture, and in the commit that added the record. */
  blobs: string[];
  /** The record's names that it contained; undefined if that content cannot be read here. */
  names?: string[];
  /** If so, every name in the record; none is missing if each still appears somewhere. */
  said?: string[];
  /** The commit that added the record lacks it: the same change removed it, or git never had it. */
  isUncommitted?: true;
}

/** A file as it is now. */
export interface Content {
  /** Undefined if unknown. */
  has(name: string): boolean | undefined;
  /** Whether it is this blob, whatever line endings the checkout gave it. */
  is(blob: string): boolean;
}

/** Where files are now. Every surface uses the same one, so that all of them agree. */
export interface Whereabouts {
  /** `unknown`: it cannot be read here. */
  content(path: string): Content | 'missing' | 'unknown';
  /** The current path of a missing file; `unknown` if history was not searched for it yet. */
  nowAt(file: CitedFile): { path: string } | 'gone' | 'unknown';
}

/** What became of one cited file. */
export interface FileFreshness {
  path: string;
  freshness: Freshness;
  /** Its current path, if it was renamed. */
  movedTo?: string;
}

/** A name that no cited file has any more, with the file that had it. Keys are those of the JSON. */
export interface MissingName {
  path: string;
  name: string;
}

export interface RecordFreshness {
  freshness: Freshness;
  files: FileFreshness[];
  missing: MissingName[];
}

/** A record that cites nothing, or nothing that can be judged. */
export const UNKNOWN: RecordFreshness = { freshness: 'unknown', files: [], missing: [] };

/** Change logs, lockfiles and version files: every change edits them, so what disappears from them means nothing. */
const CHURNING =
  /^(?:(?:change(?:log|s)|history|news|releases|release[-_]notes)(?:\.(?:md|rst|txt|adoc))?|version(?:\.(?:txt|rb))?|_{0,2}version_{0,2}\.py|npm-shrinkwrap\.json|go(?:\.work)?\.sum|[^/]+\.(?:lock|lockb|lockfile)|[^/]+[.-]lock\.(?:json|ya?ml))$/i;

interface Seen extends CitedFile {
  now: Content | 'gone' | 'unknown';
  movedTo?: string;
}

/**
 * Judges a record by the names that it mentions: those that were in a cited file must be in one of them now. A name
 * that was in several of them and is left in one is not missing.
 */
export function judged(cited: readonly CitedFile[], files: Whereabouts): RecordFreshness {
  const steady = cited.map((file) =>
    CHURNING.test(file.path.slice(file.path.lastIndexOf('/') + 1)) ? { ...file, names: [], said: [] } : file,
  );
  const seen = steady.flatMap((file) => look(file, files) ?? []);
  const contents = seen.flatMap(({ now }) => (typeof now === 'object' ? [now] : []));
  // A name may still be in a file that cannot be read.
  const unread = new Set(seen.flatMap(({ now, names = [] }) => (now === 'unknown' ? names : [])));
  const answers = new Map<string, boolean | undefined>();
  const isMissing = (name: string) => {
    if (!answers.has(name)) {
      const found = contents.map((content) => content.has(name));
      const isOpen = unread.has(name) || found.includes(undefined);
      answers.set(name, found.includes(true) ? false : isOpen ? undefined : true);
    }
    return answers.get(name);
  };
  const missing = seen.flatMap(({ path, names = [] }) =>
    names.filter(isMissing).map((name): MissingName => ({ path, name })),
  );
  // Without the former content, names prove something only if all of them are there now.
  const known = seen.map(({ said, ...file }) => {
    const names = said?.every((name) => isMissing(name) === false) ? said : undefined;
    return { ...(names && { names }), ...file };
  });
  const states = known.map((file): FileFreshness => {
    const { path, movedTo } = file;
    return { path, freshness: freshnessOf(file, isMissing), ...(movedTo !== undefined && { movedTo }) };
  });
  // A deleted file whose former content cannot be read may have had a name that is missing now.
  const isOpen = known.some(({ now, names }) => now === 'gone' && names === undefined);
  return { freshness: whole(states, missing, isOpen), files: states, missing };
}

/** The content at its path or its new one; undefined if the commit that added the record already lacked it. */
function look(file: CitedFile, files: Whereabouts): Seen | undefined {
  const here = files.content(file.path);
  if (here !== 'missing') return { ...file, now: here };
  const where = files.nowAt(file);
  const there = typeof where === 'object' ? files.content(where.path) : 'missing';
  if (typeof where === 'object' && there !== 'missing') return { ...file, now: there, movedTo: where.path };
  if (file.isUncommitted) return undefined;
  return { ...file, now: where === 'unknown' ? 'unknown' : 'gone' };
}

function freshnessOf(
  { now, blobs, names, movedTo }: Seen,
  isMissing: (name: string) => boolean | undefined,
): Freshness {
  if (typeof now === 'string') return now;
  const answers = names?.map(isMissing) ?? [undefined];
  if (answers.includes(true)) return 'touched';
  if (answers.includes(undefined) && !blobs.some((blob) => now.is(blob))) return 'unknown';
  return movedTo === undefined ? 'fresh' : 'moved';
}

/** One deleted file of several does not count against a record whose names are all in the others. */
function whole(files: readonly FileFreshness[], missing: readonly MissingName[], isOpen: boolean): Freshness {
  const states = files.map(({ freshness }) => freshness);
  if (states.length > 0 && states.every((state) => state === 'gone')) return 'gone';
  if (missing.length > 0) return 'touched';
  if (states.length === 0 || isOpen || states.includes('unknown')) return 'unknown';
  return states.includes('moved') ? 'moved' : 'fresh';
}

/** What a reader is told about a touched record, in a few words: `parseClaims` is no longer in src/auth.ts. */
export function missingWords(missing: readonly MissingName[]): string {
  const [first] = missing;
  if (first === undefined) return '';
  const others = new Set(missing.map(({ name }) => name)).size - 1;
  const more = others > 0 ? ` and ${others} more` : '';
  return `\`${first.name}\`${more} ${others > 0 ? 'are' : 'is'} no longer in ${first.path}`;
}

/** The content of a file whose bytes are at hand; `is` tells whether they are a blob. */
export function contentOf(bytes: Buffer, is: (blob: string) => boolean): Content {
  let text: string | undefined;
  return {
    is,
    has(name) {
      text ??= bytes.toString('utf8');
      if (isPointer(text)) return undefined;
      // Not text, or not in UTF-8.
      return stands(name, text) || (bytes.includes(0) ? undefined : false);
    },
  };
}

/** Whether this is a git LFS pointer in place of a file, which can only be compared with other pointers. */
export function isPointer(text: string): boolean {
  return text.startsWith('version https://git-lfs.github.com/spec/');
}
