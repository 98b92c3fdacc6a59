import type { MemoryIndex, RankedIndex, RecordIndex, WordIndex } from '../memory-index.ts';
import { foldIn, LATENT, learnTerms, unit } from './latent.ts';
import { fromScaledBytes, toBytes, toNibbles, toScaledBytes } from './quantised.ts';

/** The vectors that every store gets without a download. */
export const LOCAL_MODELS = { latent: 'lsa', spelling: 'grams' } as const;

/** The model is refitted once the store has grown or shrunk by this factor. */
const GROWTH = 1.2;

/**
 * Computes local vectors for new records, and refits the latent model if the store has outgrown it. With `quick`, more than
 * 1,000 records keep an outgrown model for now, so that a query waits for folding in at most.
 */
export function learn(index: MemoryIndex, { quick = false }: { quick?: boolean } = {}): void {
  const { latent, spelling } = LOCAL_MODELS;
  // Writes only if there is something to write, because other processes wait for a writer.
  const put = (model: string, make: (row: number) => Uint8Array) => {
    const rows = index.rowsWithout(model);
    // One document at a time: all documents of a large store would not fit into memory beside the model.
    if (rows.length > 0) index.putVectors(model, made(rows, make));
  };
  put(spelling, (row) => spellingOf(index.termsOf(row)));

  const documents = index.size();
  const learned = Number(index.meta(latent) ?? 0);
  const outgrown = documents >= learned * GROWTH || documents * GROWTH <= learned;
  if (documents < LATENT.fewestDocuments) {
    if (learned > 0) {
      index.replaceModel(latent, []);
      index.setMeta(latent, '0');
    }
  } else if (learned === 0 || (outgrown && !(quick && documents > 1000))) {
    const terms = learnTerms(sampleOf(index));
    if (terms === undefined) return;
    const scaled = [...terms].map(([term, vector]): [string, Uint8Array] => [term, toScaledBytes(vector)]);
    index.replaceModel(latent, scaled);
    put(latent, (row) => folded(index, row, (term) => terms.get(term)));
    index.setMeta(latent, String(documents));
  } else put(latent, (row) => folded(index, row, (term) => termVector(index, term)));
}

function* made(rows: number[], make: (row: number) => Uint8Array): Generator<[number, Uint8Array]> {
  for (const row of rows) yield [row, make(row)];
}

/** The latent vector of a query; undefined if the model is off or knows none of its words. */
export function latentOf(index: RankedIndex, tokens: readonly string[]): Float32Array | undefined {
  return foldIn(tokens, (term) => termVector(index, term));
}

function termVector(index: RankedIndex, term: string): Float32Array | undefined {
  const bytes = index.termVector(LOCAL_MODELS.latent, term);
  return bytes && fromScaledBytes(bytes);
}

/** The texts to learn from, ordered by content, so that the same records give the same model whatever their order. */
function sampleOf(index: RecordIndex & WordIndex): string[][] {
  const all: { blob: string; row: number }[] = [];
  for (const { blob, row } of index.newest()) all.push({ blob, row });
  all.sort((a, b) => (a.blob < b.blob ? -1 : 1));
  const step = Math.max(1, all.length / LATENT.mostDocuments);
  const rows: number[] = [];
  for (let at = 0; Math.floor(at) < all.length; at += step) rows.push(all[Math.floor(at)]?.row ?? 0);
  return index.documents(rows).map(({ terms }) => tokensOf(terms));
}

/** The latent vector of a record; a null vector without a known word, or every sync would look at it again. */
function folded(index: RecordIndex, row: number, vectorOf: (term: string) => Float32Array | undefined): Uint8Array {
  return toBytes(foldIn(tokensOf(index.termsOf(row)), vectorOf) ?? new Float32Array(LATENT.dimensions));
}

const spelled = new WeakMap<readonly string[], Uint8Array>();

/** The spelling vector of a record's terms as stored, empty without any; remembered for indexes that store none. */
export function spellingOf(terms: readonly string[]): Uint8Array {
  const known = spelled.get(terms);
  if (known !== undefined) return known;
  const vector = spell(tokensOf(terms));
  const bytes = vector ? toNibbles(vector) : new Uint8Array();
  spelled.set(terms, bytes);
  return bytes;
}

function tokensOf(terms: readonly string[]): string[] {
  return terms.flatMap((stream) => (stream === '' ? [] : stream.split(' ')));
}

/**
 * Hashed character n-grams: spelling as a vector. Misspelt words, rare inflections and names that are new to the store
 * still land near similar words. 64 bytes a record; shorter grams are in most words, and longer ones rarely in two. The
 * dimensions are a power of two, so that a mask maps a hash to its dimension.
 */
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
 * average. A gram's hash extends that of the shorter one at its place: computing all is faster than looking them up.
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
      const place = mixed & (dimensions - 1);
      sum[place] = (sum[place] ?? 0) + (mixed & 0x10000 ? share : -share);
    }
  }
}
