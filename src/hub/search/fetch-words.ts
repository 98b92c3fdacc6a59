import type { Query } from '../../recall/query/query.ts';
import { RANKING } from '../../recall/search/ranking.ts';
import type { Reader } from '../reader.ts';
import type { DocumentCache } from './documents.ts';
import { type Documents, documentsAt, type PlaceRow, placeOf } from './fetch-documents.ts';
import type { FetchedIndex, Missing } from './fetched-index.ts';
import { isLearnable } from './learned.ts';

/** Rows read for a question's words before the more frequent ones are left to the ranking alone: it bounds what one question costs the database. */
const MOST_ROWS = 20_000;

/** Fetches what is known of a question's words, and the records that have them. */
export interface Words {
  /** How frequent words are. */
  counted(keys: string[]): Promise<void>;
  /** The words that a prefix or an unknown word may stand for: those that begin alike. */
  vocabulary(): Promise<void>;
  /** The records that have the rarest of them. */
  candidates(wanted: NonNullable<Missing['candidates']>): Promise<void>;
}

export function fetchWords(
  read: Reader,
  {
    index,
    cache,
    documents: { known },
    query,
    filter,
    only,
  }: {
    index: FetchedIndex;
    cache: DocumentCache;
    documents: Documents;
    query: Query;
    filter: object;
    only: number | undefined;
  },
): Words {
  let counts = new Map<string, number>();
  let meanLength = 1;

  async function counted(keys: string[]): Promise<void> {
    const [totals, ...found] = await read<WordCount & Totals>('words', { keys });
    const { documents = 0, lengths = [] } = totals ?? {};
    const means = lengths.map((length) => Math.max(0.01, length / Math.max(1, documents)));
    counts = new Map([...counts, ...keys.map((key): [string, number] => [key, 0])]);
    for (const { word, documents: count } of found) counts.set(word, count);
    meanLength = means.reduce((sum, mean) => sum + mean, 0);
    index.putStatistics({ documents, meanLengths: means }, counts);
    if (only !== undefined && totals !== undefined && isLearnable(documents)) await learned(only, totals.version);
  }

  async function learned(repository: number, version: number): Promise<void> {
    const model = await cache.learned.of(repository, version, async () => {
      const places = (await read<PlaceRow>('places', { filter: EVERYTHING })).map(placeOf);
      // What is learned depends on the order, and the database gives none.
      places.sort((a, b) => (a.oid < b.oid ? -1 : 1));
      const unknown = places.filter(({ oid }) => cache.get(oid) === undefined);
      const found = new Map<string, string[]>();
      for (const { oid, terms, card } of await documentsAt(read, unknown, EVERYTHING)) {
        cache.put(oid, { terms, card });
        found.set(oid, terms);
      }
      return places.map(({ row, oid }) => [row, found.get(oid) ?? cache.get(oid)?.terms ?? []]);
    });
    if (model !== undefined) index.putLearned(repository, model);
  }

  async function vocabulary(): Promise<void> {
    const unknown = query.isTyped ? [...query.terms.keys()].filter((term) => counts.get(term) === 0) : [];
    const keys = [...query.prefixes, ...unknown.map((word) => [...word].slice(0, 2).join(''))];
    const [found] = await read<string[] | null>('vocabulary', { keys });
    index.putVocabulary(found ?? []);
  }

  async function candidates({ key, weights, required }: NonNullable<Missing['candidates']>): Promise<void> {
    const asked = rarest(weights, counts);
    const lists = required.map((terms) => ({
      terms,
      count: terms.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0),
    }));
    const [demanded] = lists.sort((a, b) => a.count - b.count);
    const argument = { words: asked, filter, mean: meanLength, limit: RANKING.candidates };
    const rows =
      asked.length === 0
        ? []
        : await read<PlaceRow>('candidates', { ...argument, ...(demanded && { demanded: demanded.terms }) });
    const places = rows.map(placeOf);
    await known(places);
    index.putCandidates(key, places);
  }

  return { counted, vocabulary, candidates };
}

/** A filter that lets every record through. */
const EVERYTHING = { all: true, kind: ['observation', 'summary', 'mark'] };

interface WordCount {
  word: string;
  documents: number;
}

interface Totals {
  /** Changes with any of the repositories. */
  version: number;
  documents: number;
  lengths: number[];
}

/** The words that choose candidates: the rarest first, as long as they are in few enough records together. */
function rarest(
  weights: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
): { key: string; weight: number }[] {
  const known = [...weights].flatMap(([key, weight]) => {
    const count = counts.get(key) ?? 0;
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
