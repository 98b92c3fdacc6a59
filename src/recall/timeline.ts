import type { Cache } from '../cache/cache.ts';
import type { IndexedDocument, MemoryIndex } from '../cache/memory-index.ts';
import { GitMemError } from '../errors.ts';
import { resolveId } from '../memory/id.ts';
import { isHidden } from '../memory/marks.ts';
import type { StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Annotated, annotate } from './annotate.ts';
import { cardFilter } from './card-filter.ts';
import type { Filter } from './read.ts';
import { readHit, searchIndex } from './search.ts';
import { judge, placesOf } from './standing.ts';

/** Where a timeline is centred: a record, an instant (ISO 8601, UTC), or what answers a question best. */
export type Anchor = { id: string } | { at: string } | { query: string };

export interface Timeline {
  /** The record at the centre; undefined for an instant. */
  anchor?: string;
  /** Oldest first, the anchor among them. */
  items: Annotated[];
}

/** Longest timeline to either side. */
const MOST = 200;

/** What happened around an anchor: `before` records older and `after` newer than it; throws no-such-record. */
export async function timeline(
  workspace: Workspace,
  cache: Cache,
  anchor: Anchor,
  options: { before: number; after: number; filter?: Filter },
): Promise<Timeline> {
  const { filter = {} } = options;
  const before = Math.min(options.before, MOST);
  const after = Math.min(options.after, MOST);
  const found = await cache.query((index) => {
    const statements = placesOf(index, index.statements());
    // Twice as many as asked for, because some turn out to be superseded.
    const { centre, documents } = around(index, anchor, { before: before * 2 + 10, after: after * 2 + 10, filter });
    return { statements, centre, places: placesOf(index, documents) };
  });
  const standing = await judge(workspace, found.places, found.statements);
  const shown = found.places.filter((placed) => {
    if (placed.document.row === found.centre?.row) return true;
    if (filter.trust && standing.trust(placed) !== filter.trust) return false;
    return filter.all || !isHidden(standing.states.of(placed.document.card.id));
  });
  const position = shown.findIndex(({ document }) => !isBefore(document, found.centre, anchor));
  const at = position < 0 ? shown.length : position;
  const chosen = shown.slice(Math.max(0, at - before), at + after + (found.centre ? 1 : 0));
  const read = (await Promise.all(chosen.map((placed) => readHit(workspace, placed)))).flat();
  const pool: StoredRecord[] = read.map(({ stored }) => stored);
  const annotated = await annotate(workspace, pool, standing.statements);
  const items = annotated.map((one, i) => {
    const placed = read[i]?.placed;
    return placed ? { ...one, trust: standing.trust(placed) } : one;
  });
  return { ...(found.centre && { anchor: found.centre.card.id }), items };
}

/** Documents around the anchor, oldest first. */
function around(
  index: MemoryIndex,
  anchor: Anchor,
  { before, after, filter }: { before: number; after: number; filter: Filter },
): { centre: IndexedDocument | undefined; documents: IndexedDocument[] } {
  const accepts = cardFilter(filter);
  const all = [...index.newest()].reverse();
  const centre = centreOf(index, all, anchor, filter);
  const seen = new Set<string>();
  const line = all.filter((document) => {
    if (document !== centre && (!accepts(document) || document.card.id === centre?.card.id)) return false;
    return !seen.has(document.card.id) && seen.add(document.card.id);
  });
  const position = line.findIndex((document) => !isBefore(document, centre, anchor));
  const at = position < 0 ? line.length : position;
  return { centre, documents: line.slice(Math.max(0, at - before), at + after + 1) };
}

function centreOf(
  index: MemoryIndex,
  all: IndexedDocument[],
  anchor: Anchor,
  filter: Filter,
): IndexedDocument | undefined {
  if ('at' in anchor) return undefined;
  if ('id' in anchor) {
    const id = resolveId(anchor.id, new Set(all.map(({ card }) => card.id)));
    const same = all.filter(({ card }) => card.id === id);
    return same.find(({ store }) => store === 'team') ?? same[0];
  }
  const [best] = searchIndex(index, { text: anchor.query, filter, limit: 1 }).hits;
  if (best === undefined) {
    throw new GitMemError('no-such-record', `Nothing answers "${anchor.query.slice(0, 80)}".`, {
      hint: 'Ask in other words, or centre the timeline on an id or a date.',
    });
  }
  return all.find(({ row }) => row === best.document.row);
}

function isBefore({ card }: IndexedDocument, centre: IndexedDocument | undefined, anchor: Anchor): boolean {
  if (centre === undefined) return 'at' in anchor && card.created < anchor.at;
  if (card.created !== centre.card.created) return card.created < centre.card.created;
  return card.id < centre.card.id;
}
