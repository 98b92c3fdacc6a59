import { FOLDERS, parseFileName } from '../../memory/file-name.ts';
import { MAX_HOOK_BYTES } from '../../memory/size.ts';
import { greatestFirst } from '../../memory/store/greatest-first.ts';
import { readKnownPaths } from '../../memory/store/ledger.ts';
import { byTime } from '../../memory/store/source.ts';
import type { Entry, Listing, Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { keptFolder } from '../../provenance/kept-trees.ts';
import { type Trust, trustOf } from '../../provenance/trust.ts';

/** A file with the trust that its blob has. */
export interface JudgedFile {
  file: StoredFile;
  trust: Trust;
}

/** How many of the newest trusted records a session start chooses from: their number, not the store's, sets its cost. */
const POOL = { observation: 60, summary: 10 } as const;
type Wanted = keyof typeof POOL;

/** Names of untrusted files that are counted at most, among as many of the newest names, once it is known which are trusted. */
export const MOST_COUNTED = 250;

/** Files of the team's store that are too large or dated in the future, of which so many are passed over before git is asked. */
const MOST_PASSED_OVER = 200;

/** How often further files are read because people edited reviewed ones. */
const MOST_ROUNDS = 4;

/** Records dated later than this from now have an invented date, or were written with a wrong clock. In milliseconds. */
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

export interface NewestOptions {
  branches: string[];
  isWanted: (trust: Trust) => boolean;
  /** What is to be judged with the files of these ids, `isFirst` once and for all: one git child answers for both. */
  speakers: (ids: Set<string>, isFirst: boolean) => Promise<StoredFile[]>;
  nowMs: number;
}

/** What was found on the way to the newest wanted records. */
export interface Newest {
  newest: JudgedFile[];
  /** The speakers on them. */
  others: JudgedFile[];
  /** Not wanted; of most of them only the name was looked at. */
  strange: { entry: Entry; trust: Trust }[];
  /** Too large to be read. */
  oversize: Entry[];
  /** Dated in the future. */
  future: Entry[];
}

/**
 * The newest wanted observations and summaries of both stores, newest first, just as many as there would be had nobody
 * else written any. Files that are dated in the future are passed over, unless all are: then the clock is wrong.
 */
export async function newestJudged(workspace: Workspace, options: NewestOptions): Promise<Newest> {
  const latest = new Date(options.nowMs + CLOCK_SKEW_MS).toISOString();
  const found = await newestUntil(workspace, { ...options, latest });
  const isNothing = found.newest.length + found.strange.length + found.oversize.length === 0;
  return isNothing && found.future.length > 0 ? newestUntil(workspace, { ...options, latest: '~' }) : found;
}

interface Queue {
  kind: Wanted;
  files: Generator<StoredFile, End>;
  seen: JudgedFile[];
  isEmpty: boolean;
}

/**
 * The newest files are looked at first, which nearly always is enough. Where a branch brought too many others, git and the
 * ledger are asked which files are trusted, and the others are not read.
 */
async function newestUntil(
  workspace: Workspace,
  { branches, isWanted, speakers, latest }: NewestOptions & { latest: string },
): Promise<Newest> {
  const stores = [workspace.stores.team, workspace.stores.private];
  const found: Newest = { newest: [], others: [], strange: [], oversize: [], future: [] };
  const strange = new Map<string, Newest['strange'][number]>();
  const isPast = (entry: Entry) => {
    // What this machine wrote for itself was dated by its own clock.
    if (entry.store === 'private' || entry.time <= latest) return true;
    if (found.future.length < MOST_COUNTED) found.future.push(entry);
    return false;
  };
  const wanted = ({ seen }: Queue) => seen.filter(({ file, trust }) => isWanted(trust) && !isDigest(file));
  const isShort = (queue: Queue) => !queue.isEmpty && wanted(queue).length < POOL[queue.kind];
  const queueOf = (kind: Wanted, known?: Set<string>): Queue => {
    const entriesOf = (store: Store) =>
      known === undefined || store.name === 'private' ? store.newest(kind) : entriesAt(kind, known);
    const mostPassed = known === undefined ? MOST_PASSED_OVER : Number.POSITIVE_INFINITY;
    const files = inTime(stores, entriesOf, { oversize: found.oversize, admit: isPast, mostPassed });
    return { kind, files, seen: [], isEmpty: false };
  };

  let queues = (['observation', 'summary'] satisfies Wanted[]).map((kind) => queueOf(kind));
  await look(queues, true);
  if (queues.some(isShort)) {
    const trusted = await trustedPaths(workspace, branches);
    for (const { kind } of queues.filter(isShort)) countOthers(kind, trusted);
    for (const list of [found.oversize, found.future]) list.length = 0;
    queues = queues.map((queue) => (isShort(queue) ? queueOf(queue.kind, trusted) : queue));
    // People may have edited some of them, which then are not wanted either.
    for (let round = 0; round < MOST_ROUNDS && queues.some(isShort); round++) await look(queues.filter(isShort), false);
  }
  for (const queue of queues) found.newest.push(...wanted(queue).slice(0, POOL[queue.kind]));
  found.strange.push(...strange.values());
  return found;

  /** Of what a branch brought the newest are counted, by their names. */
  function countOthers(kind: Wanted, trusted: Set<string>): void {
    let left = MOST_COUNTED;
    for (const entry of workspace.stores.team.newest(kind)) {
      if (!trusted.has(entry.path)) strange.set(entry.path, { entry, trust: 'unreviewed' });
      // Not one more, for which a large folder would have to be listed.
      if (--left === 0 || strange.size >= MOST_COUNTED) return;
    }
  }

  async function look(open: Queue[], isFirst: boolean): Promise<void> {
    const fresh = open.map((queue) => {
      const count = POOL[queue.kind] - wanted(queue).length;
      const { files, isEmpty } = take(queue.files, count);
      queue.isEmpty = isEmpty;
      return { queue, files };
    });
    const files = fresh.flatMap((one) => one.files);
    const said = await speakers(new Set(files.map(({ entry }) => entry.id)), isFirst);
    const judged = await judgeFiles(workspace, [...files, ...said], branches);
    for (const { queue, files: own } of fresh) {
      const seen = judged.splice(0, own.length);
      queue.seen.push(...seen);
      for (const { file, trust } of seen) {
        if (!isWanted(trust)) strange.set(file.entry.path, { entry: file.entry, trust });
      }
    }
    found.others.push(...judged);
  }
}

/** The observations and summaries of the team's store that may be trusted, by what git and the ledger know. */
export async function trustedPaths(workspace: Workspace, branches: string[]): Promise<Set<string>> {
  const paths = readKnownPaths(workspace);
  const folders = [FOLDERS.observation, FOLDERS.summary].map((folder) => `.memory/${folder}`);
  const trees = branches.flatMap((branch) => folders.map((folder) => keptFolder(workspace, branch, folder)));
  for (const { path } of (await Promise.all(trees)).flatMap((tree) => tree ?? [])) {
    paths.add(path.slice('.memory/'.length));
  }
  return paths;
}

/** The trust of files that are not decoded yet. */
export async function judgeFiles(workspace: Workspace, files: StoredFile[], branches: string[]): Promise<JudgedFile[]> {
  const levels = await trustOf(files, workspace, { branches, signatures: true });
  return files.map((file, i) => ({ file, trust: levels[i] ?? 'unreviewed' }));
}

/** Entries of a kind at some paths of the team's store, newest first, whether they are there or not. */
function* entriesAt(kind: Wanted, paths: Iterable<string>): Generator<Entry> {
  const folder = `${FOLDERS[kind]}/`;
  const keys = [...paths].flatMap((path) => {
    return path.startsWith(folder) ? [`${byTime(path.slice(path.lastIndexOf('/') + 1))}/${path}`] : [];
  });
  for (const key of greatestFirst(keys)) {
    const path = key.slice(key.indexOf(folder));
    const name = parseFileName(path);
    if (name !== undefined) yield { store: 'team', kind, path, ...name };
  }
}

/** A store with names that were read once. */
export interface Listed {
  store: Store;
  listing: Listing;
}

/** The files whose bare name is wanted, newest first; what cannot be read is left out. */
export function filesOf(lists: Listed[], isWanted: (name: string) => boolean): StoredFile[] {
  return lists.flatMap(({ store, listing }) => {
    const entries = listing.matching(isWanted);
    return entries.sort((a, b) => (isLater(a, b) ? -1 : 1)).flatMap((entry) => loaded(store, entry));
  });
}

/** Whether files were left out: too many of those on the way may not be injected. */
type End = 'all' | 'given up';

/**
 * Admitted files of both stores that may be injected, newest first; what is too large to be read goes to `oversize`. Gives
 * up after it passed over more than `mostPassed` of the team's.
 */
function* inTime(
  stores: Store[],
  entriesOf: (store: Store) => Generator<Entry>,
  { oversize, admit, mostPassed }: { oversize: Entry[]; admit: (entry: Entry) => boolean; mostPassed: number },
): Generator<StoredFile, End> {
  const queues = stores.map((store) => ({ store, entries: entriesOf(store) }));
  const heads = queues.map(({ store, entries }) => ({ store, entries, next: entries.next() }));
  let digests = 0;
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
    const isOversize = size === undefined ? undefined : size > MAX_HOOK_BYTES;
    if (isOversize) oversize.push(entry);
    if (isOversize !== false) {
      // Its name, and perhaps its size, is all that is looked at; or it is not there.
      if (store.name === 'team' && ++passed > mostPassed) return 'given up';
    } else {
      const files = loaded(store, entry);
      const isPassedOver = store.name === 'private' && files.some(isDigest);
      if (!isPassedOver) yield* files;
      else if (++digests >= MOST_DIGESTS) heads.splice(heads.indexOf(first), 1);
    }
    first.next = first.entries.next();
  }
}

