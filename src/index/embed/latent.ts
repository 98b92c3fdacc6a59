/**
 * Latent semantic analysis of the store itself: words that co-occur with the same others get similar vectors, so that a
 * record can answer a question that shares no word with it. Deterministic: the same documents in the same order give
 * the same model.
 */
import { orthonormalise, principalAxes, randomSigns } from './linear.ts';

export const LATENT = {
  /** Each takes a byte per record. */
  dimensions: 64,
  /** With fewer records co-occurrence says little. */
  fewestDocuments: 50,
  /** Documents that a model is learned from; a larger store is sampled evenly and the rest is folded in. */
  mostDocuments: 20_000,
  /** A term in fewer documents has no co-occurrence to learn from. */
  fewestOccurrences: 2,
  /** As Halko, Martinsson and Tropp advise for a randomised decomposition: https://arxiv.org/abs/0909.4061. */
  oversampling: 8,
  iterations: 2,
  seed: 20_261_120,
} as const;

/**
 * Learns a vector for each term of these documents (each a list of tokens); undefined if there are too few. It includes the
 * term's weight, so that a text's vector is their sum.
 */
export function learnTerms(documents: readonly (readonly string[])[]): Map<string, Float32Array> | undefined {
  if (documents.length < LATENT.fewestDocuments) return undefined;
  const matrix = sparseMatrix(documents);
  const columns = matrix.terms.length;
  if (columns === 0) return undefined;
  const width = Math.min(LATENT.dimensions + LATENT.oversampling, columns, documents.length);
  let right = randomSigns(columns * width, LATENT.seed);
  for (let i = 0; i < LATENT.iterations; i++) {
    const left = times(matrix, right, width);
    orthonormalise(left, documents.length, width);
    right = transposedTimes(matrix, left, width);
    if (i + 1 < LATENT.iterations) orthonormalise(right, columns, width);
  }
  const dimensions = Math.min(LATENT.dimensions, width);
  const axes = principalAxes(right, columns, width, dimensions);
  return new Map(
    matrix.terms.map((term, t) => {
      const vector = new Float32Array(LATENT.dimensions);
      const weight = matrix.weights[t] ?? 0;
      for (let d = 0; d < dimensions; d++) vector[d] = (axes[t * dimensions + d] ?? 0) * weight;
      return [term, vector];
    }),
  );
}

/** The vector of a text, of unit length; undefined if the model knows none of its words. */
export function foldIn(
  tokens: readonly string[],
  vectorOf: (term: string) => Float32Array | undefined,
): Float32Array | undefined {
  const sum = new Float32Array(LATENT.dimensions);
  for (const [term, count] of counted(tokens)) {
    const vector = vectorOf(term);
    if (vector === undefined) continue;
    const weight = Math.log1p(count);
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] ?? 0) + weight * (vector[d] ?? 0);
  }
  return unit(sum);
}

/** The vector scaled to length one; undefined for a null vector. */
export function unit(vector: Float32Array): Float32Array | undefined {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square < 1e-24) return undefined;
  const scale = 1 / Math.sqrt(square);
  return vector.map((value) => value * scale);
}

interface SparseMatrix {
  terms: string[];
  weights: Float32Array;
  /** Row i holds the entries from starts[i] up to starts[i + 1]. */
  starts: Int32Array;
  columns: Int32Array;
  values: Float32Array;
}

function sparseMatrix(documents: readonly (readonly string[])[]): SparseMatrix {
  const frequencies = new Map<string, number>();
  const rows = documents.map((tokens) => {
    const row = counted(tokens);
    for (const term of row.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    return row;
  });
  const terms = [...frequencies].filter(([, n]) => n >= LATENT.fewestOccurrences).map(([term]) => term);
  const indexOf = new Map(terms.map((term, t) => [term, t]));
  const weights = Float32Array.from(terms, (term) => Math.log(documents.length / (frequencies.get(term) ?? 1)));
  const starts = new Int32Array(rows.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  rows.forEach((row, i) => {
    let square = 0;
    const from = columns.length;
    for (const [term, count] of row) {
      const t = indexOf.get(term);
      if (t === undefined) continue;
      const value = Math.log1p(count) * (weights[t] ?? 0);
      columns.push(t);
      values.push(value);
      square += value * value;
    }
    // Rows of length one, so that a long record does not dominate the axes.
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let at = from; at < values.length; at++) values[at] = (values[at] ?? 0) * scale;
    starts[i + 1] = columns.length;
  });
  return { terms, weights, starts, columns: Int32Array.from(columns), values: Float32Array.from(values) };
}

function counted(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function times({ starts, columns, values }: SparseMatrix, right: Float32Array, width: number): Float32Array {
  const rows = starts.length - 1;
  const product = new Float32Array(rows * width);
  for (let i = 0; i < rows; i++) {
    for (let at = starts[i] ?? 0, end = starts[i + 1] ?? 0; at < end; at++) {
      const value = values[at] ?? 0;
      const from = (columns[at] ?? 0) * width;
      for (let d = 0, to = i * width; d < width; d++, to++)
        product[to] = (product[to] ?? 0) + value * (right[from + d] ?? 0);
    }
  }
  return product;
}

function transposedTimes(
  { terms, starts, columns, values }: SparseMatrix,
  left: Float32Array,
  width: number,
): Float32Array {
  const product = new Float32Array(terms.length * width);
  for (let i = 0; i + 1 < starts.length; i++) {
    for (let at = starts[i] ?? 0, end = starts[i + 1] ?? 0; at < end; at++) {
      const value = values[at] ?? 0;
      const from = i * width;
      for (let d = 0, to = (columns[at] ?? 0) * width; d < width; d++, to++)
        product[to] = (product[to] ?? 0) + value * (left[from + d] ?? 0);
    }
  }
  return product;
}
