import { LOCAL_MODELS } from '../../index/embed/local.ts';
import { toFloatBytes } from '../../index/embed/quantised.ts';
import {
  type Card,
  FIELDS,
  type IndexedDocument,
  type RankedIndex,
  type Statistics,
} from '../../index/memory-index.ts';
import { RANKING } from '../../search/ranking.ts';

/** A row of a repository. */
export interface Row {
  repository: number;
  row: number;
}

/** A row with its blob. */
export interface Place extends Row {
  oid: string;
}

/** The parts of a record that ranking needs; the same in every repository that has its blob. */
export interface KnownDocument {
  card: Card;
  terms: string[];
  /** The vector of its words' spelling. */
  spelling: Uint8Array;
}

/**
 * A question's vector as the ranking gets it. The database compares whole vectors; here each is reduced to its coordinates
 * in the plane that it spans with the question's, which preserves their angle.
 */
export const ASKED = { model: 'hub', vector: Float32Array.of(1, 0) } as const;

/** What the ranking asked for and was not yet fetched. */
const nothing = () => ({
  words: new Set<string>(),
  /** The weighted words, and lists of words; an answer has at least one word of each list. */
  candidates: undefined as Candidates | undefined,
  citing: new Set<string>(),
  sessions: new Set<string>(),
  rows: new Set<number>(),
});

export type Missing = ReturnType<typeof nothing>;
type Candidates = { key: string; weights: ReadonlyMap<string, number>; required: readonly (readonly string[])[] };

/** `paths/a.ts` of repository 7 as the ranking sees it. */
export function scoped(repository: number, name: string): string {
  return `${repository}:${name}`;
}

/** The repository and the name behind a scoped one. */
export function unscoped(name: string): [repository: number, name: string] {
  const colon = name.indexOf(':');
  return [Number(name.slice(0, colon)), name.slice(colon + 1)];
}

export type FetchedIndex = ReturnType<typeof fetchedIndex>;

/**
 * The index of one question, empty at first. The ranking is synchronous, as on one machine, and the database is not: so it
 * ranks, the index notes what it lacked, that is fetched, and it ranks again until nothing is missing. Paths and sessions
 * carry their repository's number, because the same name is another file in each. Long because the port is: each member is
 * a few lines about the same maps.
 */
