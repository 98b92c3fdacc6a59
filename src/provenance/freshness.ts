import type { Freshness } from './levels.ts';
import { stands } from './names.ts';

/** A file that a record cites, as it was when the record was made. */
export interface CitedFile {
  path: string;
  /** The blob ids under which it is unchanged: its content at capture, and in the commit that added the record. */
  blobs: string[];
  /** The record's names that stood in it; undefined if that content cannot be read here. */
  names?: string[];
  /** Then all that the record says: none of them is missing if each stands somewhere now. */
  said?: string[];
  /** The commit that added the record does not have it: the same change removed it, or git never had it. */
  isUncommitted?: true;
}

/** A file as it is now. */
export interface Content {
  /** Undefined where that cannot be told. */
  has(name: string): boolean | undefined;
  /** Tells whether it is this blob, whatever line ends the checkout gave it. */
  is(blob: string): boolean;
}

/** Where files are now. Every surface asks the same one, so that all of them give the same answer. */
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
  /** Its current path, where it was renamed. */
  movedTo?: string;
}

/** A name that no cited file has any more, with the file in which it stood. Keys are those of the JSON. */
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

/** Change logs, lockfiles and version files: every change edits them, so what goes from them says nothing. */
const CHURNING =
  /^(?:(?:change(?:log|s)|history|news|releases|release[-_]notes)(?:\.(?:md|rst|txt|adoc))?|version(?:\.(?:txt|rb))?|_{0,2}version_{0,2}\.py|npm-shrinkwrap\.json|go(?:\.work)?\.sum|[^/]+\.(?:lock|lockb|lockfile)|[^/]+[.-]lock\.(?:json|ya?ml))$/i;

interface Seen extends CitedFile {
  now: Content | 'gone' | 'unknown';
  movedTo?: string;
}

/**
 * Judges a record by the names that it says: those that stood in a cited file must stand in one of them now. A name that
 * stood in several of them and is left in one is not missing.
 */
export function judged(cited: readonly CitedFile[], files: Whereabouts): RecordFreshness {
  const steady = cited.map((file) =>
    CHURNING.test(file.path.slice(file.path.lastIndexOf('/') + 1)) ? { ...file, names: [], said: [] } : file,
  );
  const seen = steady.flatMap((file) => look(file, files) ?? []);
  const contents = seen.flatMap(({ now }) => (typeof now === 'object' ? [now] : []));
  // Where one of its files cannot be read, a name may still stand there.
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
  // Without the content of then, only names that all stand there now say something.
  const known = seen.map(({ said, ...file }) => {
    const names = said?.every((name) => isMissing(name) === false) ? said : undefined;
    return { ...(names && { names }), ...file };
  });
  const states = known.map((file): FileFreshness => {
    const { path, movedTo } = file;
    return { path, freshness: freshnessOf(file, isMissing), ...(movedTo !== undefined && { movedTo }) };
  });
  // A name that stood in a file that is gone may be missing, where nobody can read which names those were.
  const isOpen = known.some(({ now, names }) => now === 'gone' && names === undefined);
  return { freshness: whole(states, missing, isOpen), files: states, missing };
}

/** What is at its place or at its current one now; undefined where the record itself told of its removal. */
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

/** One of several files that is gone says nothing against a record whose names all stand in the others. */
function whole(files: readonly FileFreshness[], missing: readonly MissingName[], isOpen: boolean): Freshness {
  const states = files.map(({ freshness }) => freshness);
  if (states.length > 0 && states.every((state) => state === 'gone')) return 'gone';
  if (missing.length > 0) return 'touched';
  if (states.length === 0 || isOpen || states.includes('unknown')) return 'unknown';
  return states.includes('moved') ? 'moved' : 'fresh';
}

/** What a reader is told of a record that is touched, in few words: `parseClaims` is no longer in src/auth.ts. */
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
      // No text, or one that is not in UTF-8.
      return stands(name, text) || (bytes.includes(0) ? undefined : false);
    },
  };
}

/** Tells whether this is what git LFS put in the place of a file: only pointers can be compared with it. */
export function isPointer(text: string): boolean {
  return text.startsWith('version https://git-lfs.github.com/spec/');
}
