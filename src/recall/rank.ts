import { spell } from '../cache/embed/grams.ts';
import { LOCAL_MODELS, latentOf } from '../cache/embed/local.ts';
import type { Field, IndexedDocument, MemoryIndex, Statistics } from '../cache/memory-index.ts';
import { bm25f, type Match } from './bm25f.ts';
import { bestByVector, spellingLikeness } from './nearest.ts';
import { hasPhrase, type Query } from './query.ts';

/** Every constant of the ranking, with what it weighs. Measured on whole repositories' histories, each part on and off. */
export const RANKING = {
  /** Documents that full-text search hands over. */
  candidates: 300,
  /** Terms of a long question that are used, the most telling first. */
  terms: 48,
  /** BM25F. */
  fields: { title: 2, narrative: 1, facts: 1, concepts: 1, files: 0.5 } satisfies Record<Field, number>,
  k1: 0.9,
  b: 0.4,
  /** Weights of the fused scores, each divided by its largest. */
  lexical: 0.7,
  latent: 0.2,
  spelling: 0.1,
  /** With a neural model's vectors, which then stand in for the store's own. */
  neural: { lexical: 0.5, neural: 0.5 },
  /** Nearest documents by latent vector that join the candidates. */
  nearest: 50,
  /** The best ones lend to records that cite the same files: share x score / (files x sqrt(records citing it)). */
  lenders: 30,
  share: 0.15,
  /** Records that cite a file for it to bring in records that nothing else brought in. */
  rareFile: 30,
  /** What the record before and after in the same session get of a score. */
  neighbour: 0.3,
} as const;

/** A document with how its words match; without a field only vectors or neighbours brought it in. */
export interface Ranked extends Match {
  document: IndexedDocument;
  score: number;
}

/** A question's vector by an optional model. */
export interface QueryVector {
  model: string;
  vector: Float32Array;
}

export interface Ranking {
  ranked: Ranked[];
  /** What each of the question's terms weighs in this store. */
  weights: Map<string, number>;
}

/** The documents that answer, best first; equal ones newest first. */
export function rank(
  index: MemoryIndex,
  query: Query,
  accepts: (document: IndexedDocument) => boolean,
  neural?: QueryVector,
): Ranking {
  const statistics = index.statistics([...query.terms.keys()]);
  const weights = termWeights(query, statistics);
  const allowed = (document: IndexedDocument) => accepts(document) && !holdsAny(document, query.excluded);
  let found = index.candidates(weights, RANKING.candidates, allowed);
  const isPhrased = (document: IndexedDocument) => query.phrases.every((phrase) => holdsPhrase(document, phrase));
  // A phrase that stands nowhere was quoted for another reason than to be found.
  const phrased = query.phrases.length > 0 && found.some(isPhrased);
  if (phrased) found = found.filter(isPhrased);
  const passes = phrased ? (document: IndexedDocument) => allowed(document) && isPhrased(document) : allowed;

  const match = bm25f(weights, statistics.meanLengths, RANKING);
  const measured = (document: IndexedDocument): Ranked => ({ document, score: 0, ...match(document) });
  const pool = new Map<number, Ranked>();
  for (const document of found) pool.set(document.row, measured(document));
  const scores = fuse(index, query, weights, pool, passes, neural);
  const share = sharedFiles(index, scores, pool);
  for (const [row, gain] of share) scores.set(row, (scores.get(row) ?? 0) + gain);
  const near = sessionNeighbours(index, scores, pool);
  for (const [row, gain] of near) scores.set(row, (scores.get(row) ?? 0) + gain);

  const missing = best(scores, RANKING.candidates, pool).flatMap(([row]) => (pool.has(row) ? [] : [row]));
  for (const document of index.documents(missing)) if (passes(document)) pool.set(document.row, measured(document));
  const ranked = [...pool.values()].map((one) => ({ ...one, score: scores.get(one.document.row) ?? 0 }));
  return { ranked: ranked.sort((a, b) => b.score - a.score || newestFirst(a.document, b.document)), weights };
}

/** Weight of each term: rare in the store, and repeated in the question. The most telling ones, best first. */
function termWeights(query: Query, { documents, frequencies }: Statistics): Map<string, number> {
  const weighted = [...query.terms].map(([term, count]): [string, number] => {
    const frequency = frequencies.get(term) ?? 0;
    const rarity = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
    return [term, rarity * (1 + Math.log(count))];
  });
  return new Map(weighted.sort((a, b) => b[1] - a[1]).slice(0, RANKING.terms));
}