export function fetchedIndex() {
  const numbers = new Map<string, number>();
  const places: Row[] = [];
  const documents = new Map<number, IndexedDocument>();
  const spellings = new Map<number, Uint8Array>();
  const frequencies = new Map<string, number>();
  const citing = new Map<string, { count: number; rows: number[] }>();
  const sessions = new Map<string, number[]>();
  const candidates = new Map<string, number[]>();
  const absent = new Set<number>();
  let totals: Omit<Statistics, 'frequencies'> | undefined;
  /** Vectors in the plane, by row; empty for a row that was asked about and has none. */
  const likenesses = new Map<number, Uint8Array>();
  let writes = 0;
  let missing = nothing();

  function numberOf({ repository, row }: Row): number {
    const key = `${repository}:${row}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = places.push({ repository, row });
    numbers.set(key, number);
    return number;
  }

  const found = (rows: Iterable<number>) => [...rows].flatMap((row) => documents.get(row) ?? []);

  const ranked: RankedIndex = {
    statistics(terms) {
      for (const term of terms) if (!frequencies.has(term)) missing.words.add(term);
      if (totals === undefined) missing.words.add('');
      return {
        ...(totals ?? { documents: 0, meanLengths: FIELDS.map(() => 1) }),
        frequencies: new Map(terms.map((term) => [term, frequencies.get(term) ?? 0])),
      };
    },
    candidates(weights, limit, accepts, required = []) {
      const key = JSON.stringify([[...weights], required]);
      const rows = candidates.get(key);
      if (rows === undefined) missing.candidates = { key, weights, required };
      return found(rows ?? [])
        .filter(accepts)
        .slice(0, limit);
    },
    documents(rows) {
      const wanted = [...rows];
      for (const row of wanted) if (!documents.has(row) && !absent.has(row)) missing.rows.add(row);
      return found(wanted);
    },
    around(side, { created }) {
      const all = [...documents.values()].sort((a, b) => (a.card.created < b.card.created ? -1 : 1));
      if (side === 'after') return all.filter(({ card }) => card.created >= created);
      return all.filter(({ card }) => card.created < created).reverse();
    },
    citing(path) {
      const known = citing.get(path);
      if (known === undefined) missing.citing.add(path);
      if (known === undefined || known.count <= RANKING.rareFile) return known?.rows ?? [];
      // For a file that very many records cite, only their number and those that are here matter.
      const here = [...documents.values()].filter(({ card }) => card.files.includes(path)).map(({ row }) => row);
      return [...here, ...Array<number>(Math.max(0, known.count - here.length)).fill(-1)];
    },
    session(session) {
      const rows = sessions.get(session);
      if (rows === undefined) missing.sessions.add(session);
      return rows ?? [];
    },
    version: () => String(writes),
    vectors: (model) => (model === ASKED.model ? likenesses : []),
    // Co-occurrence of words is learned from one store, and is not comparable between repositories.
    termVector: () => undefined,
    vector(model, row) {
      return model === LOCAL_MODELS.spelling ? spellings.get(row) : undefined;
    },
  };

  return {
    ...ranked,
    takeMissing(): Missing {
      const taken = missing;
      missing = nothing();
      return taken;
    },
    putStatistics(statistics: Omit<Statistics, 'frequencies'>, counts: ReadonlyMap<string, number>) {
      totals = statistics;
      for (const [term, count] of counts) frequencies.set(term, count);
    },
    /** How many documents have a word, if fetched. */
    frequencyOf: (word: string) => frequencies.get(word),
    /** Average number of tokens in a document. */
    meanLength: () => totals?.meanLengths.reduce((sum, mean) => sum + mean, 0) ?? 1,
    putCandidates: (key: string, found: Place[]) => void candidates.set(key, found.map(numberOf)),
    putDocument({ oid, ...place }: Place, { card, terms, spelling }: KnownDocument) {
      const { repository } = place;
      const number = numberOf(place);
      spellings.set(number, spelling);
      const files = card.files.map((path) => scoped(repository, path));
      const session = card.session == null ? {} : { session: scoped(repository, card.session) };
      const { session: _, ...rest } = card;
      documents.set(number, { row: number, blob: oid, store: 'team', terms, card: { ...rest, ...session, files } });
    },
    putCiting(path: string, count: number, rows: number[]) {
      const [repository] = unscoped(path);
      citing.set(path, { count, rows: rows.map((row) => numberOf({ repository, row })) });
    },
    putSession(session: string, rows: number[]) {
      const [repository] = unscoped(session);
      const numbers = rows.map((row) => numberOf({ repository, row }));
      sessions.set(session, numbers);
    },
    /** Adds cosines with the question's vector; undefined for a row that has no vector. */
    putLikenesses(found: (Row & { likeness?: number })[]) {
      for (const { likeness, ...place } of found) {
        const shadow = likeness === undefined ? [] : [likeness, Math.sqrt(Math.max(0, 1 - likeness * likeness))];
        likenesses.set(numberOf(place), toFloatBytes(Float32Array.from(shadow)));
      }
      writes++;
    },
    hasLikenesses: () => writes > 0,
    /** Documents with unknown similarity. */
    uncompared: (): Row[] =>
      [...documents.keys()].flatMap((row) => (likenesses.has(row) ? [] : (places[row - 1] ?? []))),
    /** The row of a local number. */
    placeOf(number: number): Row {
      // Rows that were asked for and not returned are hidden, filtered out or gone: they are not asked for again.
      absent.add(number);
      return places[number - 1] ?? { repository: 0, row: 0 };
    },
  };
}
