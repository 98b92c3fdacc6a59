import { crc32 } from 'node:zlib';
import type { StoreName } from '../../../memory/record.ts';
import { FIELDS, type IndexedDocument } from '../memory-index.ts';
import type { Postings } from './postings.ts';
import type { Statements } from './statements.ts';

/** Which rows one checkout has at one moment, with what questions about them have brought to light. */
export interface View {
  /** The moment. */
  version: string;
  /** Other processes find it. */
  isKept: boolean;
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
  /** All terms, once somebody asked for them. */
  vocabulary?: string[];
  /** Records that have a say about others, once they were asked for. */
  statements?: IndexedDocument[];
}

type Scopes = Record<StoreName, number>;

/** How much of a view is kept between processes. */
type Kept = Pick<View, 'stores' | 'lengths' | 'documents' | 'meanLengths' | 'meanLength'>;

/** Reads which rows a checkout has: as they were kept where nothing came or went since, or one by one. */
export function readView(sql: Statements, scopes: Scopes, version: string): View {
  const kept = keptView(sql, scopes);
  const found = kept ?? countedView(sql, scopes);
  return { ...found, isKept: kept !== undefined, version, postings: new Map(), citing: new Map() };
}

/** Says that a scope has other files than before; to be called in the transaction that brings them. */
export function noteWrite(sql: Statements, scope: number): void {
  sql.setMeta.run(`writes ${scope}`, String(Number(sql.meta.get(`writes ${scope}`) ?? 0) + 1));
}

/** Keeps a view for other processes: reading a hundred thousand rows takes longer than a question. */
export function keepView(sql: Statements, scopes: Scopes, view: View): void {
  const { documents, meanLengths, meanLength } = view;
  const [stores, lengths] = [bytesOf(view.stores), bytesOf(view.lengths)];
  const values = [writesOf(sql, scopes), JSON.stringify([documents, meanLength, ...meanLengths])] as const;
  sql.keepView.run(scopes.team, scopes.private, ...values, stores, lengths, checksum(...values, stores, lengths));
  view.isKept = true;
}

/** What was kept, if it still holds; a damaged one is recounted. */
function keptView(sql: Statements, scopes: Scopes): Kept | undefined {
  type Row = [writes: string, counts: string, stores: Buffer, lengths: Buffer, crc: number];
  const row = sql.view.get(scopes.team, scopes.private) as Row | undefined;
  if (row === undefined || row[0] !== writesOf(sql, scopes)) return undefined;
  const [writes, counts, stores, lengths, crc] = row;
  if (checksum(writes, counts, stores, lengths) !== crc) return undefined;
  const [documents = 0, meanLength = 1, ...meanLengths] = JSON.parse(counts) as number[];
  // A copy, because lengths take two bytes and may begin at an odd one.
  const pairs = new Uint16Array(new Uint8Array(lengths).buffer);
  return { stores: new Uint8Array(stores), lengths: pairs, documents, meanLengths, meanLength };
}

/** How often the files of two scopes were written, by whatever process. */
export function writesOf(sql: Statements, scopes: Scopes): string {
  return [scopes.team, scopes.private].map((scope) => String(sql.meta.get(`writes ${scope}`) ?? 0)).join(' ');
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checksum(writes: string, counts: string, stores: Buffer, lengths: Buffer): number {
  return crc32(lengths, crc32(stores, crc32(`${writes}\n${counts}`)));
}

function countedView(sql: Statements, scopes: Scopes): Kept {
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
  return { stores, lengths, documents, meanLengths, meanLength };
}
