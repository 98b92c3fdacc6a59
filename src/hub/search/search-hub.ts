import { cardOf as indexCardOf, textsOf } from '../../index/document.ts';
import type { Field } from '../../index/memory-index.ts';
import type { EffectiveState } from '../../memory/marks.ts';
import { isContent, type MemoryRecord, typeOf } from '../../memory/record.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { confidences, type Ranked } from '../../search/fusion.ts';
import { parseQuery } from '../../search/parse-query.ts';
import { isWordless } from '../../search/query.ts';
import { type Measured, type Ranking, rank } from '../../search/rank.ts';
import { STALE } from '../../search/ranking.ts';
import { snippetIn } from '../../search/snippet.ts';
import type { Reader } from '../database/database.ts';
import type { HubCard, HubHit, HubQuestion } from '../port.ts';
import { type Asking, columnsOf, type DocumentCache, fetchDated, fetchMissing } from './fetch.ts';
import { ASKED, fetchedIndex, type Place, type Row } from './fetched-index.ts';

/** Rounds of ranking and fetching: five kinds of things can be missing, and the last rounds find little. */
const ROUNDS = 8;

interface Found {
  ranked: Ranked;
  confidence: number;
  /** Places of the same record, the best first. */
  places: [Row, ...Row[]];
}

/** What a question is about, and its vector by the hub's model. */
interface Scope {
  /** The part of the filter that the database decides. */
  conditions: object;
  nameOf: (repository: number) => Promise<string>;
  vector?: Float32Array;
}

/** Searches the records that a reader may see, with the ranking used on one machine. */
export async function searchHub(
  read: Reader,
  cache: DocumentCache,
  { text, limit, now = new Date() }: HubQuestion,
  { conditions, nameOf, vector }: Scope,
): Promise<{ hits: HubHit[]; total: number }> {
  const query = parseQuery(text, now);
  if (isWordless(query)) {
    // A question without words to look for is answered by the feed.
    const [count, ...stored] = await read<StoredCard & { total?: number }>('feed', { filter: conditions, limit });
    const hits = stored.map(async (one) => {
      return { ...cardOf(one, await nameOf(one.repository)), score: 0, confidence: 1, also: [] };
    });
    return { hits: await Promise.all(hits), total: count?.total ?? 0 };
  }
  const index = fetchedIndex();
  const { ranked, weights, statistics } = await rankFetched({ read, cache, index, query, filter: conditions, vector });
  const confidence = confidences(ranked, statistics.documents);
  const byRecord = new Map<string, Found>();
  ranked.forEach((one, i) => {
    if (one.score <= 0 || !one.isAnswer) return;
    const place = index.placeOf(one.document.row);
    const key = `${one.document.card.id} ${one.document.blob}`;
    const found = byRecord.get(key);
    if (found === undefined) byRecord.set(key, { ranked: one, confidence: confidence[i] ?? 0, places: [place] });
    else found.places.push(place);
  });
  // Stale records move down, so some from beyond the limit may move up.
  const best = [...byRecord.values()].slice(0, limit * 2);
  const rows = best.map(({ places: [place] }) => place);
  const stored = rows.length === 0 ? [] : await read<StoredCard>('records', columnsOf(rows));
  const byPlace = new Map(stored.map((one) => [`${one.repository}:${one.row}`, one]));
  const scored = best.flatMap(({ ranked, confidence, places: [{ repository, row }, ...others] }) => {
    const card = byPlace.get(`${repository}:${row}`);
    return card === undefined
      ? []
      : [{ ranked, confidence, card, others, score: ranked.score * (STALE[card.freshness] ?? 1) }];
  });
  scored.sort((a, b) => b.score - a.score);
  const hits = scored.slice(0, limit).map(async ({ card, score, confidence, ranked: { field }, others }) => {
    const also = await Promise.all(others.map(({ repository }) => nameOf(repository)));
    return { ...cardOf(card, await nameOf(card.repository), { weights, field }), score, confidence, also };
  });
  return { hits: await Promise.all(hits), total: byRecord.size };
}

/** Ranks and fetches what was missing, in turn. */
async function rankFetched(asking: Asking): Promise<Ranking> {
  const { index, query, vector } = asking;
  await fetchDated(asking);
  let measured: Measured = { matches: new Map(), answers: new Map() };
  for (let round = 1; ; round++) {
    const ranking = rank(index, query, () => true, { neural: vector && ASKED, measured });
    const missing = index.takeMissing();
    // Weights computed without the words' frequencies were wrong.
    if (missing.words.size > 0) measured = { matches: new Map(), answers: new Map() };
    const isWhole = !(await fetchMissing(asking, missing)) || round === ROUNDS;
    if (isWhole) return ranking;
  }
}

/** A record as the database gives it. */
export interface StoredCard extends Place {
  path: string;
  author: string;
  freshness: Freshness;
  state: EffectiveState;
  record: MemoryRecord;
}

/** A record for lists; with a question's weights, its excerpt is the best-matching sentence. */
export function cardOf(
  { record, path, author, freshness, state }: StoredCard,
  repository: string,
  { weights = new Map(), field }: { weights?: ReadonlyMap<string, number>; field?: Field | undefined } = {},
): HubCard {
  const { id, kind, generated, session = null, branch = null } = record;
  const { title, concepts, files } = indexCardOf(record);
  const excerpt = isContent(record) ? snippetIn(textsOf(record), weights, field) : '';
  const about = { repository, id, kind, type: typeOf(record), title, excerpt, created: generated.at, author };
  return { ...about, session, branch, concepts, files, path, trust: 'reviewed', freshness, state };
}
