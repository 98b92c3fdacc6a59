import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';

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

/** Compares a database with its seal; `none` if it has none. */
export function readSeal(db: Database): 'whole' | 'broken' | 'none' {
  const seal = sealIn(db);
  if (seal === 0) return 'none';
  if (sizeOf(db) > SEALED_BYTES) return 'broken';
  return checksum(db) === seal ? 'whole' : 'broken';
}

/** Removes the seal; call it in every transaction that writes. */
export function breakSeal(db: Database): void {
  if (sealIn(db) !== 0) db.pragma('user_version = 0');
}

/** Seals an unsealed database, unless it is too large or in memory only. */
export function seal(db: Database): void {
  if (db.memory || sealIn(db) !== 0 || sizeOf(db) > SEALED_BYTES) return;
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
function checksum(db: Database): number {
  const bytes = db.serialize();
  for (const [from, to] of UNSEALED) bytes.fill(0, from, to);
  return crc32(bytes) | 0 || 1;
}

/** The name of SQLite's or the system's error, '' for any other. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