/** So many sessions back nobody's summary is news: a private store has a digest of each session. */
const MOST_DIGESTS = 60;

/** Front matter is longer only where somebody cites hundreds of files, and the type is one of its first lines. */
const HEAD_CHARS = 400;

/** Tells whether a file is the private digest of a session: it is there to be searched, and never injected. */
function isDigest({ entry, text }: StoredFile): boolean {
  return entry.kind === 'summary' && /^type: "?digest"?$/m.test(text.slice(0, HEAD_CHARS));
}

function isLater(a: Entry, b: Entry): boolean {
  return a.time === b.time ? a.id > b.id : a.time > b.time;
}

function take(files: Generator<StoredFile, End>, count: number): { files: StoredFile[]; isEmpty: boolean } {
  const taken: StoredFile[] = [];
  // Not `for of`, which would close the generator.
  while (taken.length < count) {
    const next = files.next();
    if (next.done) return { files: taken, isEmpty: next.value === 'all' };
    taken.push(next.value);
  }
  return { files: taken, isEmpty: false };
}

function loaded(store: Store, entry: Entry): StoredFile[] {
  try {
    return [store.load(entry, MAX_HOOK_BYTES)];
  } catch {
    return []; // No regular file, too large, or gone just now: `git mem check` tells.
  }
}
