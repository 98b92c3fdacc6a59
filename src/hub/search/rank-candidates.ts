import { parseQuery, plainQuery } from '../../recall/query/parse-query.ts';
import type { Query } from '../../recall/query/query.ts';
import { type Ranking, rank } from '../../recall/search/rank.ts';
import { RANKING } from '../../recall/search/ranking.ts';
import type { Reader } from '../reader.ts';
import type { DocumentCache, KnownDocument } from './documents.ts';
import { columnsOf, likenesses } from './fetch-likenesses.ts';
import { ASKED, type FetchedIndex, fetchedIndex, type Missing, type Place, scoped, unscoped } from './fetched-index.ts';
import { isLearnable } from './learned.ts';

/** Rows read for a question's words before the more frequent ones are left to the ranking alone. */
const MOST_ROWS = 20_000;

/** Rounds of ranking and fetching; the last ones find little. */
const ROUNDS = 8;

/**
 * Ranks the records that a reader may see with the ranking of one machine. `filter` is what the database decides; `only` is
 * the repository, if the question is about one.
 */
export async function rankCandidates(
  read: Reader,
  cache: DocumentCache,
  {
    text,
    plain = false,
    now = new Date(),
    filter,
    only,
    vector,
  }: {
    text: string;
    plain?: boolean;
    now?: Date;
    filter: object;
    only?: number | undefined;
    vector?: Float32Array;
  },
): Promise<{ ranking: Ranking; index: FetchedIndex; query: Query }> {
  const query = plain ? plainQuery(text) : parseQuery(text, now);
  const index = fetchedIndex();
  const fetch = fetching(read, cache, { index, query, filter, only, vector });
  await fetch.dated();
  for (let round = 1; ; round++) {
    const ranking = rank(index, query, () => true, vector && ASKED);
    const isWhole = !(await fetch.missing(index.takeMissing())) || round === ROUNDS;
    if (isWhole) return { ranking, index, query };
  }
}

function fetching(
  read: Reader,
  cache: DocumentCache,
  {
    index,
    query,
    filter,
    only,
    vector,
  }: {
    index: FetchedIndex;
    query: Query;
    filter: object;
    only: number | undefined;
    vector: Float32Array | undefined;
  },
) {
  let counts = new Map<string, number>();
  let meanLength = 1;
  const near = likenesses(read, index, { filter, vector, known });

  /** Fetches what is missing; false if nothing was. */
  async function missing(lacking: Missing): Promise<boolean> {
    if (lacking.words.size > 0) await words([...lacking.words]);
    else if (lacking.vocabulary) await vocabulary();
    else if (lacking.candidates) {
      await Promise.all([candidates(lacking.candidates), near.nearest()]);
      await near.compared();
    } else if (lacking.citing.size + lacking.sessions.size > 0) {
      await Promise.all([citing([...lacking.citing]), sessions([...lacking.sessions])]);
    } else if (lacking.rows.size > 0) {
      await wanted([...lacking.rows].map((row) => index.placeOf(row)));
      await near.compared();
    } else return false;
    return true;
  }

  async function words(keys: string[]): Promise<void> {
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
      const places = (await read<[number, number, string]>('places', { filter: EVERYTHING })).map(placeOf);
      // What is learned depends on the order, and the database gives none.
      places.sort((a, b) => (a.oid < b.oid ? -1 : 1));
      const unknown = places.filter(({ oid }) => cache.get(oid) === undefined);
      const found = new Map<string, string[]>();
      for (const { oid, terms, card } of await documentsAt(unknown, EVERYTHING)) {
        cache.put(oid, { terms, card });
        found.set(oid, terms);
      }
      return places.map(({ row, oid }) => [row, found.get(oid) ?? cache.get(oid)?.terms ?? []]);
    });
    if (model !== undefined) index.putLearned(repository, model);
  }

  /** The words that a prefix or an unknown word may stand for: those that begin alike. */
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
        : await read<[number, number, string]>('candidates', {
            ...argument,
            ...(demanded && { demanded: demanded.terms }),
          });
    const places = rows.map(placeOf);
    await known(places);
    index.putCandidates(key, places);
  }

  /** Documents of places that the database just gave, from memory where they are there. */
  async function known(places: Place[]): Promise<void> {
    const unknown: Place[] = [];
    for (const place of places) {
      const document = cache.get(place.oid);
      if (document === undefined) unknown.push(place);
      else index.putDocument(place, document);
    }
    for (const { terms, card, ...place } of await documentsAt(unknown, filter)) {
      cache.put(place.oid, { terms, card });
      index.putDocument(place, { terms, card });
    }
  }

  async function documentsAt(places: Omit<Place, 'oid'>[], filter: object): Promise<(Place & KnownDocument)[]> {
    return places.length === 0 ? [] : read<Place & KnownDocument>('documents', { filter, ...columnsOf(places) });
  }

  /** The documents of rows, if the filter lets them through. */
  async function wanted(places: Omit<Place, 'oid'>[]): Promise<void> {
    await known((await read<[number, number, string]>('places', { filter, ...columnsOf(places) })).map(placeOf));
  }

  async function citing(paths: string[]): Promise<void> {
    if (paths.length === 0) return;
    const pairs = paths.map(unscoped);
    const argument = {
      places: pairs.map(([one]) => one),
      keys: pairs.map(([, path]) => `/${path}`),
      limit: RANKING.rareFile,
    };
    for (const path of paths) index.putCiting(path, 0, []);
    for (const [repository, key, count, rows] of await read<[number, string, number, number[] | null]>(
      'citing',
      argument,
    )) {
      index.putCiting(scoped(repository, key.slice(1)), count, rows ?? []);
    }
  }

  async function sessions(names: string[]): Promise<void> {
    if (names.length === 0) return;
    const pairs = names.map(unscoped);
    const argument = { places: pairs.map(([one]) => one), keys: pairs.map(([, name]) => name) };
    for (const name of names) index.putSession(name, []);
    for (const [repository, name, rows] of await read<[number, string, number[]]>('sessions', argument)) {
      index.putSession(scoped(repository, name), rows);
    }
  }

  /** The records from times that the question names. */
  async function dated(): Promise<void> {
    for (const { since, until } of query.spans) {
      const found = await read<{ repository?: number; row?: number; oid?: string }>('feed', {
        filter: { ...filter, since, until },
        limit: RANKING.candidates,
      });
      const places = found.flatMap(({ repository, row, oid }) =>
        repository === undefined || row === undefined || oid === undefined ? [] : [{ repository, row, oid }],
      );
      await known(places);
    }
  }

  return { missing, dated };
}

/** A filter that lets every record through. */
const EVERYTHING = { all: true, kind: ['observation', 'summary', 'mark'] };

function placeOf([repository, row, oid]: [number, number, string]): Place {
  return { repository, row, oid };
}

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
