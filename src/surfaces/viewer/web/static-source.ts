import { GitMemError } from '../../../errors.ts';
import type { IndexedDocument, RankedIndex } from '../../../index/memory-index.ts';
import { frontAndBody } from '../../../memory/front-matter-lines.ts';
import { isContent } from '../../../memory/record.ts';
import { filterFrom, judgedFilter } from '../../../records/card-filter.ts';
import { parseQuery } from '../../../search/parse-query.ts';
import { isAllowed, isNarrowing, isWordless, type Query } from '../../../search/query.ts';
import { rank } from '../../../search/rank.ts';
import { STALE } from '../../../search/ranking.ts';
import { snippetIn } from '../../../search/snippet.ts';
import type { Card, Filters, FoundCard } from '../protocol.ts';
import type { RecordPage, SiteData, SiteRecord } from '../record-protocol.ts';
import { chainAround, chainState, MOST } from '../replacing.ts';
import { searchedTexts, siteIndex } from './site-index.ts';
import { type Source, SourceError } from './source.ts';

/** Unpacks the data that `git mem site` packed: gzip in base64; throws the browser's error for anything else. */
export async function unpacked(data: string): Promise<SiteData> {
  const letters = atob(data.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as SiteData;
}

/** A source with the data in the page. Nothing can be written, and nothing changes. */
export function staticSource(site: SiteData): Source {
  const { records, meta } = site;
  const cards = records.map(({ card }) => card);
  const now = new Map(site.renames);
  const index = afterDrawing().then(() => siteIndex(records));

  return {
    meta: async () => meta,
    async feed(filters, { offset, limit }) {
      const all = cards.filter(passes(filters, now));
      return { total: all.length, offset, revision: meta.revision, items: all.slice(offset, offset + limit) };
    },
    async search(query, filters, limit) {
      const engine = await index;
      const start = performance.now();
      const isPassing = passes(filters, now);
      const hits = hitsOf(records, engine, query, ({ row }) => {
        const card = cards[row - 1];
        return card !== undefined && isPassing(card);
      });
      const answering = hits.filter(({ isAnswer }) => isAnswer);
      const [nearest] = answering.length === 0 ? hits : [];
      return {
        query,
        took_ms: performance.now() - start,
        total: answering.length,
        hits: answering.slice(0, limit).map((hit) => hit.tell()),
        ...(nearest && { nearest: nearest.tell() }),
      };
    },
    record: async (id) => pageOf(site, placeOf(cards, id)),
    context: () => refuse('preview of the next briefing'),
    inbox: () => refuse('inbox'),
    sessions: () => refuse('sessions'),
    session: () => refuse('sessions'),
    review: () => refuse('reviews'),
    act: () => refuse('way to change records'),
    signOut: () => refuse('session'),
    watch: () => () => {},
  };
}

function refuse(what: string): Promise<never> {
  return Promise.reject(new SourceError('static', `This page has no ${what}.`, '`git mem ui` has, in a clone.'));
}

/** Waits until the page is drawn, before anything is indexed. */
function afterDrawing(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

interface Hit {
  score: number;
  isAnswer: boolean;
  /** With what takes time to compute. */
  tell(): FoundCard;
}

/**
 * The records that answer a question, best first, or all that it does not exclude; throws SourceError for a rejected
 * question.
 */
function hitsOf(
  records: SiteRecord[],
  engine: RankedIndex,
  text: string,
  accepts: (document: IndexedDocument) => boolean,
): Hit[] {
  const query = understood(text);
  const hits = (row: number, base: number, isAnswer: boolean, snippet: (record: SiteRecord) => string): Hit[] => {
    const record = records[row - 1];
    if (record === undefined) return [];
    const score = base * (STALE[record.card.freshness] ?? 1);
    return [{ score, isAnswer, tell: () => ({ ...record.card, score, snippet: snippet(record) }) }];
  };
  if (isWordless(query)) {
    const isFitting = isAllowed(query);
    const all = isNarrowing(query) ? engine.documents(records.map((_, i) => i + 1)) : [];
    const rest = all.filter((document) => accepts(document) && isFitting(document));
    return rest.flatMap(({ row }) => hits(row, 0, true, () => ''));
  }
  const { ranked, weights } = rank(engine, query, accepts);
  return ranked
    .filter(({ score }) => score > 0)
    .flatMap(({ document: { row }, score, field, isAnswer }) =>
      hits(row, score, isAnswer, (record) => snippetIn(searchedTexts(record), weights, field)),
    )
    .sort((a, b) => b.score - a.score);
}

function understood(text: string): Query {
  try {
    return parseQuery(text, new Date());
  } catch (error) {
    if (!(error instanceof GitMemError)) throw error;
    throw new SourceError(error.code, error.message, error.hint);
  }
}

function placeOf(cards: Card[], id: string): number {
  const exact = cards.findIndex((card) => card.id === id);
  const found = exact >= 0 ? exact : cards.findIndex((card) => id !== '' && card.id.startsWith(id));
  if (found < 0) throw new SourceError('no-such-record', `No record has an id that starts with "${id}".`);
  return found;
}

function pageOf({ records, replacements }: SiteData, at: number): RecordPage {
  const { card, ...rest } = records[at] as SiteRecord;
  const { id } = card;
  const cards = records.map((one) => one.card);
  const others = cards.filter((one) => one.id !== id && isContent(one));
  const ofSession = others.filter(({ session }) => session !== null && session === card.session);
  const byId = new Map(records.map((one) => [one.card.id, one]));
  return {
    card,
    ...rest,
    markdown: frontAndBody(rest.raw).body,
    chain: chainAround(id, replacements, (one) => {
      const node = byId.get(one)?.card;
      return { id: one, title: node?.title ?? '', state: node ? chainState(node) : 'missing' };
    }),
    cited_by: others.filter((one) => byId.get(one.id)?.raw.includes(id)).slice(0, MOST.cited),
    session: ofSession.reverse().slice(-MOST.session),
  };
}

function isHidden({ superseded_by, retired, redacted }: Card): boolean {
  return superseded_by.length > 0 || retired || redacted;
}

/**
 * Returns a test of whether a record passes, by the rules of the command line's filters. `now` maps renamed files to
 * their current paths.
 */
function passes(filters: Filters, now: ReadonlyMap<string, string>): (card: Card) => boolean {
  // A day or a month is included whole: nothing sorts after this character.
  const until = filters.until && `${filters.until}\uffff`;
  const fits = judgedFilter(filterFrom({ ...filters, until }), (path) => now.get(path));
  return (card) => {
    const { store, trust, freshness } = card;
    return fits({ card, store, trust, freshness, isHidden: isHidden(card) });
  };
}
