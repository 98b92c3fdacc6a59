import { MAX_HOOK_BYTES } from '../../memory/size.ts';
import { type Entry, loadable, type StoredFile } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';

// The files of both stores, newest first, read only as they are needed.

/** The kinds of records that a session start chooses from. */
export type Wanted = 'observation' | 'summary';

/** Why there are no more files: all were given, or too many were passed over. */
export type End = 'all' | 'given up';

/**
 * Admitted files of both stores that may be injected, newest first. Files too large to read are put into `oversize`,
 * and private session digests into `digests`. Gives up after passing over more than `mostPassed` files of the team's
 * store.
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
      // Not admitted by its name, too large, or gone.
      if (size !== undefined) oversize.push(entry);
      if (store.name === 'team' && ++passed > mostPassed) return 'given up';
    }
    first.next = first.entries.next();
  }
}

/** The next files, at most `count`; `isEmpty` if all were given, not if the generator gave up. */
export function take(files: Generator<StoredFile, End>, count: number): { files: StoredFile[]; isEmpty: boolean } {
  const taken: StoredFile[] = [];
  // Not with `for of`, which would close the generator.
  while (taken.length < count) {
    const next = files.next();
    if (next.done) return { files: taken, isEmpty: next.value === 'all' };
    taken.push(next.value);
  }
  return { files: taken, isEmpty: false };
}

/** The files of these entries of a store, newest first, without unreadable ones. */
export function filesOf(store: Store, entries: Entry[]): StoredFile[] {
  const ordered = entries.toSorted((a, b) => (isLater(a, b) ? -1 : 1));
  return ordered.flatMap((entry) => loadable(store, entry, MAX_HOOK_BYTES) ?? []);
}

/** A private store has a digest of each session; after this many, no older summary in it is news. */
const MOST_DIGESTS = 60;

/** How much of a file is searched for its type, which is one of the first lines of the front matter. */
const HEAD_CHARS = 400;

/** Tells whether a file is the digest of a session, without decoding it. */
export function isDigest({ entry, text }: StoredFile): boolean {
  return entry.kind === 'summary' && /^type: "?digest"?$/m.test(text.slice(0, HEAD_CHARS));
}

function isLater(a: Entry, b: Entry): boolean {
  return a.time === b.time ? a.id > b.id : a.time > b.time;
}
