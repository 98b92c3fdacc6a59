import type { Query } from '../../search/query.ts';
import { RANKING } from '../../search/ranking.ts';
import type { Reader } from '../database/database.ts';
import { literalOf } from '../vectors/vectors.ts';
import { type FetchedIndex, type KnownDocument, type Missing, type Place, scoped, unscoped } from './fetched-index.ts';

/** Rows read for a question's rarest words; more frequent ones count only in the ranking. Bounds a question's cost. */
const MOST_ROWS = 20_000;

/** Maximum documents kept in memory, at some kilobytes each. */
const MOST_CACHED = 4000;

/** Documents by their blobs. The database decides first which of them a reader may see. */
export type DocumentCache = Map<string, KnownDocument>;

/** One question, and the index of what was fetched for it. */
export interface Asking {
  read: Reader;
  cache: DocumentCache;
  index: FetchedIndex;
  query: Query;
  /** The conditions that the database decides. */
  filter: object;
  /** The question's vector by the hub's model. */
  vector: Float32Array | undefined;
}

/** Fetches what the ranking lacked; false if it lacked nothing. */
export async function fetchMissing(asking: Asking, lacking: Missing): Promise<boolean> {
  if (lacking.words.size > 0) await countWords(asking, [...lacking.words]);
  else if (lacking.candidates) {
    await Promise.all([fetchCandidates(asking, lacking.candidates), fetchNearest(asking)]);
    await compare(asking);
  } else if (lacking.citing.size + lacking.sessions.size > 0) {
    await Promise.all([fetchCiting(asking, [...lacking.citing]), fetchSessions(asking, [...lacking.sessions])]);
  } else if (lacking.rows.size > 0) {
    const rows = [...lacking.rows].map((row) => asking.index.placeOf(row));
    await putDocuments(asking, await asking.read<Place>('places', { filter: asking.filter, ...columnsOf(rows) }));
    await compare(asking);
  } else return false;
  return true;
}

/** Fetches records from the times that the question names. */
export async function fetchDated(asking: Asking): Promise<void> {
  for (const { since, until } of asking.query.spans) {
    const argument = { filter: { ...asking.filter, since, until }, limit: RANKING.candidates };
    // The first row may hold only the total.
    const found = await asking.read<Place | { oid: undefined }>('feed', argument);
    await putDocuments(
      asking,
      found.filter((one) => one.oid !== undefined),
    );
  }
}

/** Fetches how many documents have each word. */
async function countWords({ read, index }: Asking, keys: string[]): Promise<void> {
  // The first row has the totals, each other row a word.
  const [totals, ...found] = await read<{ documents: number; word: string; lengths: number[] }>('words', { keys });
  const { documents = 0, lengths = [] } = totals ?? {};
  const meanLengths = lengths.map((length) => Math.max(0.01, length / Math.max(1, documents)));
  const counts = new Map(keys.map((key): [string, number] => [key, 0]));
  for (const { word, documents: count } of found) counts.set(word, count);
  index.putStatistics({ documents, meanLengths }, counts);
}

/** Fetches the records with the rarest of the words. */
async function fetchCandidates(
  asking: Asking,
  { key, weights, required }: NonNullable<Missing['candidates']>,
): Promise<void> {
  const { read, index, filter } = asking;
  const words = rarest(weights, index);
  const frequency = (terms: readonly string[]) => terms.reduce((sum, one) => sum + (index.frequencyOf(one) ?? 0), 0);
  const [demanded] = required.toSorted((a, b) => frequency(a) - frequency(b));
  const argument = {
    words,
    filter,
    mean: index.meanLength(),
    limit: RANKING.candidates,
    ...(demanded && { demanded }),
  };
  const places = words.length === 0 ? [] : await read<Place>('candidates', argument);
  await putDocuments(asking, places);
  index.putCandidates(key, places);
}

/** The words that choose candidates: the rarest first, as long as they are in few enough records together. */
function rarest(weights: ReadonlyMap<string, number>, index: FetchedIndex): { key: string; weight: number }[] {
  const known = [...weights].flatMap(([key, weight]) => {
    const count = index.frequencyOf(key) ?? 0;
    return count > 0 ? [{ key, weight, count }] : [];
  });
  known.sort((a, b) => a.count - b.count);
  let rows = 0;
  return known
    .filter(({ count }, i) => {
      rows += count;
      return i === 0 || rows <= MOST_ROWS;
    })
    .map(({ key, weight }) => ({ key, weight }));
}

/** Fetches the records nearest to the question's vector, once. */
async function fetchNearest(asking: Asking): Promise<void> {
  const { read, index, filter, vector } = asking;
  if (vector === undefined || index.hasLikenesses()) return;
  const argument = { filter, limit: RANKING.nearest * 2, vector: literalOf(vector) };
  const found = await read<Place & { likeness: number }>('nearest', argument);
  await putDocuments(asking, found);
  index.putLikenesses(found);
}

/** Fetches the similarity of the other records found. */
async function compare({ read, index, vector }: Asking): Promise<void> {
  const rows = vector === undefined ? [] : index.uncompared();
  if (vector === undefined || rows.length === 0) return;
  index.putLikenesses(rows);
  index.putLikenesses(await read('compared', { ...columnsOf(rows), vector: literalOf(vector) }));
}

async function fetchCiting({ read, index }: Asking, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const pairs = paths.map(unscoped);
  const [places, keys] = [pairs.map(([one]) => one), pairs.map(([, path]) => `/${path}`)];
  for (const path of paths) index.putCiting(path, 0, []);
  type Citing = [repository: number, key: string, count: number, rows: number[] | null];
  const found = await read<Citing>('citing', { places, keys, limit: RANKING.rareFile });
  for (const [repository, key, count, rows] of found) {
    index.putCiting(scoped(repository, key.slice(1)), count, rows ?? []);
  }
}

async function fetchSessions({ read, index }: Asking, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const pairs = names.map(unscoped);
  const argument = { places: pairs.map(([one]) => one), keys: pairs.map(([, name]) => name) };
  for (const name of names) index.putSession(name, []);
  for (const [repository, name, rows] of await read<[number, string, number[]]>('sessions', argument)) {
    index.putSession(scoped(repository, name), rows);
  }
}

/** Puts into the index, from the cache if possible, the documents at places that the database just returned. */
async function putDocuments({ read, cache, index, filter }: Asking, places: Place[]): Promise<void> {
  const put = (place: Place, document: KnownDocument) => {
    // A map keeps the order of insertion: its first entry is the least recently used.
    cache.delete(place.oid);
    cache.set(place.oid, document);
    index.putDocument(place, document);
  };
  const unknown: Place[] = [];
  for (const place of places) {
    const document = cache.get(place.oid);
    if (document === undefined) unknown.push(place);
    else put(place, document);
  }
  if (unknown.length === 0) return;
  const argument = { filter, ...columnsOf(unknown) };
  type Stored = Place & Omit<KnownDocument, 'spelling'> & { spelling: string };
  for (const { card, terms, spelling, ...place } of await read<Stored>('documents', argument)) {
    put(place, { card, terms, spelling: Buffer.from(spelling, 'base64') });
  }
  for (const oid of cache.keys()) {
    if (cache.size <= MOST_CACHED) break;
    cache.delete(oid);
  }
}

/** Rows as columns, as the database takes them. */
export function columnsOf(rows: Omit<Place, 'oid'>[]): { places: number[]; rows: number[] } {
  return { places: rows.map(({ repository }) => repository), rows: rows.map(({ row }) => row) };
}
