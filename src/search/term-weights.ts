import { FIELDS, type Field, type IndexDocument, type RankedIndex, type Statistics } from '../index/memory-index.ts';
import type { Query } from './query.ts';
import { RANKING } from './ranking.ts';

/** The weights of a question's terms in a store, and the statistics that they are from. */
export function weighTerms(index: RankedIndex, query: Query): { weights: Map<string, number>; statistics: Statistics } {
  const statistics = index.statistics([...query.terms.keys()]);
  return { weights: termWeights(query, statistics), statistics };
}

/**
 * Weight of each term: high if rare in the store and repeated in the question. The most telling ones, best first; words
 * that the store lacks match nothing, so they do not displace any that it has.
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

function rarity(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** How the words of a document match a question's. */
export interface Match {
  /** BM25F, not normalised. */
  lexical: number;
  /** Weight of the question's terms in the document, and as a share of all their weight, 0 to 1. */
  covered: number;
  coverage: number;
  has(term: string): boolean;
  /** The field that matched most. */
  field?: Field;
}

/** The match of a document without any of the words. */
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

// Cached, because the same documents come up for every question with words of theirs.
const known = new WeakMap<readonly string[], { hashes: Int32Array; ends: number[] }>();

/** A document's tokens as hashes, with the end of each field: comparing numbers is several times faster. */
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
