import type { IndexedDocument, RankedIndex, Statistics } from '../index/memory-index.ts';
import { fuse, type NeuralCoverage, type QueryVector, type Ranked } from './fusion.ts';
import { demandedPhrases, holds, isAllowed, type Query, requiredTerms } from './query.ts';
import { RANKING } from './ranking.ts';
import { bm25f, weighTerms } from './term-weights.ts';
import { CODING_WORDS, isInformative } from './topic-words.ts';

export interface Ranking {
  ranked: Ranked[];
  /** Only with a question's vector. */
  coverage?: NeuralCoverage;
  /** The weight of each of the question's terms in this store, from these statistics. */
  weights: Map<string, number>;
  statistics: Statistics;
}

/** How a question's words match documents, by row; valid while the store's statistics stay the same. */
export interface Measured {
  matches: Map<number, Ranked>;
  /** Whether those words answer it. */
  answers: Map<number, boolean>;
}

/**
 * The nearest documents, best first, answers or not; ties newest first. `candidates` is how many of them words find;
 * `measured` is kept by a caller that ranks the same question again.
 */
export function rank(
  index: RankedIndex,
  query: Query,
  accepts: (document: IndexedDocument) => boolean,
  {
    neural,
    candidates = RANKING.candidates,
    measured: { matches, answers: answering } = { matches: new Map(), answers: new Map() },
  }: { neural?: QueryVector | undefined; candidates?: number | undefined; measured?: Measured } = {},
): Ranking {
  const { weights, statistics } = weighTerms(index, query);
  const isFitting = isAllowed(query);
  const passes = (document: IndexedDocument) => accepts(document) && isFitting(document);
  const found = index.candidates(weights, candidates, passes, requiredTerms(query));

  const match = bm25f(weights, statistics.meanLengths);
  const measured = (document: IndexedDocument): Ranked => {
    const one = matches.get(document.row) ?? { document, score: 0, isAnswer: false, ...match(document) };
    matches.set(document.row, one);
    return one;
  };
  const pool = new Map<number, Ranked>();
  for (const document of found) pool.set(document.row, measured(document));
  for (const document of dated(index, query, passes)) {
    if (!pool.has(document.row)) pool.set(document.row, measured(document));
  }
  const { scores, coverage, isMeant } = fuse({ index, query, weights, pool, passes }, neural);
  const hasWords = floorOf(query, statistics);
  const answers = new Set<number>();
  for (const [row, one] of pool) {
    const { created } = one.document.card;
    const isInTime = query.spans.some(({ since, until }) => since <= created && created <= until);
    if (isInTime) scores.set(row, (scores.get(row) ?? 0) + RANKING.dated);
    const isAnswer = answering.get(row) ?? hasWords(one, isInTime);
    answering.set(row, isAnswer);
    if (isAnswer || isMeant(row)) answers.add(row);
  }
  for (const lend of [sharedFiles, sessionNeighbours]) {
    for (const [row, gain] of lend(index, scores, pool)) scores.set(row, (scores.get(row) ?? 0) + gain);
  }

  const missing = best(scores, RANKING.candidates, pool).flatMap(([row]) => (pool.has(row) ? [] : [row]));
  for (const document of index.documents(missing)) if (passes(document)) pool.set(document.row, measured(document));
  const ranked = [...pool].map(([row, one]) => {
    return { ...one, score: scores.get(row) ?? 0, isAnswer: answers.has(row) };
  });
  ranked.sort((a, b) => b.score - a.score || newestFirst(a.document, b.document));
  return { ranked, weights, statistics, ...(coverage && { coverage }) };
}

/** The first documents within the times that a question names. */
function dated(
  index: RankedIndex,
  { spans }: Query,
  passes: (document: IndexedDocument) => boolean,
): IndexedDocument[] {
  return spans.flatMap(({ since, until }) => {
    const rows: number[] = [];
    for (const { row, card } of index.around('after', { created: since, id: '' })) {
      if (card.created > until || rows.length === RANKING.candidates) break;
      rows.push(row);
    }
    return index.documents(rows).filter(passes);
  });
}

/** The quoted phrases that a question demands and that no eligible document contains. */
export function unheldPhrases(
  index: RankedIndex,
  query: Query,
  accepts: (document: IndexedDocument) => boolean,
): string[] {
  return demandedPhrases(query).flatMap((phrase) => {
    const terms = phrase.tokens.map((token) => [token]);
    const isHolding = (document: IndexedDocument) => accepts(document) && holds(document, phrase);
    const held = index.candidates(new Map(phrase.tokens.map((token) => [token, 1])), 1, isHolding, terms);
    return held.length === 0 && phrase.quoted !== undefined ? [phrase.quoted] : [];
  });
}

