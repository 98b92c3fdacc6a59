import { LOCAL_MODELS } from '../index/embed/local.ts';
import { fromBytes, fromFloatBytes, fromNibbles } from '../index/embed/quantised.ts';
import type { RankedIndex } from '../index/memory-index.ts';

/** How near every document's vector of one model is to a query's. */
export interface Nearness {
  best: number;
  /** Tells whether a row has a vector that can be compared with the query's. */
  has(row: number): boolean;
  /** Rows with such a vector, with one of another length, and noted as having none. */
  counts: { usable: number; unfit: number; none: number };
  /** Cosine with a row's vector; 0 for a row without one. */
  of(row: number): number;
  /** The nearest rows, nearest first; only rows with a positive similarity. */
  nearest(count: number): number[];
  /** Tells which rows are nearer than chance explains. */
  outstanding(): (row: number) => boolean;
}

interface Table {
  version: string;
  rows: Int32Array;
  /** Position of each row in `rows`, from 1; 0 if a row has no vector. */
  places: Int32Array;
  /** The rows' vectors, one after another. */
  vectors: Float32Array;
  /** Reciprocal lengths. */
  scales: Float32Array;
  counts: Nearness['counts'];
}

/** Minimum deviation assumed for unrelated rows, as a share of their usual cosine: the few of a small store show none. */
const LEAST_SPREAD = 0.2;

// All vectors of a model stay in memory while the process lives: reading them costs more than comparing them.
const tables = new WeakMap<RankedIndex, Map<string, Table>>();

/** Compares a query's vector, of length one, with all vectors of a neural model. */
export function bestByVector(index: RankedIndex, model: string, query: Float32Array): Nearness {
  const { rows, places, vectors, scales, counts } = tableOf(index, model, query.length);
  const cosines = new Float32Array(rows.length);
  const length = query.length;
  let best = 0;
  for (let i = 0; i < rows.length; i++) {
    // Four independent sums: this loop takes most of a question's time.
    let [a, b, c, rest] = [0, 0, 0, 0];
    for (let d = 0, at = i * length; d < length; d += 4, at += 4) {
      a += (query[d] ?? 0) * (vectors[at] ?? 0);
      b += (query[d + 1] ?? 0) * (vectors[at + 1] ?? 0);
      c += (query[d + 2] ?? 0) * (vectors[at + 2] ?? 0);
      rest += (query[d + 3] ?? 0) * (vectors[at + 3] ?? 0);
    }
    const dot = a + b + c + rest;
    const value = dot * (scales[i] ?? 0);
    cosines[i] = value;
    if (value > best) best = value;
  }
  return {
    best,
    counts,
    has: (row) => (scales[(places[row] ?? 0) - 1] ?? 0) > 0,
    of: (row) => cosines[(places[row] ?? 0) - 1] ?? 0,
    nearest(count) {
      const floor = cosines.toSorted().at(-count) ?? 0;
      const above = [...cosines.keys()].filter((i) => (cosines[i] ?? 0) > 0 && (cosines[i] ?? 0) >= floor);
      above.sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0) || (rows[a] ?? 0) - (rows[b] ?? 0));
      return above.slice(0, count).map((i) => rows[i] ?? 0);
    },
    outstanding() {
      // The farther half is unrelated in any store, so its spread is that of chance; the nearest of n unrelated rows is
      // expected at sqrt(2 ln n) deviations.
      const sorted = cosines.filter((_, i) => (scales[i] ?? 0) > 0).sort();
      const far = sorted.subarray(0, Math.ceil(sorted.length / 2));
      const middle = far.at(-1) ?? 0;
      const square = far.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, far.length);
      const spread = Math.max(Math.sqrt(square), LEAST_SPREAD * Math.abs(middle));
      const bar = middle + spread * (0.5 + Math.sqrt(2 * Math.log(sorted.length)));
      return (row) => sorted.length > 1 && (cosines[(places[row] ?? 0) - 1] ?? 0) > bar;
    },
  };
}

/** Co-occurrence similarity of a query's vector and a row's, both of the same length; 0 before they were learned. */
export function latentLikeness(index: RankedIndex, row: number, query: Float32Array): number {
  const bytes = index.vector(LOCAL_MODELS.latent, row);
  return bytes === undefined ? 0 : cosine(query, fromBytes(bytes));
}

/** Spelling similarity of a query's vector and a row's; 0 before the row's vectors were learned. */
export function spellingLikeness(index: RankedIndex, row: number, query: Float32Array): number {
  const bytes = index.vector(LOCAL_MODELS.spelling, row);
  return bytes === undefined ? 0 : cosine(query, fromNibbles(bytes));
}

/** Cosine with a query of length one; 0 for a record without words, which has no values. */
function cosine(query: Float32Array, values: Int8Array): number {
  let [dot, square] = [0, 0];
  for (let d = 0; d < values.length; d++) {
    const value = values[d] ?? 0;
    dot += (query[d] ?? 0) * value;
    square += value * value;
  }
  return square > 0 ? dot / Math.sqrt(square) : 0;
}

function tableOf(index: RankedIndex, model: string, length: number): Table {
  const models = tables.get(index) ?? new Map<string, Table>();
  tables.set(index, models);
  const version = `${index.version()} ${length}`;
  const kept = models.get(model);
  if (kept?.version === version) return kept;
  const rows: number[] = [];
  const scales: number[] = [];
  const counts = { usable: 0, unfit: 0, none: 0 };
  let vectors: Table['vectors'] = new Float32Array(0);
  // One at a time: a vector being read has its own buffer, several times its size.
  for (const [row, bytes] of index.vectors(model)) {
    const vector = fromFloatBytes(bytes);
    counts[vector.length === length ? 'usable' : vector.length > 0 ? 'unfit' : 'none']++;
    vectors = withRoom(vectors, (rows.length + 1) * length);
    let square = 0;
    if (vector.length === length) {
      vectors.set(vector, rows.length * length);
      for (const value of vector) square += value * value;
    }
    scales.push(square > 0 ? 1 / Math.sqrt(square) : 0);
    rows.push(row);
  }
  const places = new Int32Array(rows.reduce((most, row) => Math.max(most, row), 0) + 1);
  rows.forEach((row, i) => {
    places[row] = i + 1;
  });
  const lists = { rows: Int32Array.from(rows), scales: Float32Array.from(scales) };
  const table: Table = { version, counts, places, vectors, ...lists };
  models.set(model, table);
  return table;
}

function withRoom(vectors: Float32Array, length: number): Float32Array {
  if (vectors.length >= length) return vectors;
  const larger = new Float32Array(Math.max(length, vectors.length * 2));
  larger.set(vectors);
  return larger;
}
