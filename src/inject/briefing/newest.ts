import { keptFolder } from '../../kept/facts.ts';
import { FOLDERS, isMonth, latestTime } from '../../memory/file-name.ts';
import { readKnownPaths } from '../../memory/store/ledger.ts';
import { type Entry, newestFirst, openSource, type StoredFile } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Trust } from '../../provenance/levels.ts';
import { reviewedTrees, type WithTrust, withReviewedText, withTrust } from '../../provenance/trust.ts';
import { type End, inTime, isDigest, take, type Wanted } from './in-time.ts';

/**
 * How many of the newest trusted records a session start chooses from: more than fit into a briefing. Its cost depends
 * on this number, not on the size of the store.
 */
export const POOL = { observation: 60, summary: 10 } as const satisfies Record<Wanted, number>;

/** Most untrusted files that are counted once the trusted ones are known, and most newest names looked at for that. */
export const MOST_COUNTED = 250;

/** Most files of the team's store (too large, or from the future) passed over before git is asked for trusted ones. */
const MOST_PASSED_OVER = 200;

/** Most rounds of reading more files because people edited reviewed ones: each round takes a git process. */
const MOST_ROUNDS = 4;

export interface NewestOptions {
  branches: string[];
  isWanted: (trust: Trust) => boolean;
  /**
   * Gives the marks on these ids and, on the first call (`isFirst`), general marks and pinned records too. They are
   * judged by the same git process as the files themselves.
   */
  speakers: (ids: Set<string>, isFirst: boolean) => Promise<StoredFile[]>;
  nowMs: number;
}

/** The newest wanted records, and what was found on the way to them. */
export interface Newest {
  newest: WithTrust<StoredFile>[];
  /** The marks and pinned records that `speakers` gave. */
  others: WithTrust<StoredFile>[];
  /** Unwanted files; for most of them only the name was checked. */
  unwanted: WithTrust<{ entry: Entry }>[];
  oversize: Entry[];
  future: Entry[];
  /** Digests of sessions in the private store, newest first. */
  digests: StoredFile[];
}

/**
 * The newest wanted observations and summaries of both stores, newest first; unwanted files displace none of them.
 * Files dated in the future are passed over, unless all are: then this machine's clock is wrong.
 */
export async function newestJudged(workspace: Workspace, options: NewestOptions): Promise<Newest> {
  const latest = latestTime(options.nowMs);
  const found = await newestUntil(workspace, { ...options, latest });
  const isNothing = found.newest.length + found.unwanted.length + found.oversize.length === 0;
  return isNothing && found.future.length > 0 ? newestUntil(workspace, { ...options, latest: '~' }) : found;
}

interface Queue {
  kind: Wanted;
  files: Generator<StoredFile, End>;
  seen: WithTrust<StoredFile>[];
  isEmpty: boolean;
}

/**
 * Checks the newest files first, which is nearly always enough. If a branch added too many untrusted ones, git and the
 * ledger are asked which files may be trusted, and only those are read.
 */
