import { GitMemError } from '../errors.ts';
import type { Cache } from '../index/cache.ts';
import type { IndexedDocument, RankedIndex, RecordIndex } from '../index/memory-index.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { followingRenames, type NowOf } from '../provenance/renamed-files.ts';
import type { Annotated } from '../records/annotate.ts';
import { cardFilter, type Filter } from '../records/card-filter.ts';
import { judge, placesOf, statementsOn } from '../records/judgement.ts';
import { readJudged, withFreshness } from '../records/read-judged.ts';
import { documentsNamed } from '../records/records.ts';
import { searchIndex } from './search-index.ts';

/**
 * The centre of a timeline: a record, an instant (ISO 8601, UTC), the best answer to a question, or the start of a session's
 * id, which shows the whole session.
 */
export type Anchor = { id: string } | { at: string } | { query: string } | { session: string };

export interface Timeline {
  /** The record at the centre; undefined for an instant. */
  anchor?: string;
  /** Oldest first, including the anchor. */
  items: Annotated[];
}

/** Tells whether a text may be the start of a session's id: hosts use UUIDs and the like. */
export function isSessionLike(text: string): boolean {
  return text.length >= 8 && /^(?=.*\d)[\w.:-]+$/.test(text);
}

/** Longest timeline to either side; `git mem list` is for longer ones. */
const MOST = 200;

/** The records around an anchor: `before` older and `after` newer ones; throws no-such-record. */
export async function timeline(
  workspace: Workspace,
  cache: Cache,
  anchor: Anchor,
  options: { before: number; after: number; filter?: Filter },
): Promise<Timeline> {
  if ('session' in anchor) {
    const filter = { ...options.filter, session: anchor.session };
    const found = await timeline(workspace, cache, { at: '' }, { before: 0, after: MOST, filter });
    if (found.items.length > 0) return found;
    throw new GitMemError('no-such-record', `No session that left a record begins with "${anchor.session}".`, {
      hint: '`git mem sessions` lists them.',
    });
  }
  const { filter = {} } = options;
  const before = Math.min(options.before, MOST);
  const after = Math.min(options.after, MOST);
  // Twice as many as asked for, because some turn out to be superseded; all of them with a freshness filter, which only
  // the files can decide.
  const reach = filter.freshness
    ? { before: Number.POSITIVE_INFINITY, after: Number.POSITIVE_INFINITY, filter }
    : { before: before * 2 + 10, after: after * 2 + 10, filter };
  const ask = (centre?: string) =>
    followingRenames(workspace, filter, (nowOf) =>
      cache.query((index) => {
        const { documents, ...rest } = around(index, anchor, { ...reach, nowOf, ...(centre && { centre }) });
        const rivals = placesOf(index, rest.rivals);
        return { ...rest, rivals, statements: statementsOn(index, documents), places: placesOf(index, documents) };
      }),
    );
  let found = await ask();
  if (found.rivals.length > 1) {
    const [meant] = (await judge(workspace, found.rivals, [])).distinct(found.rivals);
    if (meant !== undefined) found = await ask(meant.document.blob);
  }
  const judgement = await judge(workspace, found.places, found.statements);
  const admitted = judgement.distinct(found.places).filter((placed) => {
    return placed.document.row === found.centre?.row || judgement.admits(placed, filter);
  });
  const fitting = new Set(await withFreshness(workspace, admitted, filter.freshness));
  const shown = admitted.filter((placed) => fitting.has(placed) || placed.document.row === found.centre?.row);
  const position = shown.findIndex(({ document }) => !isBefore(document, found.centre, anchor));
  const at = position < 0 ? shown.length : position;
  const chosen = shown.slice(Math.max(0, at - before), at + after + (found.centre ? 1 : 0));
  const items = (await readJudged(workspace, cache, chosen, judgement)).map(({ annotated }) => annotated);
  return { ...(found.centre && { anchor: found.centre.card.id }), items };
}

interface Reach {
  before: number;
  after: number;
  filter: Filter;
  nowOf?: NowOf | undefined;
  /** Blob of the record at the centre, once it is known. */
  centre?: string;
}

/** Documents around the anchor, oldest first, including its own. */
function around(
  index: RecordIndex & RankedIndex,
  anchor: Exclude<Anchor, { session: string }>,
  { before, after, filter, nowOf, centre: given }: Reach,
): { centre: IndexedDocument | undefined; rivals: IndexedDocument[]; documents: IndexedDocument[] } {
  const first = centreOf(index, anchor, filter, nowOf);
  // The documents that claim the centre's id; only trust decides which is meant.
  const rivals = first === undefined ? [] : index.named(first.card.id);
  const centre = rivals.find(({ blob }) => blob === given) ?? first;
  const moment = centre?.card ?? { created: 'at' in anchor ? anchor.at : '', id: '' };
  const accepts = cardFilter(filter, nowOf);
  const side = (name: 'before' | 'after', count: number) => {
    const ids = new Set<string>();
    const found: IndexedDocument[] = [];
    for (const document of index.around(name, moment)) {
      const { id } = document.card;
      if (id === centre?.card.id || !accepts(document)) continue;
      if (ids.size === count && !ids.has(id)) break;
      ids.add(id);
      found.push(document);
    }
    return found;
  };
  const documents = [...side('before', before).reverse(), ...(centre ? [centre] : []), ...side('after', after)];
  return { centre, rivals, documents };
}

function centreOf(
  index: RecordIndex & RankedIndex,
  anchor: Exclude<Anchor, { session: string }>,
  filter: Filter,
  nowOf: NowOf | undefined,
): IndexedDocument | undefined {
  if ('at' in anchor) return undefined;
  if ('id' in anchor) return documentsNamed(index, anchor.id)[0];
  const [best] = searchIndex(index, { text: anchor.query, filter, limit: 1, ...(nowOf && { nowOf }) }).hits;
  if (best !== undefined) return best.document;
  throw new GitMemError('no-such-record', `No record matches "${anchor.query.slice(0, 80)}".`, {
    hint: 'Use other words, or centre the timeline on an id, a date, or the first eight characters of a session.',
  });
}

function isBefore({ card }: IndexedDocument, centre: IndexedDocument | undefined, anchor: Anchor): boolean {
  if (centre === undefined) return 'at' in anchor && card.created < anchor.at;
  if (card.created !== centre.card.created) return card.created < centre.card.created;
  return card.id < centre.card.id;
}
