import { FOLDERS } from '../../memory/file-name.ts';
import { readKnownPaths } from '../../memory/store/ledger.ts';
import type { Entry, Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { keptFolder } from '../../provenance/kept-trees.ts';
import { type Trust, trustOf } from '../../provenance/trust.ts';
import { type End, entriesAt, inTime, isDigest, take, type Wanted } from './in-time.ts';

/** A file with the trust that its blob has. */
export interface JudgedFile {
  file: StoredFile;
  trust: Trust;
}

/** How many of the newest trusted records a session start chooses from: their number, not the store's, sets its cost. */
const POOL = { observation: 60, summary: 10 } as const satisfies Record<Wanted, number>;

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
