import { parseQuery, plainQuery } from '../../recall/query/parse-query.ts';
import type { Query } from '../../recall/query/query.ts';
import { type Ranking, rank } from '../../recall/search/rank.ts';
import { RANKING } from '../../recall/search/ranking.ts';
import type { Reader } from '../reader.ts';
import type { DocumentCache } from './documents.ts';
import { fetchDocuments } from './fetch-documents.ts';
import { likenesses } from './fetch-likenesses.ts';
import { fetchWords } from './fetch-words.ts';
import { ASKED, type FetchedIndex, fetchedIndex, type Missing, scoped, unscoped } from './fetched-index.ts';

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
    const ranking = rank(index, query, () => true, { neural: vector && ASKED });
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
  const documents = fetchDocuments(read, { index, cache, filter });
  const words = fetchWords(read, { index, cache, documents, query, filter, only });
  const near = likenesses(read, index, { filter, vector, known: documents.known });

  /** Fetches what is missing; false if nothing was. */
  async function missing(lacking: Missing): Promise<boolean> {
    if (lacking.words.size > 0) await words.counted([...lacking.words]);
    else if (lacking.vocabulary) await words.vocabulary();
    else if (lacking.candidates) {
      await Promise.all([words.candidates(lacking.candidates), near.nearest()]);
      await near.compared();
    } else if (lacking.citing.size + lacking.sessions.size > 0) {
      await Promise.all([citing([...lacking.citing]), sessions([...lacking.sessions])]);
    } else if (lacking.rows.size > 0) {
      await documents.wanted([...lacking.rows].map((row) => index.placeOf(row)));
      await near.compared();
    } else return false;
    return true;
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
      await documents.known(places);
    }
  }

  return { missing, dated };
}
