import { defaultBranches } from '../git/default-branch.ts';
import type { Cache } from '../index/cache.ts';
import type { IndexedDocument, MemoryIndex, Outline, RecordIndex } from '../index/memory-index.ts';
import type { Glance } from '../index/sync-folders.ts';
import { fieldsOf, jsonIn } from '../json.ts';
import { commitOf } from '../kept/facts.ts';
import { stampOf } from '../kept/keep.ts';
import { isHidden } from '../memory/marks.ts';
import { isContent, type StoreName } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted, mostTrusted, withTrust } from '../provenance/trust.ts';
import type { Annotated } from '../records/annotate.ts';
import { judge, type Placed, placesOf, statementsOn } from '../records/judgement.ts';
import { readJudged } from '../records/read-judged.ts';
import { idsNear, newestPast } from './search-index.ts';

/** The newest observations and summaries, and how many there are. */
export interface Listing {
  total: number;
  records: Annotated[];
  /** Ids of records of any kind that begin like these records' ids. */
  near: string[];
  /** Number of files that are not records. */
  unreadable: number;
}

/** Extra records beyond the limit, to replace hidden ones; if more are hidden, the list is shorter. */
const SPARE = 20;

/**
 * The newest active records of both stores: the answer to a search without words and filters, decoding no more than is
 * shown. In a large store only the folders are checked, and all files only if one of these records was edited in place.
 */
export async function listNewest(workspace: Workspace, cache: Cache, limit: number): Promise<Listing> {
  const seen = await lookUp(workspace, cache, limit, 'folders');
  const { records, near, unreadable } = seen.isCurrent ? seen : await lookUp(workspace, cache, limit, undefined);
  const count = await countActive(workspace, cache);
  return { total: count.team + count.private, records, near, unreadable };
}

/** The newest records, and whether all their files match the index. */
async function lookUp(workspace: Workspace, cache: Cache, limit: number, glance: Glance | undefined) {
  const ask = (index: RecordIndex) => {
    const documents = newestOf(index, limit + SPARE);
    const near = idsNear(index, documents);
    const unreadable = index.unreadable().length;
    return { places: placesOf(index, documents), statements: statementsOn(index, documents), near, unreadable };
  };
  const { places, statements, near, unreadable } = await cache.query(ask, { glance });
  const judgement = await judge(workspace, places, statements);
  const isShown = (id: string) => !isHidden(judgement.states.of(id));
  const shown = judgement.distinct(places).filter(({ document }) => isShown(document.card.id));
  const read = await readJudged(workspace, cache, shown.slice(0, limit), judgement);
  const isCurrent = read.length === Math.min(limit, shown.length);
  const records = read.map(({ annotated }) => annotated).filter(({ state }) => !isHidden(state));
  return { records, near, unreadable, isCurrent };
}

/** The records of the first ids, then all others that claim one of these ids: only trust decides which is meant. */
function newestOf(index: RecordIndex, count: number): IndexedDocument[] {
  const found = new Map<number, IndexedDocument>();
  const ids = new Set<string>();
  for (const document of newestPast(index)) {
    if (ids.size >= count) break;
    if (!isContent(document.card)) continue;
    found.set(document.row, document);
    ids.add(document.card.id);
  }
  const others = [...ids].flatMap((id) => index.named(id)).filter((one) => isContent(one.card) && !found.has(one.row));
  others.sort((a, b) => (a.card.created < b.card.created ? 1 : -1));
  return [...found.values(), ...others];
}

export async function countActive(workspace: Workspace, cache: Cache): Promise<LiveCount> {
  const asked = await cache.query(
    (index) => {
      const kept = keptCount(workspace, index);
      if (kept.count !== undefined) return { ...kept, count: kept.count };
      return { basis: kept.basis, outlines: index.outlines(), statements: placesOf(index, index.statements()) };
    },
    { glance: 'folders' },
  );
  const { count, isTrustedAll } =
    'count' in asked ? { ...asked, isTrustedAll: false } : await countNow(workspace, asked);
  const isLarge = count.team + count.private > QUICK;
  if (isLarge && isTrustedAll && asked.basis !== undefined) await keepCount(workspace, cache, asked.basis, count);
  return count;
}

async function countNow(
  workspace: Workspace,
  { outlines, statements }: { outlines: Outline[]; statements: Placed[] },
): Promise<{ count: LiveCount; isTrustedAll: boolean }> {
  const files = outlines.map(({ id, store, path, blob }) => ({ id, store, entry: { store, path }, blob }));
  const judged = await withTrust(files, workspace, { signatures: true });
  const about = outlines.map(({ id }) => id);
  const { states, statements: spoken } = await judge(workspace, [], statements, { about });
  const active = mostTrusted(judged, (one) => one).filter(({ id }) => !isHidden(states.of(id)));
  const inStore = (store: StoreName) => active.filter((one) => one.store === store).length;
  const unreviewed = active.filter(({ trust }) => trust === 'unreviewed').length;
  const count = { team: inStore('team'), private: inStore('private'), unreviewed };
  return { count, isTrustedAll: [...judged, ...spoken].every(({ trust }) => isTrusted(trust)) };
}

/** Smaller stores are counted as quickly as a stored count is kept. */
const QUICK = 1000;

// Counting active records means asking git about every one, which takes most of the time of a `status`. A count is kept
// in the index with a key of everything that it depends on, and is lost with the index. It is kept only if every record
// and mark is trusted: not everything that could make an untrusted one count, such as a key that the user allows, is
// visible from here.

/** The observations and summaries that `list` shows, by store, and how many of them are unreviewed. */
interface LiveCount {
  team: number;
  private: number;
  unreviewed: number;
}

/** The kept count, if still valid, and a key of what it depends on; no key if files cannot show changes. */
function keptCount(workspace: Workspace, index: MemoryIndex): { basis: string | undefined; count?: LiveCount } {
  const basis = basisOf(workspace, index.writes());
  if (basis === undefined) return { basis };
  const { basis: of, team, private: own } = fieldsOf(jsonIn(index.meta(nameOf(workspace)) ?? ''));
  const isKept = of === basis && typeof team === 'number' && typeof own === 'number';
  return isKept ? { basis, count: { team, private: own, unreviewed: 0 } } : { basis };
}

/** Keeps a count of records that are all trusted. */
async function keepCount(workspace: Workspace, cache: Cache, basis: string, count: LiveCount): Promise<void> {
  const { team, private: own } = count;
  const text = JSON.stringify({ basis, team, private: own });
  await cache.write((index) => index.setMeta(nameOf(workspace), text), { glance: 'folders' });
}

function basisOf(workspace: Workspace, writes: string | undefined): string | undefined {
  const { checkout, at, ledger, otherLedgers } = workspace;
  if (writes === undefined || at !== undefined) return undefined;
  const reviewed = defaultBranches(workspace).map((branch) => commitOf(checkout, branch));
  if (reviewed.includes(undefined)) return undefined;
  const lists = [ledger, ...otherLedgers].flatMap((path) => [path, `${path}-marks`, `${path}-accepted`]);
  return [writes, ...reviewed, ...lists.map(stampOf)].join(' ');
}

function nameOf({ checkout }: Workspace): string {
  return `live ${checkout.root}`;
}
