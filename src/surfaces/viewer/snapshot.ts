import { readHead } from '../../git/locate.ts';
import { objectIds } from '../../git/objects.ts';
import type { Cache } from '../../index/cache.ts';
import type { IndexedDocument, RecordIndex } from '../../index/memory-index.ts';
import { stampOf } from '../../kept/keep.ts';
import { idOf } from '../../memory/id.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { followingRenames } from '../../provenance/renamed-files.ts';
import { reviewedTrees } from '../../provenance/trust.ts';
import type { Annotated } from '../../records/annotate.ts';
import { cardFilter, type Filter } from '../../records/card-filter.ts';
import { judge, type Placed, placesOf, type VersionedJudgement } from '../../records/judgement.ts';
import { readEverything } from '../../records/read.ts';
import { placedFreshness } from '../../records/read-judged.ts';

/** All records in the index, judged: enough to list and filter without reading a file. */
export interface Snapshot extends VersionedJudgement {
  /** Changes whenever any record, or its state or trust, may have changed. */
  revision: string;
  /** One record per id, of every kind, newest first. */
  places: Placed[];
  byId: ReadonlyMap<string, Placed>;
  /** The freshness of all records, at most some seconds old if it is expensive; reads every file once. */
  freshness(): Promise<ReadonlyMap<Placed, Freshness>>;
  /** All records, no older than the freshness. */
  records(): Promise<Annotated[]>;
}

export interface SnapshotKeeper {
  /** The current state: rebuilt when the index changed, judged again when a branch or the ledger did. */
  snapshot(): Promise<Snapshot>;
  /** The state of a few seconds ago at most: git is not asked at every keystroke. */
  snapshotLately(): Promise<Snapshot>;
}

/** How old an answer to a search-as-you-type may be, in milliseconds: no longer than a question takes to type. */
const LATELY_MS = 5000;

export function keepSnapshot(workspace: Workspace, cache: Cache): SnapshotKeeper {
  let held: { version: string; basis: string; found: Found; snapshot: Snapshot } | undefined;
  let lookedAt = 0;

  async function current(): Promise<Snapshot> {
    const before = held;
    const { version, found } = await cache.query((index) => {
      const version = index.version();
      return { version, found: before?.version === version ? before.found : findAll(index) };
    });
    const asked = Date.now();
    const basis = await basisOf(workspace);
    lookedAt = asked;
    if (held?.version === version && held.basis === basis) return held.snapshot;
    // The index's version is meaningful only within this process.
    const revision = idOf(String(process.pid), version, basis);
    const snapshot = await snapshotOf(workspace, found, { revision, version });
    held = { version, basis, found, snapshot };
    return snapshot;
  }

  let last: Promise<unknown> = Promise.resolve();
  const snapshot = () => {
    const turn = last.then(current, current);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    snapshot,
    async snapshotLately() {
      return held !== undefined && Date.now() - lookedAt < LATELY_MS ? held.snapshot : snapshot();
    },
  };
}

/**
 * A separate function, so that a snapshot's later computations do not keep this scope alive, least of all the previous
 * snapshot.
 */
async function snapshotOf(
  workspace: Workspace,
  found: Found,
  { revision, version }: { revision: string; version: string },
): Promise<Snapshot> {
  const judgement = await judge(workspace, found.places, found.statements);
  const places = judgement.distinct(found.places);
  return {
    revision,
    version,
    judgement,
    places,
    byId: new Map(places.map((placed) => [placed.document.card.id, placed])),
    freshness: lasting(() => placedFreshness(workspace, places)),
    records: lasting(async () => (await readEverything(workspace)).records),
  };
}

/** A delay that somebody who reloads a page does not notice. */
const REST_MS = 5000;

/** The largest share of the time that computing may take, as a divisor. */
const SHARE = 10;

/**
 * Caches an expensive result that may be some seconds old: computed when first asked for, once at a time, and again
 * only after a while in proportion to the time it takes. A failure is not cached.
 */
function lasting<T>(compute: () => Promise<T>): () => Promise<T> {
  let held: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (held !== undefined && Date.now() < held.until) return held.value;
    const start = Date.now();
    const mine = { value: compute(), until: Number.POSITIVE_INFINITY };
    held = mine;
    mine.value.then(
      () => {
        const now = Date.now();
        mine.until = now + Math.max(REST_MS, (now - start) * SHARE);
      },
      () => {
        if (held === mine) held = undefined;
      },
    );
    return mine.value;
  };
}

/**
 * The records of a snapshot that pass a filter, also by former names of their files, newest first; observations and
 * summaries if it names no kinds.
 */
export async function listedFrom(workspace: Workspace, snapshot: Snapshot, filter: Filter): Promise<Placed[]> {
  const { places, judgement } = snapshot;
  const passed = await followingRenames(workspace, filter, async (nowOf) => {
    const passes = cardFilter(filter, nowOf);
    return places.filter((placed) => passes(placed.document) && judgement.admits(placed, filter));
  });
  const known = filter.freshness && (await snapshot.freshness());
  return known ? passed.filter((placed) => known.get(placed) === filter.freshness) : passed;
}

interface Found {
  places: Placed[];
  statements: Placed[];
}

function findAll(index: RecordIndex): Found {
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

/**
 * The parts of a document that lists need, with shared strings: a hundred thousand are kept, and most repeat the same
 * few.
 */
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

/**
 * Everything that trust depends on besides the records: what was reviewed, what is committed, what was accepted here.
 */
async function basisOf(workspace: Workspace): Promise<string> {
  const { checkout, env, ledger, otherLedgers } = workspace;
  const branches = await reviewedTrees(workspace);
  const names = branches.map((branch) => `${branch}:.memory`);
  const trees = (await objectIds(checkout.root, names, env)) ?? [];
  const own = [ledger, ...otherLedgers].map(stampOf);
  return JSON.stringify([branches, trees, readHead(checkout).commit, own]);
}
