import { readHead } from '../../git/locate.ts';
import { objectIds } from '../../git/objects.ts';
import { idOf } from '../../memory/id.ts';
import { BYTES_A_CARD, requireRoom } from '../../memory/store/room.ts';
import { fileStamp } from '../../memory/store/stamp.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Freshness } from '../../provenance/freshness.ts';
import { reviewedTrees } from '../../provenance/trust.ts';
import type { Cache } from '../../recall/index/cache.ts';
import type { IndexedDocument, MemoryIndex } from '../../recall/index/memory-index.ts';
import type { Filter } from '../../recall/query/card-filter.ts';
import { cardFilter } from '../../recall/query/card-filter.ts';
import { type Anchors, freshnessOf } from '../../recall/query/placed-freshness.ts';
import type { NowOf } from '../../recall/query/renamed-files.ts';
import { type Judged, judge, type Placed, placesOf } from '../../recall/query/standing.ts';
import { lasting } from './lasting.ts';

/** All that the memory holds, as the index tells it, judged: enough to list and filter without reading a file. */
export interface Snapshot extends Judged {
  /** Changes whenever any record, or what counts of it, may have changed. */
  revision: string;
  /** One of each id, of every kind, newest first. */
  places: Placed[];
  byId: ReadonlyMap<string, Placed>;
  /** The freshness of all of them, some seconds old at most where that is expensive; reads every file once. */
  freshness(): Promise<ReadonlyMap<Placed, Freshness>>;
}

/** The snapshot of a checkout, kept. */
export interface SnapshotKeeper {
  /** As it is now: rebuilt when the index changed, judged again when a branch or the ledger did. */
  now(): Promise<Snapshot>;
  /** As it was at most a few seconds ago: git is not asked at every key that somebody presses. */
  lately(): Promise<Snapshot>;
}

/** How old an answer to a search while typing may be. */
const LATELY_MS = 5000;

/** Keeps the snapshot of a checkout. What it gives throws too-large where so many records do not fit into this process. */
export function keepSnapshot(
  workspace: Workspace,
  cache: Cache,
  { heapBytes }: { heapBytes?: number } = {},
): SnapshotKeeper {
  let held: { version: string; basis: string; found: Found; snapshot: Snapshot } | undefined;
  let lookedAt = 0;
  const anchors: Anchors = new Map();

  async function current(): Promise<Snapshot> {
    const before = held;
    const { version, found } = await cache.query((index) => {
      const version = index.version();
      return { version, found: before?.version === version ? before.found : findAll(index, heapBytes) };
    });
    const asked = Date.now();
    const basis = await basisOf(workspace);
    lookedAt = asked;
    if (held?.version === version && held.basis === basis) return held.snapshot;
    // The index counts from wherever this process began.
    const revision = idOf(String(process.pid), version, basis);
    const snapshot = await snapshotOf(workspace, found, { revision, version, anchors });
    held = { version, basis, found, snapshot };
    return snapshot;
  }

  let last: Promise<unknown> = Promise.resolve();
  const now = () => {
    const turn = last.then(current, current);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    now,
    async lately() {
      return held !== undefined && Date.now() - lookedAt < LATELY_MS ? held.snapshot : now();
    },
  };
}

/** A function of its own: what a snapshot computes later must not hold what was around it here, least of all the one before. */
async function snapshotOf(
  workspace: Workspace,
  found: Found,
  { revision, version, anchors }: { revision: string; version: string; anchors: Anchors },
): Promise<Snapshot> {
  const standing = await judge(workspace, found.places, found.statements);
  const places = standing.distinct(found.places);
  return {
    revision,
    version,
    standing,
    places,
    byId: new Map(places.map((placed) => [placed.document.card.id, placed])),
    freshness: lasting(() => freshnessOf(workspace, places, anchors)),
  };
}

/** Those of a snapshot that a filter lets through, newest first; without kinds observations and summaries. `nowOf` as for `cardFilter`. */
export function chosenFrom({ places, standing }: Snapshot, filter: Filter, nowOf?: NowOf): Placed[] {
  const passes = cardFilter(filter, nowOf);
  return places.filter((placed) => passes(placed.document) && standing.admits(placed, filter));
}

interface Found {
  places: Placed[];
  statements: Placed[];
}

function findAll(index: MemoryIndex, heapBytes: number | undefined): Found {
  requireRoom(index.size(), heapBytes, BYTES_A_CARD);
  const known = new Map<string, string>();
  const shared = (text: string) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
  const slim = function* (documents: Iterable<IndexedDocument>) {
    for (const document of documents) yield slimmed(document, shared);
  };
  return { places: placesOf(index, slim(index.newest())), statements: placesOf(index, slim(index.statements())) };
}

/** As little of a document as lists need: a hundred thousand of them are held, and most name the same few things. */
function slimmed({ row, blob, store, card }: IndexedDocument, shared: (text: string) => string): IndexedDocument {
  const { branch, session } = card;
  return {
    row,
    blob,
    store,
    terms: [],
    card: {
      ...card,
      type: shared(card.type),
      concepts: card.concepts.map(shared),
      files: card.files.map(shared),
      ...(branch !== undefined && { branch: shared(branch) }),
      ...(session !== undefined && { session: shared(session) }),
    },
  };
}

/** All that trust hangs on beside the records themselves: what was reviewed, what is committed, what was accepted here. */
async function basisOf(workspace: Workspace): Promise<string> {
  const { checkout, env, ledger, otherLedgers } = workspace;
  const branches = await reviewedTrees(workspace);
  const names = branches.map((branch) => `${branch}:.memory`);
  const trees = (await objectIds(checkout.root, names, env)) ?? [];
  const own = [ledger, ...otherLedgers].map(fileStamp);
  return JSON.stringify([branches, trees, readHead(checkout).commit, own]);
}