async function newestUntil(
  workspace: Workspace,
  { branches, isWanted, speakers, latest }: NewestOptions & { latest: string },
): Promise<Newest> {
  const stores = [workspace.stores.team, workspace.stores.private];
  const found: Newest = { newest: [], others: [], unwanted: [], oversize: [], future: [], digests: [] };
  const unwanted = new Map<string, Newest['unwanted'][number]>();
  const isPast = (entry: Entry) => {
    // Private files are this machine's own, dated by its own clock.
    if (entry.store === 'private' || entry.time <= latest) return true;
    if (found.future.length < MOST_COUNTED) found.future.push(entry);
    return false;
  };
  const wanted = ({ seen }: Queue) => seen.filter((file) => isWanted(file.trust) && !isDigest(file));
  const isShort = (queue: Queue) => !queue.isEmpty && wanted(queue).length < POOL[queue.kind];
  const queueOf = (kind: Wanted, known?: Set<string>): Queue => {
    const paths = known && [...known].filter((path) => path.startsWith(`${FOLDERS[kind]}/`));
    const entriesOf = (store: Store) =>
      paths === undefined || store.name === 'private' ? store.newest(kind) : newestFirst('team', paths);
    const mostPassed = known === undefined ? MOST_PASSED_OVER : Number.POSITIVE_INFINITY;
    const files = inTime(stores, entriesOf, { ...found, admit: isPast, mostPassed });
    return { kind, files, seen: [], isEmpty: false };
  };

  let queues = (['observation', 'summary'] satisfies Wanted[]).map((kind) => queueOf(kind));
  await look(queues, true);
  if (queues.some(isShort)) {
    const trusted = await trustedPaths(workspace, branches);
    for (const { kind } of queues.filter(isShort)) countOthers(kind, trusted);
    for (const list of [found.oversize, found.future, found.digests]) list.length = 0;
    queues = queues.map((queue) => (isShort(queue) ? queueOf(queue.kind, trusted) : queue));
    // People may have edited some trusted files, which makes these unwanted too.
    for (let round = 0; round < MOST_ROUNDS && queues.some(isShort); round++) await look(queues.filter(isShort), false);
  }
  for (const queue of queues) found.newest.push(...wanted(queue).slice(0, POOL[queue.kind]));
  found.unwanted.push(...unwanted.values());
  return found;

  /** Counts the newest untrusted files by their names alone. */
  function countOthers(kind: Wanted, trusted: Set<string>): void {
    let left = MOST_COUNTED;
    for (const entry of workspace.stores.team.newest(kind)) {
      if (!trusted.has(entry.path)) unwanted.set(entry.path, { entry, trust: 'unreviewed' });
      // Stops at once: one more name could mean listing another large folder.
      if (--left === 0 || unwanted.size >= MOST_COUNTED) return;
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
    const judged = await judgedFiles(workspace, [...files, ...said], { branches, isWanted });
    for (const { queue, files: own } of fresh) {
      const seen = judged.splice(0, own.length);
      queue.seen.push(...seen);
      for (const { entry, trust } of seen) if (!isWanted(trust)) unwanted.set(entry.path, { entry, trust });
    }
    found.others.push(...judged);
  }
}

/** Files with their trust. Unless edited files are wanted, they count as reviewed, with their reviewed text. */
export async function judgedFiles(
  workspace: Workspace,
  files: StoredFile[],
  { branches, isWanted }: Pick<NewestOptions, 'branches' | 'isWanted'>,
): Promise<(WithTrust<StoredFile> & { isEdited?: true })[]> {
  const judged = await withTrust(files, workspace, { branches, signatures: true });
  if (isWanted('edited')) return judged;
  const told = await withReviewedText(judged, workspace, branches);
  return told.map((file, i) => (file === judged[i] ? file : { ...file, trust: 'reviewed', isEdited: true }));
}

/** Store paths that may be trusted: observations and summaries in these branches, and every file in the ledger. */
export async function trustedPaths(workspace: Workspace, branches: string[]): Promise<Set<string>> {
  const paths = readKnownPaths(workspace);
  const folders = [FOLDERS.observation, FOLDERS.summary].map((folder) => `.memory/${folder}`);
  const trees = branches.flatMap((branch) => folders.map((folder) => keptFolder(workspace, branch, folder)));
  for (const { path } of (await Promise.all(trees)).flatMap((tree) => tree ?? [])) {
    paths.add(path.slice('.memory/'.length));
  }
  return paths;
}

/** Five years. A branch may add all 1,321 possible months for each kind of record, with anything in them. */
const MANY_MONTHS = 60;

/** If there are more, only this many are listed whatever they hold: listing one costs as much as reading many names. */
const NEWEST_MONTHS = 12;

/**
 * The workspace with few months, however many a branch added. If a kind has more than `MANY_MONTHS`, only the newest
 * are left, and those where git knows an observation or a summary, or the ledger any file. Marks that count are found
 * without a listing.
 */
export async function withFewMonths(workspace: Workspace): Promise<Workspace> {
  const { team } = workspace.stores;
  const folders = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];
  const monthsIn = (folder: string) => team.files.names(folder).filter(isMonth);
  const crowded = folders.filter((folder) => monthsIn(folder).length > MANY_MONTHS);
  if (crowded.length === 0) return workspace;
  const trusted = await trustedPaths(workspace, await reviewedTrees(workspace));
  const known = new Set([...trusted].map((path) => path.slice(0, path.lastIndexOf('/'))));
  const few = new Map(
    crowded.map((folder) => {
      const months = monthsIn(folder).sort().reverse();
      return [folder, months.filter((month, i) => i < NEWEST_MONTHS || known.has(`${folder}/${month}`))];
    }),
  );
  const names = (folder: string) => {
    const found = few.get(folder) ?? team.files.names(folder);
    few.set(folder, found);
    return found;
  };
  const store = { ...team, ...openSource(team.name, { ...team.files, names }, workspace.format) };
  return { ...workspace, stores: { ...workspace.stores, team: store } };
}
