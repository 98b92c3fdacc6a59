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
  for (const token of new Set(tokens)) {
    const weight = weightOf(token);
    for (const [at, value] of gramsOf(token)) sum[at] = (sum[at] ?? 0) + weight * value;
  }
  return unit(sum);
}

const known = new Map<string, [number, number][]>();
function gramsOf(token: string): [number, number][] {
  const cached = known.get(token);
  if (cached !== undefined) return cached;
  const word = `<${token}>`;
  const grams: [number, number][] = [];
  for (let length = GRAMS.shortest; length <= GRAMS.longest; length++) {
    for (let at = 0; at + length <= word.length; at++) grams.push(slot(word, at, at + length));
  }
  // A long word must not outweigh a short one by its length alone.
  const scale = 1 / Math.sqrt(Math.max(1, grams.length));
  for (const gram of grams) gram[1] *= scale;
  // Some tens of megabytes: a store has as many words or fewer.
  if (known.size > 20_000) known.clear();
  known.set(token, grams);
  return grams;
}

/** FNV-1a: the low bits choose the dimension, another bit the sign, so that collisions cancel on average. */
function slot(text: string, from: number, to: number): [number, number] {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return [(hash >>> 0) % GRAMS.dimensions, hash & 0x10000 ? 1 : -1];
}
