import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { StoreName } from '../../memory/record.ts';
import { FIELDS, type IndexedDocument } from '../memory-index.ts';
import type { Postings } from './postings.ts';
import type { Statements } from './schema.ts';

/** The rows of one checkout at one moment, with results that queries have computed about them. */
export interface View {
  /** The database version that the view was read at. */
  version: string;
  /** Whether it is stored for other processes. */
  isKept: boolean;
  /** By row: 1 in the team store, 2 in the private one only, 0 in neither. */
  stores: Uint8Array;
  /** Tokens by row. */
  lengths: Uint16Array;
  documents: number;
  /** Mean tokens in each field. */
  meanLengths: number[];
  meanLength: number;
  /** Postings by term, their total size, and rows by cited path. */
  postings: Map<string, Postings>;
  remembered: number;
  citing: Map<string, number[]>;
  /** Records that change the state of others, once asked for. */
  statements?: IndexedDocument[];
}

type Scopes = Record<StoreName, number>;

/** All records of a checkout, or only the known ones, without the unreviewed records that a branch added. */
export type Part = 'all' | 'known';

/** The part of a view that is kept between processes. */
type Kept = Pick<View, 'stores' | 'lengths' | 'documents' | 'meanLengths' | 'meanLength'>;

/** The view of an open database, read again after a write. */
export function openMoments(db: Database, sql: Statements, { scopeOf, part }: { scopeOf: Scopes; part: Part }) {
  let loaded: View | undefined;
  let writes = 0;
  /** True inside a snapshot, where nothing changes and the version need not be read. */
  let isStill = false;
  let isPinned = false;

  /** Changes after every write, in any process: those of others, then our own. */
  const version = () => `${db.pragma('data_version', { simple: true })}.${writes}`;

  /** Which rows this checkout has now, or had when the snapshot began. */
  function view(): View {
    if (loaded !== undefined && isPinned) return loaded;
    const now = version();
    if (loaded?.version !== now) {
      loaded = (part === 'known' ? readKnownView(sql, scopeOf, now) : undefined) ?? readView(sql, scopeOf, now);
    }
    isPinned = isStill;
    return loaded;
  }

  return {
    view,
    version,
    noteWrite: () => void writes++,
    /** Runs `use` on one consistent state. */
    snapshot: <T>(use: () => T): T =>
      db.transaction(() => {
        // A transaction's state begins with its first read; the view itself is read on demand.
        sql.meta.get('');
        isStill = true;
        try {
          return use();
        } finally {
          isStill = false;
          isPinned = false;
        }
      })(),
  };
}

/** Reads which rows a checkout has: the kept view if nothing changed since, else row by row. */
function readView(sql: Statements, scopes: Scopes, version: string): View {
  const kept = keptView(sql, scopes, 'all');
  const isKept = kept?.writes === writesOf(sql, scopes);
  return viewOf(isKept ? kept : countedView(sql, scopes), version, isKept);
}

/**
 * If more rows than this were added since the known ones were noted, a branch added them, and those of the team store are
 * left out. A drain, which notes the known ones, adds far fewer.
 */
const MOST_NEW = 400;

/** Like `readView`, for the known rows and a few added since; undefined if none were ever noted. */
function readKnownView(sql: Statements, scopes: Scopes, version: string): View | undefined {
  const kept = keptView(sql, scopes, 'known');
  if (kept === undefined) return undefined;
  if (kept.writes === writesOf(sql, scopes)) return viewOf(kept, version, true);
  const all = readView(sql, scopes, version);
  const end = kept.stores.length;
  const isNew = all.stores.length - end <= MOST_NEW;
  const stores = all.stores.map((store, row) =>
    row < end ? (kept.stores[row] ? store : 0) : isNew ? store : store & 2,
  );
  return viewOf({ ...all, meanLengths: kept.meanLengths, ...countsOf(stores, all.lengths), stores }, version, false);
}

function viewOf({ stores, lengths, documents, meanLengths, meanLength }: Kept, version: string, isKept: boolean): View {
  const counts = { stores, lengths, documents, meanLengths, meanLength };
  return { ...counts, isKept, version, postings: new Map(), remembered: 0, citing: new Map() };
}

function countsOf(stores: Uint8Array, lengths: Uint16Array): Pick<View, 'documents' | 'meanLength'> {
  let [documents, tokens] = [0, 0];
  for (let row = 0; row < stores.length; row++) {
    if (!stores[row]) continue;
    documents++;
    tokens += lengths[row] ?? 0;
  }
  return { documents, meanLength: Math.max(1, tokens / Math.max(1, documents)) };
}

