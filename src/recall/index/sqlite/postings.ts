import type { Statements } from './statements.ts';
import { toToken } from './tables.ts';

/** Rows that are read of one term at first: a word that is in more says little, and reading them all takes long. */
export const MOST_ROWS = 20_000;

/** Rough weights for choosing candidates: a word in the title again, and a document's length against the mean. */
const IN_TITLE = 0.5;
const LENGTH = 0.15;

/** Rows that hold a term anywhere, and those that hold it in the title. */
export interface Postings {
  all: Int32Array;
  title: Int32Array;
  /** Whether only the last rows were read, because there are very many. */
  isCut: boolean;
  /** How many rows hold it, those that were not read among them. */
  count: number;
}

/** Reads a term's rows: the active ones, or of a term that is in more than `most` the last of them. */
export function readPostings(
  sql: Statements,
  term: string,
  { isActive, share, most }: { isActive: (row: number) => boolean; share: () => number; most: number },
): Postings {
  const token = `"${toToken(term)}"`;
  const rowsOf = (match: string) => sql.match.all(match, most) as number[];
  const active = (rows: number[]) => Int32Array.from(rows.filter(isActive));
  const read = rowsOf(token);
  const all = active(read);
  // What no row of ours holds, none holds in its title.
  const title = all.length === 0 ? all : active(rowsOf(`title : ${token}`));
  const isCut = read.length === most;
  // Whose rows they are is not counted one by one then: another checkout's have the same share of every word.
  const count = isCut ? Math.round((sql.countMatches.get(token) as number) * share()) : 0;
  return { all, title, isCut, count: Math.max(count, all.length) };
}

/** The numbers of a view by which rows are put in order. */
interface Lengths {
  stores: Uint8Array;
  lengths: Uint16Array;
  meanLength: number;
}

/** Rows with any of the terms, by BM25 with each word taken to be there once, in the title or elsewhere; equal ones last first. */
export function ordered(
  terms: Iterable<[postings: Postings, weight: number]>,
  { stores, lengths, meanLength }: Lengths,
): number[] {
  const scores = new Float32Array(stores.length);
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

/** Tells the rows that hold a term of each list; of lists with a term whose rows were not all read nothing is known. */
export function holdingAll(lists: readonly (readonly Postings[])[]): (row: number) => boolean {
  const known = lists.filter((terms) => terms.every(({ isCut }) => !isCut));
  const holding = known.map((terms) => new Set(terms.flatMap(({ all }) => [...all])));
  return (row) => holding.every((rows) => rows.has(row));
}
