import type { Kind } from '../memory/record.ts';
import { isTrusted, type Trust, trustOf } from '../provenance/trust.ts';
import { objectIds } from '../repo/objects.ts';
import { readLedgers } from '../store/ledger.ts';
import type { Entry, Listing, Store, StoredFile } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';

/** A file with the trust that its blob has. */
export interface JudgedFile {
  file: StoredFile;
  trust: Trust;
}

/** How many of the newest trusted records a session start chooses from: their number, not the store's, sets its cost. */
const POOL = { observation: 60, summary: 10 } as const;
type Wanted = keyof typeof POOL;

/** A stranger's branch may bring any number of newer records: then more files of a kind are looked at, in these steps. */
const FURTHER = [240, 960];

/** A larger file is no candidate: whatever somebody's branch brings, a session start reads little of it. In bytes. */
const MAX_BYTES = 64 * 1024;

export interface NewestOptions {
  branches: string[];
  isWanted: (trust: Trust) => boolean;
  /** What is to be judged with the files of these ids, `isFirst` once and for all: one git child answers for both. */
  speakers: (ids: Set<string>, isFirst: boolean) => Promise<StoredFile[]>;
}

/**
 * The newest wanted observations and summaries of both stores, newest first, just as many as there would be had nobody
 * else written any; the speakers on them; and what was seen on the way and is not wanted, or is too large to be read.
 */
export async function newestJudged(
  workspace: Workspace,
  { branches, isWanted, speakers }: NewestOptions,
): Promise<{ newest: JudgedFile[]; others: JudgedFile[]; strange: JudgedFile[]; oversize: Entry[] }> {
  const stores = [workspace.stores.team, workspace.stores.private];
  const kinds: Wanted[] = ['observation', 'summary'];
  const oversize: Entry[] = [];
  const queues = kinds.map((kind) => {
    return { kind, files: inTime(stores, kind, oversize), seen: [] as JudgedFile[], isEmpty: false };
  });
  const others: JudgedFile[] = [];
  for (const step of [0, ...FURTHER]) {
    const open = queues.filter(({ kind, seen, isEmpty }) => !isEmpty && wanted(seen).length < POOL[kind]);
    if (open.length === 0 || (step > 0 && !(await isWorthwhile()))) break;
    const fresh = open.map((queue) => {
      const count = (step || POOL[queue.kind]) - queue.seen.length;
      const files = take(queue.files, count);
      queue.isEmpty = files.length < count;
      return { queue, files };
    });
    const files = fresh.flatMap((one) => one.files);
    const said = await speakers(new Set(files.map(({ entry }) => entry.id)), step === 0);
    const judged = await judgeFiles(workspace, [...files, ...said], branches);
    for (const { queue, files: own } of fresh) queue.seen.push(...judged.splice(0, own.length));
    others.push(...judged);
  }
  const newest = queues.flatMap(({ kind, seen }) => wanted(seen).slice(0, POOL[kind]));
  const strange = queues.flatMap(({ seen }) => seen.filter(({ trust }) => !isWanted(trust)));
  return { newest, others, strange, oversize };

  function wanted(seen: JudgedFile[]): JudgedFile[] {
    return seen.filter(({ trust }) => isWanted(trust));
  }

  /** Where nothing was ever accepted, looking further finds nothing. */
  async function isWorthwhile(): Promise<boolean> {
    if (queues.some(({ seen }) => seen.some(({ trust }) => isTrusted(trust)))) return true;
    if (readLedgers(workspace).size > 0) return true;
    const folders = branches.map((branch) => `${branch}:.memory/observations`);
    return ((await objectIds(workspace.checkout.root, folders, workspace.env)) ?? []).some(
      (tree) => tree !== undefined,
    );
  }
}

/** The trust of files that are not decoded yet. */
export async function judgeFiles(workspace: Workspace, files: StoredFile[], branches: string[]): Promise<JudgedFile[]> {
  const levels = await trustOf(files, workspace, { branches, signatures: true });
  return files.map((file, i) => ({ file, trust: levels[i] ?? 'unreviewed' }));
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

/** Files of both stores that may be injected, newest first; what is too large to be read goes to `oversize`. */
function* inTime(stores: Store[], kind: Kind, oversize: Entry[]): Generator<StoredFile> {
  const queues = stores.map((store) => ({ store, entries: store.newest(kind) }));
  const heads = queues.map(({ store, entries }) => ({ store, entries, next: entries.next() }));
  let digests = 0;
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (first === undefined || first.next.done || isLater(head.next.value, first.next.value)) first = head;
    }
    if (first === undefined || first.next.done) return;
    const { store, next } = first;
    if ((store.files.state(next.value.path)?.size ?? 0) > MAX_BYTES) oversize.push(next.value);
    else {
      const files = loaded(store, next.value);
      const isPassedOver = kind === 'summary' && files.some(({ text }) => isDigest(text));
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

/** Tells whether a summary's file is the private digest of a session: it is there to be searched, and never injected. */
function isDigest(text: string): boolean {
  return /^type: "?digest"?$/m.test(text.slice(0, HEAD_CHARS));
}

function isLater(a: Entry, b: Entry): boolean {
  return a.time === b.time ? a.id > b.id : a.time > b.time;
}

function take(files: Generator<StoredFile>, count: number): StoredFile[] {
  const taken: StoredFile[] = [];
  // Not `for of`, which would close the generator.
  while (taken.length < count) {
    const next = files.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

function loaded(store: Store, entry: Entry): StoredFile[] {
  try {
    return [store.load(entry, MAX_BYTES)];
  } catch {
    return []; // No regular file, too large, or gone just now: `git mem check` tells.
  }
}
