import { latentOf, spell } from '../index/embed/local.ts';
import type { IndexedDocument, RankedIndex } from '../index/memory-index.ts';
import { bestByVector, latentLikeness, type Nearness, spellingLikeness } from './nearest.ts';
import type { Query } from './query.ts';
import { RANKING } from './ranking.ts';
import { type Match, NO_MATCH } from './term-weights.ts';

/** A document and how its words match; without `field`, none does. */
export interface Ranked extends Match {
  document: IndexedDocument;
  score: number;
  /** Whether its words or its meaning answer the question; the others are only the nearest there are. */
  isAnswer: boolean;
}

/** A question's vector by an optional model. */
export interface QueryVector {
  model: string;
  vector: Float32Array;
}

/** How many records have a comparable vector of that model, one of another length, or none yet. */
export interface NeuralCoverage {
  usable: number;
  unfit: number;
  unknown: number;
}

/** A question, and the documents that its words found. */
interface Candidates {
  index: RankedIndex;
  query: Query;
  weights: Map<string, number>;
  pool: Map<number, Ranked>;
  passes: (document: IndexedDocument) => boolean;
}

/**
 * The weighted sum of the scores for words, co-occurrence and spelling, each divided by its maximum; a model's vectors
 * take their own share of the weight. Adds the nearest documents to the pool.
 */
export function fuse(
  found: Candidates,
  neural: QueryVector | undefined,
): { scores: Map<number, number>; isMeant: (row: number) => boolean; coverage?: NeuralCoverage } {
  const { index, pool } = found;
  const compared = neural && bestByVector(index, neural.model, neural.vector);
  const coverage = compared && coverageOf(index, compared);
  // Without any vector of the model, rank as if it had not been asked.
  const meaning = compared && compared.counts.usable > 0 ? compared : undefined;
  if (meaning) join(found, meaning.nearest(RANKING.candidates));
  const own = ownScores(found);
  if (meaning === undefined) return { scores: own, isMeant: () => false, ...(coverage && { coverage }) };

  const likenesses = [...pool.keys()].filter((row) => meaning.has(row)).map((row) => likeness(meaning, row));
  const least = likenesses.reduce((least, one) => Math.min(least, one), likenesses[0] ?? 0);
  // Models find even unrelated texts somewhat similar, so a missing vector is not the same as no similarity: such a
  // record is placed between the least and the most similar one, in proportion to its own score.
  const guess = (row: number) => least + (1 - least) * (own.get(row) ?? 0);
  const weight = RANKING.neural;
  const scores = new Map<number, number>();
  for (const row of pool.keys()) {
    const meant = meaning.has(row) ? likeness(meaning, row) : guess(row);
    scores.set(row, (1 - weight) * (own.get(row) ?? 0) + weight * meant);
  }
  return { scores, isMeant: meaning.outstanding(), ...(coverage && { coverage }) };
}

/** Scores from words, co-occurrence and spelling, by the store's own vectors. */
function ownScores(found: Candidates): Map<number, number> {
  const { index, query, weights, pool } = found;
  // A word that a pasted text repeats often must not become all of its meaning.
  const tokens = [...query.terms].flatMap(([term, count]) => Array<string>(Math.min(count, 8)).fill(term));
  const vector = latentOf(index, tokens);
  const spelling = spell([...weights.keys()], (term) => weights.get(term) ?? 0);
  const rows = [...pool.keys()];
  const words = shares(rows.map((row) => pool.get(row)?.lexical ?? 0));
  const meanings = shares(vector ? rows.map((row) => latentLikeness(index, row, vector)) : []);
  const letters = shares(spelling ? rows.map((row) => spellingLikeness(index, row, spelling)) : []);
  const { lexical, latent, spelling: spelt } = RANKING;
  return new Map(rows.map((row, i) => [row, lexical * words(i) + latent * meanings(i) + spelt * letters(i)]));
}

/** Each value as a share of the largest, 0 to 1. */
function shares(values: number[]): (i: number) => number {
  const best = values.reduce((best, value) => Math.max(best, value), 1e-9);
  return (i) => Math.max(0, values[i] ?? 0) / best;
}

function likeness(nearness: Nearness, row: number): number {
  return nearness.best > 0 ? Math.max(0, nearness.of(row) / nearness.best) : 0;
}

function join({ index, pool, passes }: Candidates, nearest: number[]): void {
  const newcomers = nearest.filter((row) => !pool.has(row));
  for (const document of index.documents(newcomers).filter(passes).slice(0, RANKING.nearest)) {
    pool.set(document.row, { document, score: 0, isAnswer: false, ...NO_MATCH });
  }
}

function coverageOf(index: RankedIndex, { counts: { usable, unfit, none } }: Nearness): NeuralCoverage {
  return { usable, unfit, unknown: Math.max(0, index.statistics([]).documents - usable - unfit - none) };
}

/**
 * What separates a good hit from the best of bad ones. Scores are comparable within one question only; this is
 * comparable between questions, and 0 for most hits of an unrelated question.
 */
const CONFIDENCE = {
  /** Standard deviations above the store's other candidates at which a hit gets half the score for standing out. */
  standsOut: 2.5,
  /** Weight of matched words that makes the evidence complete, in units of a word found once in the store. */
  evidence: 1.5,
} as const;

/** The confidence of each ranked document, 0 to 1, in their order. `documents` is the store's number of records. */
export function confidences(ranked: readonly Ranked[], documents: number): number[] {
  const scores = ranked.map(({ lexical }) => lexical).filter((score) => score > 0);
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length);
  // Few candidates have no meaningful spread: the size of the score replaces it.
  const deviation = Math.max(Math.sqrt(variance), mean * 0.2, 1e-9);
  const rarest = Math.log(1 + (documents + 0.5) / 1.5);
  return ranked.map(({ lexical, coverage, covered }) => {
    if (lexical <= 0) return 0;
    const distance = scores.length < 5 ? CONFIDENCE.standsOut : Math.max(0, (lexical - mean) / deviation);
    const outstanding = distance / (distance + CONFIDENCE.standsOut);
    const evidence = Math.min(1, covered / (rarest * CONFIDENCE.evidence));
    return Math.min(1, 2 * outstanding * evidence * Math.sqrt(coverage));
  });
}