/** Notes that a scope's files changed; call it in the transaction that changes them. */
export function noteWrite(sql: Statements, scope: number): void {
  sql.setMeta.run(`writes ${scope}`, String(Number(sql.meta.get(`writes ${scope}`) ?? 0) + 1));
}

/** Stores a view for other processes: reading a hundred thousand rows takes longer than a question. */
export function keepView(sql: Statements, scopes: Scopes, part: Part, view: Kept): void {
  const { documents, meanLengths, meanLength } = view;
  const [stores, lengths] = [bytesOf(view.stores), bytesOf(view.lengths)];
  const values = [writesOf(sql, scopes), JSON.stringify([documents, meanLength, ...meanLengths])] as const;
  const sum = checksum(...values, stores, lengths);
  sql.keepView.run(scopes.team, scopes.private, part, ...values, stores, lengths, sum);
}

export function knownRows(sql: Statements, scopes: Scopes): Uint8Array {
  return keptView(sql, scopes, 'known')?.stores ?? new Uint8Array();
}

/** Notes more rows as known, and drops those that the checkout no longer has. */
export function keepKnown(sql: Statements, scopes: Scopes, rows: readonly number[]): void {
  const kept = keptView(sql, scopes, 'known');
  if (rows.length === 0 && kept?.writes === writesOf(sql, scopes)) return;
  const added = new Set(rows);
  const isKnown = (row: number) => Boolean(kept?.stores[row]) || added.has(row);
  keepView(sql, scopes, 'known', countedView(sql, scopes, isKnown));
}

/** The stored view, and the write count it is based on; undefined if it is missing or damaged. */
function keptView(sql: Statements, scopes: Scopes, part: Part): (Kept & { writes: string }) | undefined {
  type Row = [writes: string, counts: string, stores: Buffer, lengths: Buffer, crc: number];
  const row = sql.view.get(scopes.team, scopes.private, part) as Row | undefined;
  if (row === undefined) return undefined;
  const [writes, counts, stores, lengths, crc] = row;
  if (checksum(writes, counts, stores, lengths) !== crc) return undefined;
  const [documents = 0, meanLength = 1, ...meanLengths] = JSON.parse(counts) as number[];
  // A copy, because lengths take two bytes and may begin at an odd offset.
  const pairs = new Uint16Array(new Uint8Array(lengths).buffer);
  return { writes, stores: new Uint8Array(stores), lengths: pairs, documents, meanLengths, meanLength };
}

/** How often the files of two scopes were written, by any process. */
export function writesOf(sql: Statements, scopes: Scopes): string {
  return [scopes.team, scopes.private].map((scope) => String(sql.meta.get(`writes ${scope}`) ?? 0)).join(' ');
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checksum(writes: string, counts: string, stores: Buffer, lengths: Buffer): number {
  return crc32(lengths, crc32(stores, crc32(`${writes}\n${counts}`)));
}

function countedView(sql: Statements, scopes: Scopes, isWanted: (row: number) => boolean = () => true): Kept {
  type Active = [row: number, scope: number, ...counts: number[]];
  const size = ((sql.lastRow.get() as number | null) ?? 0) + 1;
  const stores = new Uint8Array(size);
  const lengths = new Uint16Array(size);
  const sums = FIELDS.map(() => 0);
  // One row at a time: a list of thousands would be the largest thing in memory.
  for (const active of sql.activeRows.iterate(scopes.team, scopes.private) as Iterable<Active>) {
    const [row, scope] = active;
    if (!isWanted(row)) continue;
    const isFirst = stores[row] === 0;
    if (stores[row] !== 1) stores[row] = scope === scopes.team ? 1 : 2;
    // The same content at two places is one document.
    if (!isFirst) continue;
    let length = 0;
    for (let f = 0; f < sums.length; f++) {
      const count = active[f + 2] ?? 0;
      sums[f] = (sums[f] ?? 0) + count;
      length += count;
    }
    lengths[row] = Math.min(length, 0xffff);
  }
  const counts = countsOf(stores, lengths);
  const meanLengths = sums.map((sum) => Math.max(0.01, sum / Math.max(1, counts.documents)));
  return { stores, lengths, meanLengths, ...counts };
}
