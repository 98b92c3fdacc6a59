import { crc32 } from 'node:zlib';

/** What the index needs of SQLite, in the terms of better-sqlite3, one of its drivers (`drivers.ts`). */
export interface Database {
  readonly memory: boolean;
  prepare(source: string): Statement;
  exec(source: string): unknown;
  /** With `simple`, returns the first column of the first row. */
  pragma(source: string, options?: { simple?: boolean }): unknown;
  transaction<A extends unknown[], R>(work: (...parts: A) => R): Transaction<A, R>;
  /** The bytes of the whole database; missing if the driver cannot give them. */
  serialize?(): Buffer;
  close(): unknown;
}

/** Results are row objects, or with `raw` arrays, or with `pluck` their first columns. */
export interface Statement {
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  iterate(...values: unknown[]): Iterable<unknown>;
  run(...values: unknown[]): { changes: number; lastInsertRowid: number | bigint };
  raw(): Statement;
  pluck(): Statement;
}

/** Runs work between BEGIN and COMMIT; `immediate` takes the write lock at once. */
export interface Transaction<A extends unknown[], R> {
  (...parts: A): R;
  immediate(...parts: A): R;
}

export interface OpenDatabaseOptions {
  /** Longest wait for a lock, in milliseconds. */
  timeout?: number;
  readonly?: boolean;
  fileMustExist?: boolean;
}

/** One way to open databases. */
export interface Driver {
  name: 'better-sqlite3' | 'node:sqlite';
  open(path: string, options?: OpenDatabaseOptions): Database;
  /** Opens a copy of a file's bytes in memory; throws where the driver cannot. */
  openBytes(bytes: Buffer): Database;
}

/**
 * A checksum over the whole file that detects damage to parts without their own checksum: full-text postings, vectors
 * and the keys of every index. It is in the header's user version, which SQLite leaves to the application; 0 means
 * none. Every writer removes it in the transaction that writes, and sets a new one when finished.
 */
const SEAL_AT = 60;

/** Up to this size, in bytes, a cache is sealed, and read whole when it is opened; more would take too long. */
export const SEALED_BYTES = 4_000_000;

/** Parts of the header that change without a writer: the journal mode, two change counters, SQLite's own version. */
const UNSEALED = [
  [18, 20],
  [24, 28],
  [SEAL_AT, SEAL_AT + 4],
  [92, 100],
] as const;

/** Compares a database with its seal; `none` if it has none or the driver cannot tell. */
export function readSeal(db: Database): 'whole' | 'broken' | 'none' {
  const seal = sealIn(db);
  if (seal === 0) return 'none';
  if (sizeOf(db) > SEALED_BYTES) return 'broken';
  const sum = checksum(db);
  if (sum === undefined) return 'none';
  return sum === seal ? 'whole' : 'broken';
}

/** Removes the seal; call it in every transaction that writes. */
export function breakSeal(db: Database): void {
  if (sealIn(db) !== 0) db.pragma('user_version = 0');
}

/** Seals an unsealed database, unless it is too large or in memory only. */
export function seal(db: Database): void {
  if (db.memory || db.serialize === undefined || sealIn(db) !== 0 || sizeOf(db) > SEALED_BYTES) return;
  // Inside the lock, or the sum could cover another process's half-finished work.
  db.transaction(() => db.pragma(`user_version = ${checksum(db)}`)).immediate();
}

function sealIn(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

function sizeOf(db: Database): number {
  return (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number);
}

/** A signed 32-bit number, like the user version; never 0. */
function checksum(db: Database): number | undefined {
  const bytes = db.serialize?.();
  if (bytes === undefined) return undefined;
  for (const [from, to] of UNSEALED) bytes.fill(0, from, to);
  return crc32(bytes) | 0 || 1;
}

/** Result codes from https://sqlite.org/rescode.html, in numerical order from 0. */
const RESULTS = (
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL ' +
  'EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'
).split(' ');

/** The name of SQLite's or the system's error, '' for any other. Of Node's numbers the last byte is the kind. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  if (error.code !== 'ERR_SQLITE_ERROR' || !('errcode' in error)) return error.code;
  return `SQLITE_${RESULTS[Number(error.errcode) & 0xff] ?? 'ERROR'}`;
}
