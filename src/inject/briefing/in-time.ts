import { MAX_HOOK_BYTES } from '../../memory/size.ts';
import { type Entry, loadable, type StoredFile } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';

// Files of both stores in the order of their times, read lazily.

/** The kinds of records that a session start chooses from. */
export type Wanted = 'observation' | 'summary';

/** Why the files ended: all were given, or too many were passed over. */
export type End = 'all' | 'given up';

/**
 * Admitted files of both stores that may be injected, newest first; files too large to read go to `oversize`, private
 * digests of sessions to `digests`. Gives up after passing over more than `mostPassed` of the team's.
 */
export function* inTime(
  stores: Store[],
  entriesOf: (store: Store) => Generator<Entry>,
  {
    oversize,
    digests,
    admit,
    mostPassed,
  }: { oversize: Entry[]; digests: StoredFile[]; admit: (entry: Entry) => boolean; mostPassed: number },
): Generator<StoredFile, End> {
  const heads = stores.map((store) => {
    const entries = entriesOf(store);
    return { store, entries, next: entries.next() };
  });
  let passed = 0;
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (first === undefined || first.next.done || isLater(head.next.value, first.next.value)) first = head;
    }
    if (first === undefined || first.next.done) return 'all';
    const { store, next } = first;
    const entry = next.value;
    const size = admit(entry) ? store.files.state(entry.path)?.size : undefined;
    if (size !== undefined && size <= MAX_HOOK_BYTES) {
      const file = loadable(store, entry, MAX_HOOK_BYTES);
      if (file !== undefined && store.name === 'private' && isDigest(file)) {
        if (digests.push(file) >= MOST_DIGESTS) heads.splice(heads.indexOf(first), 1);
      } else if (file !== undefined) yield file;
    } else {
      // Only its name, and perhaps its size, was checked; or it does not exist.
      if (size !== undefined) oversize.push(entry);
      if (store.name === 'team' && ++passed > mostPassed) return 'given up';
    }
    first.next = first.entries.next();
  }
}

/** The next files; `isEmpty` where there are no more. */
export function take(files: Generator<StoredFile, End>, count: number): { files: StoredFile[]; isEmpty: boolean } {
  const taken: StoredFile[] = [];
  // Not `for of`, which would close the generator.
  while (taken.length < count) {
    const next = files.next();
    if (next.done) return { files: taken, isEmpty: next.value === 'all' };
    taken.push(next.value);
  }
  return { files: taken, isEmpty: false };
}

/** The readable files of some entries of a store, newest first. */
export function filesOf(store: Store, entries: Entry[]): StoredFile[] {
  const ordered = entries.toSorted((a, b) => (isLater(a, b) ? -1 : 1));
  return ordered.flatMap((entry) => loadable(store, entry, MAX_HOOK_BYTES) ?? []);
}

/** No summary older than this many sessions is news: a private store has a digest of each session. */
const MOST_DIGESTS = 60;

/** Front matter is longer only if it cites hundreds of files, and the type is one of its first lines. */
const HEAD_CHARS = 400;

/** Tells whether a file is the private digest of a session. */
export function isDigest({ entry, text }: StoredFile): boolean {
  return entry.kind === 'summary' && /^type: "?digest"?$/m.test(text.slice(0, HEAD_CHARS));
}

function isLater(a: Entry, b: Entry): boolean {
  return a.time === b.time ? a.id > b.id : a.time > b.time;
}
