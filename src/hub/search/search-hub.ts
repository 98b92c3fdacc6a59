import { isWordless } from '../../recall/query/query.ts';
import { confidences } from '../../recall/search/confidence.ts';
import type { Ranked } from '../../recall/search/fusion.ts';
import { STALE } from '../../recall/search/search.ts';
import { cardOf, type StoredCard } from '../cards.ts';
import type { HubHit, HubQuestion } from '../port-reading.ts';
import type { Reader } from '../reader.ts';
import type { DocumentCache } from './documents.ts';
import { rankCandidates } from './rank-candidates.ts';

/** What a record of an open pull request keeps of its score: anybody may open one. */
const UNREVIEWED = 0.85;

interface Found {
  ranked: Ranked;
  confidence: number;
  /** Places that hold the same record, the best first. */
  places: { repository: number; row: number }[];
}

/**
 * Searches the records that a reader may see; `conditions` are those of the filter that the database decides,
 * `only` the repository if it is one, `vector` the question's by the hub's model.
 */
export async function searchHub(
  read: Reader,
  cache: DocumentCache,
  { text, limit, plain, now }: HubQuestion,
  {
    conditions,
    nameOf,
    only,
    vector,
  }: {
    conditions: object;
    nameOf: (repository: number) => Promise<string>;
    only?: number | undefined;
    vector?: Float32Array;
  },
): Promise<{ hits: HubHit[]; total: number }> {
  const asked = {
    text,
    filter: conditions,
    only,
    ...(plain && { plain }),
    ...(now && { now }),
    ...(vector && { vector }),
  };
  const { ranking, index, query } = await rankCandidates(read, cache, asked);
  // A question without a word to look for is answered by the feed.
  if (isWordless(query)) return newest(read, { limit, conditions, nameOf });
  const { ranked, weights, statistics } = ranking;
  const confidence = confidences(ranked, statistics.documents);
  const byRecord = new Map<string, Found>();
  ranked.forEach((one, i) => {
    if (one.score <= 0) return;
    const place = index.placeOf(one.document.row);
    const key = `${one.document.card.id} ${one.document.blob}`;
    const found = byRecord.get(key);
    if (found === undefined) byRecord.set(key, { ranked: one, confidence: confidence[i] ?? 0, places: [place] });
    else found.places.push(place);
  });
  // Stale and unreviewed records go down, so some beyond the limit may come up.
  const best = [...byRecord.values()].slice(0, limit * 2);
  const firsts = best.flatMap(({ places }) => places[0] ?? []);
  const stored = await storedAt(read, firsts);
  const hits: HubHit[] = [];
  for (const { ranked: one, confidence, places } of best) {
    const [first, ...others] = places;
    const card = stored.get(`${first?.repository}:${first?.row}`);
    if (card === undefined) continue;
    const also = await Promise.all(others.map(({ repository }) => nameOf(repository)));
    hits.push({
      ...cardOf(card, await nameOf(card.repository), { weights, field: one.field }),
      score: one.score * (card.trust === 'unreviewed' ? UNREVIEWED : (STALE[card.freshness] ?? 1)),
      confidence,
      also,
    });
  }
  return { hits: hits.sort((a, b) => b.score - a.score).slice(0, limit), total: byRecord.size };
}

async function storedAt(read: Reader, places: { repository: number; row: number }[]): Promise<Map<string, StoredCard>> {
  if (places.length === 0) return new Map();
  const argument = { places: places.map(({ repository }) => repository), rows: places.map(({ row }) => row) };
  const stored = await read<StoredCard>('records', argument);
  return new Map(stored.map((one) => [`${one.repository}:${one.row}`, one]));
}

async function newest(
  read: Reader,
  { limit, conditions, nameOf }: { limit: number; conditions: object; nameOf: (repository: number) => Promise<string> },
): Promise<{ hits: HubHit[]; total: number }> {
  const [count, ...stored] = await read<StoredCard & { total?: number }>('feed', { filter: conditions, limit });
  const hits = await Promise.all(
    stored.map(async (one) => ({ ...cardOf(one, await nameOf(one.repository)), score: 0, confidence: 1, also: [] })),
  );
  return { hits, total: count?.total ?? 0 };
}