function sharedFiles(index: RankedIndex, scores: Map<number, number>, pool: Map<number, Ranked>): Map<number, number> {
  const gains = new Map<number, number>();
  const citing = new Map<string, number[]>();
  for (const [row, score] of best(scores, RANKING.lenders, pool)) {
    const files = pool.get(row)?.document.card.files ?? [];
    for (const path of files) {
      const rows = citing.get(path) ?? index.citing(path);
      citing.set(path, rows);
      const gain = (RANKING.share * score) / (files.length * Math.sqrt(rows.length));
      // A file cited by many raises documents already in the pool, but adds none.
      const isRare = rows.length <= RANKING.rareFile;
      for (const other of rows) {
        if (other === row || (!isRare && !pool.has(other))) continue;
        gains.set(other, (gains.get(other) ?? 0) + gain);
      }
    }
  }
  return gains;
}

function sessionNeighbours(
  index: RankedIndex,
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
      if (at < 0 || other === undefined) continue;
      gains.set(other, (gains.get(other) ?? 0) + RANKING.neighbour * score);
    }
  }
  return gains;
}

/** The best rows; ties in an order that does not depend on how the index was built. */
function best(scores: Map<number, number>, count: number, pool: Map<number, Ranked>): [number, number][] {
  const idOf = (row: number) => pool.get(row)?.document.card.id ?? '';
  return [...scores].sort((a, b) => b[1] - a[1] || (idOf(a[0]) < idOf(b[0]) ? -1 : 1)).slice(0, count);
}

function newestFirst(a: IndexedDocument, b: IndexedDocument): number {
  const [x, y] = [`${a.card.created} ${a.card.id}`, `${b.card.created} ${b.card.id}`];
  return x === y ? 0 : x < y ? 1 : -1;
}

/** In a smaller store, a word is not common just because half of the records have it. */
const FEW = 6;

/**
 * Returns a test for whether a record has the words to answer a question at all: one that tells what the question is about.
 * Words of everyday talk do not, nor does one in half of the records, to which BM25 gives no weight. If most telling words
 * occur nowhere in the store, the question is about something else, and a single match is chance. Otherwise two ordinary
 * coding words, such as "run" and "tests", count as one that tells, and so does a whole title. A question that only names
 * a time is answered by records from then.
 */
function floorOf(query: Query, statistics: Statistics): (found: Ranked, isInTime: boolean) => boolean {
  const { words, terms, required, isTyped, isOneWord } = query;
  const frequencyOf = (token: string) => statistics.frequencies.get(token) ?? 0;
  const most = Math.max(FEW, statistics.documents) / 2;
  const tells = (token: string) => isInformative(token) && frequencyOf(token) <= most;
  // A compound of ordinary words tells: `log-level`.
  const telling = words.filter((tokens) => tokens.some(tells));
  const isOrdinary = (token: string) => isOneWord || CODING_WORDS.has(token) || isInformative(token);
  const ordinary = words.filter((tokens) => !tokens.some(tells) && tokens.some(isOrdinary));
  const unknown = telling.filter((tokens) => !isIn(tokens, (token) => frequencyOf(token) > 0)).length;
  // Most words of a pasted text, such as the ids in a log, are in no record.
  const isForeign = isTyped && (unknown * 2 > telling.length || (unknown * 2 === telling.length && unknown > 1));

  function isIn(tokens: string[], has: (token: string) => boolean): boolean {
    const parts = tokens.slice(0, -1);
    return tokens.some((token) => tells(token) && has(token)) || (parts.length > 0 && parts.every(has));
  }

  // What quotes, AND or a field demand is checked elsewhere.
  if (required.some((alternatives) => alternatives.some((operand) => !('type' in operand)))) return () => true;
  return ({ has, document }, isInTime) => {
    const title = new Set((document.terms[0] ?? '').split(' '));
    const isTitle = title.size > 1 && [...title].every((token) => terms.has(token));
    if (isTitle || (telling.length === 0 && words.length > 0 && [...terms.keys()].every((token) => title.has(token))))
      return true;
    if (telling.length + ordinary.length === 0) return isInTime;
    if (telling.filter((tokens) => isIn(tokens, has)).length >= (isForeign ? 2 : 1)) return true;
    if (isForeign) return false;
    const held = ordinary.filter((tokens) => tokens.some(has)).length;
    return held > 0 && held >= Math.min(2, words.length);
  };
}
