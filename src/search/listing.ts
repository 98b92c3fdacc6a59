import type { Cache } from '../index/cache.ts';
import type { IndexedDocument, RecordIndex } from '../index/memory-index.ts';
import type { Glance } from '../index/sync-folders.ts';
import { idInName } from '../memory/file-name.ts';
import { startOf } from '../memory/id.ts';
import { isHidden } from '../memory/marks.ts';
import { isContent } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Annotated } from '../records/annotate.ts';
import { judge, placesOf, statementsOn } from '../records/judgement.ts';
import { readJudged } from '../records/read-judged.ts';
import { countActive } from './active-count.ts';
import { newestPast } from './search-index.ts';

/** The newest observations and summaries, and how many there are. */
export interface Listing {
  total: number;
  records: Annotated[];
  /** The ids of records of any kind that begin like those of these. */
  near: string[];
  /** Number of files that are not records. */
  unreadable: number;
}

/** Extra records beyond the limit, in place of hidden ones: with more of those a list is shorter. */
const SPARE = 20;

/**
 * The newest active records of both stores: the answer to a search without words and filters, decoding no more than is
 * shown. In a large store only the folders are checked, and all files if one of these records was edited in place.
 */
export async function listNewest(workspace: Workspace, cache: Cache, limit: number): Promise<Listing> {
  const seen = await lookUp(workspace, cache, limit, 'folders');
  const { records, near, unreadable } = seen.isCurrent ? seen : await lookUp(workspace, cache, limit, undefined);
  const count = await countActive(workspace, cache);
  return { total: count.team + count.private, records, near, unreadable };
}

/** The newest, and whether all of them are in their files as they are in the index. */
async function lookUp(workspace: Workspace, cache: Cache, limit: number, glance: Glance | undefined) {
  const ask = (index: RecordIndex) => {
    const documents = newestOf(index, limit + SPARE);
    const unread = index.unreadable().map(({ path }) => idInName(path));
    const shown = documents.map(({ card }) => card.id);
    const near = idsNear(index, shown, unread);
    const unreadable = unread.length;
    return { places: placesOf(index, documents), statements: statementsOn(index, documents), near, unreadable };
  };
  const { places, statements, near, unreadable } = await cache.query(ask, { glance });
  const judgement = await judge(workspace, places, statements);
  const isShown = (id: string) => !isHidden(judgement.states.of(id));
  const shown = judgement.distinct(places).filter(({ document }) => isShown(document.card.id));
  const read = await readJudged(workspace, cache, shown.slice(0, limit), judgement);
  const isCurrent = read.length === Math.min(limit, shown.length);
  return { records: read.map(({ annotated }) => annotated), near, unreadable, isCurrent };
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

/** The ids that begin like one of these; for unreadable files, from the file names. */
function idsNear(index: RecordIndex, ids: string[], unread: string[]): string[] {
  const starts = new Set(ids.map(startOf));
  return [...[...starts].flatMap((start) => index.ids(start)), ...unread.filter((id) => starts.has(startOf(id)))];
}
