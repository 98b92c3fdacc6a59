import type { RankedIndex, Statistics } from '../index/memory-index.ts';
import type { Query } from '../query/query.ts';
import { RANKING } from './ranking.ts';
import { nearTerms } from './spelling.ts';

/** Most terms that a prefix such as `auth*` stands for, shortest first: more of them are most words of the store. */
const COMPLETIONS = 64;

/** The terms of a question as a store knows them. */
export interface WeighedTerms {
  weights: Map<string, number>;
  statistics: Statistics;
  /** The terms that stand in for each unknown word. */
  near: Map<string, string[]>;
  /** The terms that stand in for prefixes. */
  completions: string[];
}

/** The weights of a question's terms, and of terms of the store that stand in for its prefixes and unknown words. */
export function weighTerms(index: RankedIndex, query: Query): WeighedTerms {
  const statistics = index.statistics([...query.terms.keys()]);
  const weights = termWeights(query, statistics);
  const isUnknown = (term: string) => statistics.frequencies.get(term) === 0;
  const unknown = query.isTyped ? [...query.terms.keys()].filter(isUnknown) : [];
  const near = new Map<string, string[]>();
  const completions: string[] = [];
  const vocabulary = query.prefixes.size === 0 && unknown.length === 0 ? [] : index.vocabulary();
  for (const prefix of query.prefixes) {
    const meant = vocabulary.filter((term) => term.startsWith(prefix)).sort((a, b) => a.length - b.length);
    completions.push(...meant.slice(0, COMPLETIONS));
    addCompletions(index, meant.slice(0, COMPLETIONS), weights);
  }
  for (const word of unknown) near.set(word, addNear(index, word, weights, vocabulary));
  return { weights, statistics, near, completions };
}

/**
 * Weight of each term: high if rare in the store and repeated in the question. The most telling ones, best first; words
 * that the store does not have match nothing, so they take no place from one that it has.
 */
export function termWeights(query: Query, { documents, frequencies }: Statistics): Map<string, number> {
  const weighted = [...query.terms].map(([term, count]): [string, number] => {
    return [term, rarity(documents, frequencies.get(term) ?? 0) * (1 + Math.log(count))];
  });
  weighted.sort((a, b) => b[1] - a[1]);
  const isKnown = ([term]: [string, number]) => (frequencies.get(term) ?? 0) > 0;
  const known = weighted.filter(isKnown).slice(0, RANKING.terms);
  const unknown = weighted.filter((one) => !isKnown(one)).slice(0, RANKING.terms);
  return new Map([...known, ...unknown].sort((a, b) => b[1] - a[1]));
}

/** Each gets the weight of a single word that would occur wherever any of them does. */
function addCompletions(index: RankedIndex, terms: string[], weights: Map<string, number>): void {
  const { documents, frequencies } = index.statistics(terms);
  const together = terms.reduce((sum, term) => sum + (frequencies.get(term) ?? 0), 0);
  const weight = rarity(documents, Math.min(documents, together));
  for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
}

/** Each nearly equal spelling counts in proportion to its similarity and its own rarity in the store. Returns them. */
function addNear(
  index: RankedIndex,
  word: string,
  weights: Map<string, number>,
  vocabulary: readonly string[],
): string[] {
  const near = nearTerms(word, vocabulary, RANKING.near.most);
  const { documents, frequencies } = index.statistics(near.map(({ term }) => term));
  for (const { term, likeness } of near) {
    const weight = RANKING.near.weight * likeness * rarity(documents, frequencies.get(term) ?? 0);
    if (!weights.has(term) && (frequencies.get(term) ?? 0) > 0) weights.set(term, weight);
  }
  return near.map(({ term }) => term);
}

function rarity(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}
