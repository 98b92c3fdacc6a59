import { confidences, type Ranked } from '../../search/fusion.ts';
import { parseQuery, plainQuery } from '../../search/parse-query.ts';
import { isWordless } from '../../search/query.ts';
import { type Ranking, rank } from '../../search/rank.ts';
import { STALE } from '../../search/search.ts';
import { cardOf, type StoredCard } from '../cards.ts';
import type { Reader } from '../database/database.ts';
import type { HubHit, HubQuestion } from '../port-reading.ts';
import type { DocumentCache } from './document-cache.ts';
import { type Asking, columnsOf, fetchDated, fetchMissing } from './fetch.ts';
import { ASKED, fetchedIndex, type Row } from './fetched-index.ts';

/** Rounds of ranking and fetching: five kinds of things can be missing, and the last rounds find little. */
const ROUNDS = 8;

interface Found {
  ranked: Ranked;
  confidence: number;
  /** Places that hold the same record, the best first. */
  places: Row[];
}

/** What a question is about, and its vector by the hub's model. */
interface Scope {
  /** Those of the filter that the database decides. */
  conditions: object;
  nameOf: (repository: number) => Promise<string>;
  vector?: Float32Array;
}

/** Searches the records that a reader may see with the ranking of one machine. */
export async function searchHub(
  read: Reader,
  cache: DocumentCache,
  { text, limit, plain = false, now = new Date() }: HubQuestion,
  { conditions, nameOf, vector }: Scope,
): Promise<{ hits: HubHit[]; total: number }> {
  const query = plain ? plainQuery(text) : parseQuery(text, now);
  // A question without a word to look for is answered by the feed.
  if (isWordless(query)) return newest(read, { limit, conditions, nameOf });
  const index = fetchedIndex();
  const ranking = await rankFetched({ read, cache, index, query, filter: conditions, vector });
  const { ranked, weights, statistics } = ranking;
  const confidence = confidences(ranked, statistics.documents);
  const byRecord = new Map<string, Found>();
  ranked.forEach((one, i) => {
    if (one.score <= 0 || !(one.isAnswer || plain)) return;
    const place = index.placeOf(one.document.row);
    const key = `${one.document.card.id} ${one.document.blob}`;
    const found = byRecord.get(key);
    if (found === undefined) byRecord.set(key, { ranked: one, confidence: confidence[i] ?? 0, places: [place] });
    else found.places.push(place);
  });
  // Stale records go down, so some beyond the limit may come up.
  const best = [...byRecord.values()].slice(0, limit * 2);
  const stored = await storedAt(
    read,
    best.flatMap(({ places }) => places[0] ?? []),
  );
  const scored = best.flatMap((found) => {
    const card = stored.get(`${found.places[0]?.repository}:${found.places[0]?.row}`);
    return card === undefined ? [] : [{ ...found, card, score: found.ranked.score * (STALE[card.freshness] ?? 1) }];
  });
  scored.sort((a, b) => b.score - a.score);
  const hits = scored
    .slice(0, limit)
    .map(async ({ card, score, confidence, ranked: { field }, places }): Promise<HubHit> => {
      const also = await Promise.all(places.slice(1).map(({ repository }) => nameOf(repository)));
      return { ...cardOf(card, await nameOf(card.repository), { weights, field }), score, confidence, also };
    });
  return { hits: await Promise.all(hits), total: byRecord.size };
}

/** Ranks and fetches what that lacked, in turn. */
async function rankFetched(asking: Asking): Promise<Ranking> {
  const { index, query, vector } = asking;
  await fetchDated(asking);
  for (let round = 1; ; round++) {
    const ranking = rank(index, query, () => true, { neural: vector && ASKED });
    const isWhole = !(await fetchMissing(asking, index.takeMissing())) || round === ROUNDS;
    if (isWhole) return ranking;
  }
}

async function storedAt(read: Reader, rows: Row[]): Promise<Map<string, StoredCard>> {
  const stored = rows.length === 0 ? [] : await read<StoredCard>('records', columnsOf(rows));
  return new Map(stored.map((one) => [`${one.repository}:${one.row}`, one]));
}

async function newest(
  read: Reader,
  { limit, conditions, nameOf }: Scope & { limit: number },
): Promise<{ hits: HubHit[]; total: number }> {
  const [count, ...stored] = await read<StoredCard & { total?: number }>('feed', { filter: conditions, limit });
  const hits = await Promise.all(
    stored.map(async (one) => ({ ...cardOf(one, await nameOf(one.repository)), score: 0, confidence: 1, also: [] })),
  );
  return { hits, total: count?.total ?? 0 };
}
