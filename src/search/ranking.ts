import type { Field } from '../index/memory-index.ts';
import type { Freshness } from '../provenance/levels.ts';

/**
 * The weights of the ranking, measured on whole repositories' histories with each part on and off. `rank.ts` applies those
 * that the index knows; callers apply `STALE`, which needs a record's freshness.
 */
export const RANKING = {
  /** Documents that full-text search returns. */
  candidates: 300,
  /** Terms of a long question that are used, most telling first. */
  terms: 48,
  /** BM25F: the weight of a word by the field that holds it, */
  fields: { title: 2, narrative: 1, facts: 1, concepts: 1, files: 0.5 } satisfies Record<Field, number>,
  /** how soon repeating a word stops mattering, */
  k1: 0.9,
  /** and how much a field's length counts against its words, 0 to 1. */
  b: { title: 0.6, narrative: 0.75, facts: 0.4, concepts: 0.4, files: 0.4 } satisfies Record<Field, number>,
  /** Weights of the combined scores, each divided by its maximum. */
  lexical: 0.7,
  latent: 0.2,
  spelling: 0.1,
  /** Weight of a neural model's vectors beside these three together: a weak model must not drown them. */
  neural: 0.2,
  /** The bonus of a record from a time that the question names. */
  dated: 0.3,
  /** Nearest documents by a neural model that join the candidates. */
  nearest: 50,
  /** The best lend to records that cite the same files: share x score / (files x sqrt(records citing it)). */
  lenders: 30,
  share: 0.15,
  /** Maximum records that may cite a file for it to add records that nothing else found. */
  rareFile: 30,
  /** The share of a score that the previous and next record of the same session get. */
  neighbour: 0.3,
} as const;

/**
 * Factor on the score of a record whose cited names or files are gone. An equally good record with unchanged files then goes
 * first; a clearly better one stays where it is.
 */
export const STALE: Partial<Record<Freshness, number>> = { touched: 0.95, gone: 0.85 };
