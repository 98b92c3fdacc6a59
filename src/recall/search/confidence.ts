import type { Ranked } from './fusion.ts';

/**
 * What separates a good hit from the best of bad ones. Scores are comparable within one question only; this is
 * comparable between questions, and 0 for most hits of an unrelated question.
 */
const CONFIDENCE = {
  /** Standard deviations above the store's other candidates at which a hit gets half the score for standing out. */
  standsOut: 2.5,
  /** Rare words that have to match, as a multiple of the weight of a word found once in the store. */
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
