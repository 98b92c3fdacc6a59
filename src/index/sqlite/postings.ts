import type { Statements } from './schema.ts';
import { toToken } from './tables.ts';

/** Maximum rows read for one term at first: a more frequent word says little, and reading all its rows is slow. */
export const MOST_ROWS = 20_000;

/** Rough weights for choosing candidates: for a word in the title, and for a length relative to the mean. */
const IN_TITLE = 0.5;
const LENGTH = 0.15;

/** Rows that hold a term anywhere, and those that hold it in the title. */
export interface Postings {
  all: Int32Array;
  title: Int32Array;
  /** Whether only the last rows were read, because there are very many. */
  isCut: boolean;
  /** How many rows hold it, including those that were not read. */
  count: number;
}

/** Reads a term's active rows; for a term in more than `most` rows only the last ones. */
export function readPostings(
  sql: Statements,
  term: string,
  { stores, share, most }: { stores: Uint8Array; share: () => number; most: number },
): Postings {
  const token = `"${toToken(term)}"`;
  const rowsOf = (match: string) => sql.match.all(match, most) as number[];
  const read = rowsOf(token);
  const all = activeIn(read, stores);
  // A term in none of our rows is in none of their titles.
  const title = all.length === 0 ? all : activeIn(rowsOf(`title : ${token}`), stores);
  const isCut = read.length === most;
  // Estimated, not counted row by row: every word is assumed to be equally frequent in all checkouts.
  const count = isCut ? Math.round((sql.countMatches.get(token) as number) * share()) : 0;
  return { all, title, isCut, count: Math.max(count, all.length) };
}

/** The rows that a checkout has. A loop, because a common word is in thousands of rows. */
function activeIn(rows: readonly number[], stores: Uint8Array): Int32Array {
  const active = new Int32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    if (stores[row]) active[count++] = row;
  }
  return active.subarray(0, count);
}

/** Rows with any of the terms, by BM25 as if each word occurred once; among equals the last row first. */
export function ordered(
  terms: Iterable<[postings: Postings, weight: number]>,
  { lengths, meanLength }: { lengths: ArrayLike<number>; meanLength: number },
): number[] {
  const scores = new Float32Array(lengths.length);
  const rows: number[] = [];
  for (const [{ all, title }, weight] of terms) {
    for (const row of all) {
      if (scores[row] === 0) rows.push(row);
      scores[row] = (scores[row] ?? 0) + weight;
    }
    for (const row of title) scores[row] = (scores[row] ?? 0) + weight * IN_TITLE;
  }
  for (const row of rows) scores[row] = (scores[row] ?? 0) / (1 + LENGTH * ((lengths[row] ?? 0) / meanLength));
  return rows.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
}

/** Tells whether a row holds a term of each list; lists with a term whose rows were not all read are ignored. */
export function holdingAll(lists: readonly (readonly Postings[])[]): (row: number) => boolean {
  const known = lists.filter((terms) => terms.every(({ isCut }) => !isCut));
  const holding = known.map((terms) => new Set(terms.flatMap(({ all }) => [...all])));
  return (row) => holding.every((rows) => rows.has(row));
}