/** The weighted sum of what words, company and spelling say, each against its best. Adds the nearest by company to the pool. */
function fuse(
  index: MemoryIndex,
  query: Query,
  weights: Map<string, number>,
  pool: Map<number, Ranked>,
  passes: (document: IndexedDocument) => boolean,
  neural: QueryVector | undefined,
): Map<number, number> {
  const tokens = [...query.terms].flatMap(([term, count]) => Array<string>(Math.min(count, 8)).fill(term));
  const meaning = neural?.vector ?? latentOf(index, tokens);
  const latent = meaning ? bestByVector(index, neural?.model ?? LOCAL_MODELS.latent, meaning) : undefined;
  if (latent !== undefined) {
    const newcomers = latent.nearest(RANKING.nearest).filter((row) => !pool.has(row));
    for (const document of index.documents(newcomers)) {
      if (passes(document)) pool.set(document.row, { document, score: 0, lexical: 0, covered: 0, coverage: 0 });
    }
  }
  const spelling = neural ? undefined : spell([...weights.keys()], (term) => weights.get(term) ?? 0);
  const spelt = new Map<number, number>();
  if (spelling) for (const row of pool.keys()) spelt.set(row, spellingLikeness(index, row, spelling));
  const bestLexical = Math.max(1e-9, ...[...pool.values()].map(({ lexical }) => lexical));
  const bestSpelt = Math.max(1e-9, ...spelt.values());
  const scores = new Map<number, number>();
  for (const [row, { lexical }] of pool) {
    const company = latent && latent.best > 0 ? Math.max(0, latent.of(row) / latent.best) : 0;
    const letters = Math.max(0, (spelt.get(row) ?? 0) / bestSpelt);
    const words = lexical / bestLexical;
    const { lexical: w, neural: n } = RANKING.neural;
    const own = RANKING.lexical * words + RANKING.latent * company + RANKING.spelling * letters;
    scores.set(row, neural ? w * words + n * company : own);
  }
  return scores;
}

function sharedFiles(index: MemoryIndex, scores: Map<number, number>, pool: Map<number, Ranked>): Map<number, number> {
  const gains = new Map<number, number>();
  const citing = new Map<string, number[]>();
  for (const [row, score] of best(scores, RANKING.lenders, pool)) {
    const files = pool.get(row)?.document.card.files ?? [];
    for (const path of files) {
      const rows = citing.get(path) ?? index.citing(path);
      citing.set(path, rows);
      const gain = (RANKING.share * score) / (files.length * Math.sqrt(rows.length));
      // A file that many cite lifts what answers already, but brings in nothing by itself.
      const isRare = rows.length <= RANKING.rareFile;
      for (const other of rows) {
        if (other !== row && (isRare || pool.has(other))) gains.set(other, (gains.get(other) ?? 0) + gain);
      }
    }
  }
  return gains;
}

function sessionNeighbours(
  index: MemoryIndex,
  scores: Map<number, number>,
  pool: Map<number, Ranked>,
): Map<number, number> {
  const gains = new Map<number, number>();
  const sessions = new Map<string, number[]>();
  for (const [row, score] of best(scores, RANKING.candidates, pool)) {
    const session = pool.get(row)?.document.card.session;
    if (session === undefined) continue;
    const rows = sessions.get(session) ?? index.session(session);
    sessions.set(session, rows);
    const at = rows.indexOf(row);
    for (const other of [rows[at - 1], rows[at + 1]]) {
      if (at >= 0 && other !== undefined) gains.set(other, (gains.get(other) ?? 0) + RANKING.neighbour * score);
    }
  }
  return gains;
}

/** The best rows; equal ones in an order that does not hang on how the index came about. */
function best(scores: Map<number, number>, count: number, pool: Map<number, Ranked>): [number, number][] {
  const idOf = (row: number) => pool.get(row)?.document.card.id ?? '';
  return [...scores].sort((a, b) => b[1] - a[1] || (idOf(a[0]) < idOf(b[0]) ? -1 : 1)).slice(0, count);
}

function holdsAny({ terms }: IndexedDocument, excluded: Set<string>): boolean {
  return excluded.size > 0 && terms.some((stream) => stream.split(' ').some((token) => excluded.has(token)));
}

function holdsPhrase({ terms }: IndexedDocument, phrase: string[]): boolean {
  return terms.some((stream) => hasPhrase(stream, phrase));
}

function newestFirst(a: IndexedDocument, b: IndexedDocument): number {
  const [x, y] = [`${a.card.created} ${a.card.id}`, `${b.card.created} ${b.card.id}`];
  return x === y ? 0 : x < y ? 1 : -1;
}
