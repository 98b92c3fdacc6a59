/**
 * Hashed character n-grams: spelling as a vector. Misspelt words, rare inflections and names that are new to the store
 * still land near similar words.
 */
import { unit } from './latent.ts';

/** 64 bytes a record; shorter grams are in most words, and longer ones hardly in two. */
export const GRAMS = { dimensions: 128, shortest: 3, longest: 5 } as const;

/** The spelling vector of tokens, of unit length; `weightOf` lets rare words count more. Undefined without tokens. */
export function spell(
  tokens: readonly string[],
  weightOf: (token: string) => number = () => 1,
): Float32Array | undefined {
  const sum = new Float32Array(GRAMS.dimensions);
  for (const token of new Set(tokens)) addGrams(sum, `<${token}>`, weightOf(token));
  return unit(sum);
}

/**
 * Adds the grams of a word. FNV-1a: the low bits choose the dimension, another bit the sign, so that collisions cancel on
 * average. A gram's hash goes on from that of the shorter one at its place: to compute all takes less than to look them up.
 */
function addGrams(sum: Float32Array, word: string, weight: number): void {
  const { dimensions, shortest, longest } = GRAMS;
  let count = 0;
  for (let length = shortest; length <= longest; length++) count += Math.max(0, word.length - length + 1);
  // A long word must not outweigh a short one by its length alone.
  const share = weight / Math.sqrt(Math.max(1, count));
  for (let from = 0; from + shortest <= word.length; from++) {
    const end = Math.min(word.length, from + longest);
    let hash = 0x811c9dc5;
    for (let at = from; at < end; at++) {
      hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
      if (at - from + 1 < shortest) continue;
      const mixed = hash ^ (hash >>> 15);
      const place = (mixed >>> 0) % dimensions;
      sum[place] = (sum[place] ?? 0) + (mixed & 0x10000 ? share : -share);
    }
  }
}
