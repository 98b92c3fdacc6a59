import type { Field } from '../index/memory-index.ts';

/** Every constant of the ranking, with what it weighs. Measured on whole repositories' histories, each part on and off. */
export const RANKING = {
  /** Documents that full-text search hands over. */
  candidates: 300,
  /** Terms of a long question that are used, the most telling first. */
  terms: 48,
  /** BM25F. */
  fields: { title: 2, narrative: 1, facts: 1, concepts: 1, files: 0.5 } satisfies Record<Field, number>,
  k1: 0.9,
  b: { title: 0.6, narrative: 0.75, facts: 0.4, concepts: 0.4, files: 0.4 } satisfies Record<Field, number>,
  /** Weights of the fused scores, each divided by its largest. */
  lexical: 0.7,
  latent: 0.2,
  spelling: 0.1,
  /** Weight of a neural model's vectors beside these three together, until `sync` measures it: a weak model must not drown them. */
  neural: 0.2,
  /** Terms spelt nearly like an unknown word, and what they weigh against their own rarity. */
  near: { most: 8, weight: 0.6 },
  /** What a record of a time that the question names gets. */
  dated: 0.3,
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
