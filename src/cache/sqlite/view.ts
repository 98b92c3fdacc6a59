import type { StoreName } from '../../memory/record.ts';
import { FIELDS, type IndexedDocument } from '../memory-index.ts';
import type { Statements } from './statements.ts';

/** Which rows one checkout has at one moment, with what questions about them have brought to light. */
export interface View {
  /** The moment. */
  version: string;
  /** By row: 1 in the team store, 2 in the private one only, 0 in neither. */
  stores: Uint8Array;
  /** Tokens by row. */
  lengths: Uint16Array;
  documents: number;
  /** Mean tokens in each field. */
  meanLengths: number[];
  /** Mean tokens in a document. */
  meanLength: number;
  /** Rows by term, and by cited path. */
  postings: Map<string, Postings>;
  citing: Map<string, number[]>;
  /** Records that have a say about others, once they were asked for. */
  statements?: IndexedDocument[];
}

/** Rows that hold a term anywhere, and those that hold it in the title. */
export interface Postings {
  all: Int32Array;
  title: Int32Array;
}

/** Reads which rows a checkout has. */
export function readView(sql: Statements, scopes: Record<StoreName, number>, version: string): View {
  type Active = [row: number, scope: number, ...counts: number[]];
  const size = ((sql.lastRow.get() as number | null) ?? 0) + 1;
  const stores = new Uint8Array(size);
  const lengths = new Uint16Array(size);
  const sums = FIELDS.map(() => 0);
  let documents = 0;
  // One row after the other: thousands of them at once would be the largest thing in memory.
  for (const active of sql.activeRows.iterate(scopes.team, scopes.private) as Iterable<Active>) {
    const [row, scope] = active;
    const isFirst = stores[row] === 0;
    if (stores[row] !== 1) stores[row] = scope === scopes.team ? 1 : 2;
    // The same content at two places is one document.
    if (!isFirst) continue;
    documents++;
    let length = 0;
    for (let f = 0; f < sums.length; f++) {
      const count = active[f + 2] ?? 0;
      sums[f] = (sums[f] ?? 0) + count;
      length += count;
    }
    lengths[row] = Math.min(length, 0xffff);
  }
  const meanLengths = sums.map((sum) => Math.max(0.01, sum / Math.max(1, documents)));
  const all = sums.reduce((sum, one) => sum + one, 0);
  const meanLength = Math.max(1, all / Math.max(1, documents));
  return { version, stores, lengths, documents, meanLengths, meanLength, postings: new Map(), citing: new Map() };
}
