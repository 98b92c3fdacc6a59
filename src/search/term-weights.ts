import { FIELDS, type Field, type IndexDocument, type RankedIndex, type Statistics } from '../index/memory-index.ts';
import type { Query } from './query.ts';
import { RANKING } from './ranking.ts';

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
    const all = vocabulary.filter((term) => term.startsWith(prefix)).sort((a, b) => a.length - b.length);
    const meant = all.slice(0, COMPLETIONS);
    completions.push(...meant);
    addCompletions(index, meant, weights);
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

/** Words spelt nearly like an unknown one: a misspelling, or a compound (`Datenbank` in `Datenbankmigrationen`). */

/** Letters of a word that may be wrong, by its length: with more it would be another word. */
const WRONG_LETTERS: [fromLength: number, letters: number][] = [
  [8, 2],
  [4, 1],
];

/** Shortest part of a compound, and its least share of the compound. */
const PART = { shortest: 5, share: 0.35 } as const;

/** The terms nearest to a word, at most `most`, nearest first, each with how similar it is, 0 to 1. */
function nearTerms(word: string, vocabulary: readonly string[], most: number): { term: string; likeness: number }[] {
  const wrong = WRONG_LETTERS.find(([from]) => word.length >= from)?.[1] ?? 0;
  if (wrong === 0) return [];
  const letters = lettersOf(word);
  const found: ReturnType<typeof nearTerms> = [];
  for (const term of vocabulary) {
    const likeness = Math.max(compoundLikeness(word, term), misspeltLikeness(word, term, letters, wrong));
    if (likeness > 0) found.push({ term, likeness });
  }
  return found.sort((a, b) => b.likeness - a.likeness || (a.term < b.term ? -1 : 1)).slice(0, most);
}

function compoundLikeness(word: string, term: string): number {
  const [part, whole] = word.length < term.length ? [word, term] : [term, word];
  if (part.length < PART.shortest || part.length < whole.length * PART.share || part.length === whole.length) return 0;
  return whole.startsWith(part) || whole.endsWith(part) ? part.length / whole.length : 0;
}

function misspeltLikeness(word: string, term: string, letters: number, wrong: number): number {
  if (Math.abs(word.length - term.length) > wrong || /\d/.test(term)) return 0;
  // A wrong letter removes one of the word's letters and adds another: words that differ in more letters need no closer
  // look.
  if (bits(letters & ~lettersOf(term)) > wrong) return 0;
  const distance = distanceOf(word, term);
  return distance <= wrong ? 1 - distance / Math.max(word.length, term.length) : 0;
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Number of letters to insert, remove, replace or swap with their neighbour until one word becomes the other. */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** How the words of a document match a question's. */
export interface Match {
  /** BM25F, not normalised. */
  lexical: number;
  /** Weight of the question's terms in the document, and its share of all their weight, 0 to 1. */
  covered: number;
  coverage: number;
  has(term: string): boolean;
  /** The field that matched most. */
  field?: Field;
}

/** What a document without any of the words has. */
export const NO_MATCH: Match = { lexical: 0, covered: 0, coverage: 0, has: () => false };

/** Okapi BM25 over weighted fields, for one question: occurrences are summed over the fields before they saturate. */
export function bm25f(
  weights: ReadonlyMap<string, number>,
  meanLengths: readonly number[],
): (document: IndexDocument) => Match {
  const { fields, k1, b } = RANKING;
  const wanted = new Map<number, number>();
  const places = new Map([...weights.keys()].map((term, i) => [term, i]));
  const weightAt: number[] = [];
  let all = 0;
  for (const [term, weight] of weights) {
    wanted.set(hashOf(term, 0, term.length), weightAt.push(weight) - 1);
    all += weight;
  }

  return ({ terms }) => {
    const { hashes, ends } = prepared(terms);
    const frequencies = new Float64Array(weightAt.length);
    const byField = FIELDS.map((name, f) => {
      const from = f === 0 ? 0 : (ends[f - 1] ?? 0);
      const to = ends[f] ?? 0;
      const factor = fields[name] / (1 - b[name] + (b[name] * (to - from)) / (meanLengths[f] ?? 1));
      let sum = 0;
      for (let at = from; at < to; at++) {
        const term = wanted.get(hashes[at] ?? 0);
        if (term === undefined) continue;
        frequencies[term] = (frequencies[term] ?? 0) + factor;
        sum += (weightAt[term] ?? 0) * factor;
      }
      return sum;
    });
    let lexical = 0;
    let covered = 0;
    frequencies.forEach((frequency, term) => {
      if (frequency === 0) return;
      const weight = weightAt[term] ?? 0;
      lexical += (weight * frequency * (k1 + 1)) / (k1 + frequency);
      covered += weight;
    });
    const field = lexical > 0 ? FIELDS[byField.indexOf(Math.max(...byField))] : undefined;
    const has = (term: string) => (frequencies[places.get(term) ?? -1] ?? 0) > 0;
    return { lexical, covered, coverage: all > 0 ? covered / all : 0, has, ...(field && { field }) };
  };
}

// The same documents are prepared again for every question with words of theirs.
const known = new WeakMap<readonly string[], { hashes: Int32Array; ends: number[] }>();

/** A document's tokens as hashes, with the end of each field: numbers are compared several times faster. */
function prepared(terms: readonly string[]) {
  const kept = known.get(terms);
  if (kept !== undefined) return kept;
  const hashes: number[] = [];
  const ends = terms.map((stream) => {
    for (let from = 0; from < stream.length; ) {
      const space = stream.indexOf(' ', from);
      const to = space < 0 ? stream.length : space;
      hashes.push(hashOf(stream, from, to));
      from = to + 1;
    }
    return hashes.length;
  });
  const result = { hashes: Int32Array.from(hashes), ends };
  known.set(terms, result);
  return result;
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
