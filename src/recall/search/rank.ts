import type { IndexedDocument, RankedIndex, Statistics } from '../index/memory-index.ts';
import { demandedPhrases, holds, isAllowed, type Query, requiredTerms } from '../query/query.ts';
import { bm25f } from './bm25f.ts';
import type { Span } from './dates-in-text.ts';
import { floorOf } from './floor.ts';
import { fuse, type NeuralCoverage, type QueryVector, type Ranked } from './fusion.ts';
import { RANKING } from './ranking.ts';
import { weighTerms } from './term-weights.ts';

export interface Ranking {
  ranked: Ranked[];
  /** Only with a question's vector. */
  coverage?: NeuralCoverage;
  /** The weight of each of the question's terms in this store, from these statistics. */
  weights: Map<string, number>;
  statistics: Statistics;
}

/** The nearest documents, best first, answers or not; equal ones newest first. `candidates`: how many of them words find. */
export function rank(
  index: RankedIndex,
  query: Query,
  accepts: (document: IndexedDocument) => boolean,
  {
    neural,
    candidates = RANKING.candidates,
  }: { neural?: QueryVector | undefined; candidates?: number | undefined } = {},
): Ranking {
  const weighed = weighTerms(index, query);
  const { weights, statistics } = weighed;
  const isFitting = isAllowed(query);
  const passes = (document: IndexedDocument) => accepts(document) && isFitting(document);
  const found = index.candidates(weights, candidates, passes, requiredTerms(query));

  const match = bm25f(weights, statistics.meanLengths);
  const measured = (document: IndexedDocument): Ranked => ({ document, score: 0, isAnswer: false, ...match(document) });
  const pool = new Map<number, Ranked>();
  for (const document of found) pool.set(document.row, measured(document));
  for (const document of dated(index, query, passes)) {
    if (!pool.has(document.row)) pool.set(document.row, measured(document));
  }
  const { scores, coverage, isMeant } = fuse({ index, query, weights, pool, passes }, neural);
  const hasWords = floorOf(query, weighed);
  const answers = new Set<number>();
  for (const [row, one] of pool) {
    const isInTime = isDated(one.document, query.spans);
    if (isInTime) scores.set(row, (scores.get(row) ?? 0) + RANKING.dated);
    if (hasWords(one, isInTime) || isMeant(row)) answers.add(row);
  }
  const lent = new Set<number>();
  for (const lend of [sharedFiles, sessionNeighbours]) {
    const note = (from: number, to: number) => void (answers.has(from) && lent.add(to));
    for (const [row, gain] of lend(index, scores, pool, note)) scores.set(row, (scores.get(row) ?? 0) + gain);
  }

  const missing = best(scores, RANKING.candidates, pool).flatMap(([row]) => (pool.has(row) ? [] : [row]));
  for (const document of index.documents(missing)) if (passes(document)) pool.set(document.row, measured(document));
  const ranked = [...pool].map(([row, one]) => {
    return { ...one, score: scores.get(row) ?? 0, isAnswer: answers.has(row) || lent.has(row) };
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

function isDated({ card }: IndexedDocument, spans: readonly Span[]): boolean {
  return spans.some(({ since, until }) => since <= card.created && card.created <= until);
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

type Note = (from: number, to: number) => void;

function sharedFiles(
  index: RankedIndex,
  scores: Map<number, number>,
  pool: Map<number, Ranked>,
  note: Note,
): Map<number, number> {
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
        note(row, other);
      }
    }
  }
  return gains;
}

function sessionNeighbours(
  index: RankedIndex,
  scores: Map<number, number>,
  pool: Map<number, Ranked>,
  note: Note,
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
      note(row, other);
    }
  }
  return gains;
}

/** The best rows; equal ones in an order that does not depend on how the index was built. */
function best(scores: Map<number, number>, count: number, pool: Map<number, Ranked>): [number, number][] {
  const idOf = (row: number) => pool.get(row)?.document.card.id ?? '';
  return [...scores].sort((a, b) => b[1] - a[1] || (idOf(a[0]) < idOf(b[0]) ? -1 : 1)).slice(0, count);
}

function newestFirst(a: IndexedDocument, b: IndexedDocument): number {
  const [x, y] = [`${a.card.created} ${a.card.id}`, `${b.card.created} ${b.card.id}`];
  return x === y ? 0 : x < y ? 1 : -1;
}
