import MiniSearch from 'minisearch';
import { tokenize } from '../../cache/tokens.ts';
import type { Card, RecordPage, SearchAnswer, SiteData, SiteRecord } from '../protocol.ts';
import { passes } from './filtering.ts';
import { type Source, SourceError } from './source.ts';

/** Records that are indexed before the page gets to draw again. */
const BATCH = 250;

const EXCERPT = 280;
const AROUND = 6;

/** Reads what `git mem site` packed: gzip in base64; throws what the browser says of anything else. */
export async function unpacked(data: string): Promise<SiteData> {
  const bytes = Uint8Array.from(atob(data.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as SiteData;
}

/** Answers from the data in the page. Nothing can be written, and nothing changes. */
export function staticSource(site: SiteData): Source {
  const cards = site.records.map(cardOf);
  const places = new Map(site.records.map(({ card }, i) => [card.id, i]));
  const index = indexed(site.records);
  const placeOf = (id: string): number => {
    const exact = places.get(id);
    const found = exact === undefined ? cards.findIndex((card) => card.id.startsWith(id)) : exact;
    if (found < 0) throw new SourceError('no-such-record', `No record has an id that starts with "${id}".`);
    return found;
  };

  return {
    meta: async () => site.meta,
    async feed(filters, { offset, limit }) {
      const all = cards.filter(passes(filters));
      return { total: all.length, offset, revision: site.meta.revision, items: all.slice(offset, offset + limit) };
    },
    async search(query, filters, limit) {
      const start = performance.now();
      const accepts = passes(filters);
      const terms = tokenize(query);
      const engine = await index;
      const found = engine.search(query, { filter: ({ id }) => accepts(cards[id] as Card) });
      const hits = found.slice(0, limit).flatMap(({ id, score }): SearchAnswer['hits'] => {
        const [card, record] = [cards[id], site.records[id]];
        return card && record ? [{ ...card, score, snippet: snippetOf(bodyOf(record.raw), terms) }] : [];
      });
      return { query, took_ms: Math.round(performance.now() - start), total: found.length, hits };
    },
    async record(id) {
      const at = placeOf(id);
      return pageOf(site, cards, at);
    },
    change: () => Promise.reject(new SourceError('static', 'A static page cannot compare files.')),
    insight: async () => site.insight,
    context: () => refuse('what the next session is told'),
    settings: () => refuse('settings'),
    setSetting: () => refuse('settings'),
    review: () => refuse('a review'),
    act: () => refuse('changes'),
    watch: () => () => {},
  };
}

function refuse(what: string): Promise<never> {
  return Promise.reject(new SourceError('static', `A static page has no ${what}.`, '`git mem ui` shows it.'));
}

interface Indexed {
  id: number;
  title: string;
  text: string;
  files: string;
}

/** The index, filled in parts: the page is there at once, and the first question waits for the rest. */
async function indexed(records: SiteRecord[]): Promise<MiniSearch<Indexed>> {
  const engine = new MiniSearch<Indexed>({
    fields: ['title', 'text', 'files'],
    tokenize,
    processTerm: (term) => term,
    searchOptions: { combineWith: 'OR', boost: { title: 2, files: 0.5 } },
  });
  for (let at = 0; at < records.length; at += BATCH) {
    const batch = records.slice(at, at + BATCH).map(({ card, raw }, i) => {
      return {
        id: at + i,
        title: card.title,
        text: `${bodyOf(raw)}\n${card.concepts.join('\n')}`,
        files: card.files.join('\n'),
      };
    });
    engine.addAll(batch);
    await new Promise((next) => setTimeout(next));
  }
  return engine;
}

function cardOf({ card, raw }: SiteRecord): Card {
  const text = bodyOf(raw)
    .replace(/^#+ .*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { ...card, excerpt: text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text };
}

/** A record's text below its front matter. */
function bodyOf(raw: string): string {
  const end = raw.startsWith('---\n') ? raw.indexOf('\n---\n', 3) : -1;
  return end < 0 ? raw : raw.slice(end + 5).trim();
}

/** The line that has most of the words. */
function snippetOf(body: string, terms: string[]): string {
  const wanted = new Set(terms);
  let best = { line: '', count: -1 };
  for (const line of body.split('\n')) {
    const count = tokenize(line).filter((term) => wanted.has(term)).length;
    if (count > best.count && line.trim() !== '') best = { line, count };
  }
  return best.line.replace(/^(?:- |#+ )/, '').slice(0, EXCERPT);
}

function pageOf({ records }: SiteData, cards: Card[], at: number): RecordPage {
  const record = records[at] as SiteRecord;
  const card = cards[at] as Card;
  const { raw, path, facts, files, provenance, marks } = record;
  const session = card.session === null ? [] : cards.filter(({ session }) => session === card.session).reverse();
  const { id } = card;
  return {
    ...{ card, raw, path, facts, files, provenance, marks },
    markdown: bodyOf(raw),
    chain: chainOf(records, id),
    cited_by: cards.filter((one, i) => one.id !== id && (records[i]?.raw.includes(id) ?? false)),
    session,
    around: cards.slice(Math.max(0, at - AROUND), at + AROUND + 1).reverse(),
  };
}

/** Everything that replaced one another, starting from a record. */
function chainOf(records: SiteRecord[], id: string): RecordPage['chain'] {
  const byId = new Map(records.map((record) => [record.card.id, record]));
  const edges = new Map<string, { from: string; to: string }>();
  const seen = new Set<string>();
  const queue = [id];
  for (const one of queue) {
    if (seen.has(one)) continue;
    seen.add(one);
    const replacing = byId.get(one)?.card.superseded_by ?? [];
    const replaced = records.filter(({ card }) => card.superseded_by.includes(one)).map(({ card }) => card.id);
    for (const to of replacing) edges.set(`${one} ${to}`, { from: one, to });
    for (const from of [...replaced, ...(byId.get(one)?.supersedes ?? [])])
      edges.set(`${from} ${one}`, { from, to: one });
    queue.push(...replacing, ...replaced, ...(byId.get(one)?.supersedes ?? []));
  }
  const nodes = [...seen].map((one) => {
    const card = byId.get(one)?.card;
    const state =
      card === undefined ? 'missing' : card.superseded_by.length > 0 ? 'superseded' : card.retired ? 'retired' : 'live';
    return { id: one, title: card?.title ?? '', state } as const;
  });
  return { nodes, edges: [...edges.values()] };
}
