import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { messageOf } from '../errors.ts';
import type { Workspace } from '../store/workspace.ts';
import type { MemoryIndex } from './memory-index.ts';
import { sqliteIndex } from './sqlite/index.ts';
import { readSeal, SEALED_BYTES } from './sqlite/seal.ts';
import { DamagedCache } from './sqlite/tables.ts';

export interface OpenedIndex {
  index: MemoryIndex;
  kind: MemoryIndex['kind'];
  /** Tells whether the index outlives the process. */
  persistent: boolean;
  /** Why it is not the usual one, for `doctor`. */
  reason?: string;
}

export interface OpenOptions {
  /** `auto` takes the best that works; the others are for tests and for `GIT_MEM_CACHE`. */
  prefer?: 'auto' | 'memory' | 'minisearch';
  /** Why it is not `auto`. */
  reason?: string;
  /** Longest wait for another process's sync, in milliseconds. */
  busyMs?: number;
  /** Documents to keep in memory between questions, about three kilobytes each: fewer are slower and smaller. */
  remember?: number;
}

/** How long commands wait for another process's sync, in milliseconds. */
const BUSY_MS = 5000;

/** Twice SQLite's own: a document fills a good part of a page, and what is left over is wasted. */
const PAGE_BYTES = 8192;

/**
 * Pages that SQLite keeps, in KiB; the operating system keeps the file's anyway, and the driver would take sixteen times
 * as much for every process.
 */
const PAGES_KIB = 1024;

/** The cache's file; its `-wal` and `-shm` lie beside it. */
export function cachePath(workspace: Workspace): string {
  return join(workspace.layout.state, 'cache.sqlite');
}

/**
 * Opens this checkout's index: SQLite in the state folder; a copy of it in memory where the folder cannot be written;
 * MiniSearch where the native module does not load. It may be behind the files: `sync` brings it up.
 */
export async function openIndex(workspace: Workspace, options: OpenOptions = {}): Promise<OpenedIndex> {
  const { prefer = preference(workspace.env), reason = 'chosen by GIT_MEM_CACHE' } = options;
  if (prefer === 'minisearch') return inMiniSearch(reason);
  let Sqlite: typeof Database;
  try {
    Sqlite = (await import('better-sqlite3')).default;
    new Sqlite(':memory:').close();
  } catch (error) {
    return inMiniSearch(`better-sqlite3 does not load: ${messageOf(error).split('\n')[0]}`);
  }
  const { at, checkout, linked } = workspace;
  const scopes = { team: at ? `at ${at}` : `team ${checkout.root}`, private: at ? 'no private' : 'private' };
  const path = cachePath(workspace);
  if (prefer === 'memory') return inMemory(reason);
  // What lay in a commit is of no use to the next question, but the content is known from the cache.
  if (at !== undefined && !linked) return inMemory(`as of ${at}`);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      mkdirSync(workspace.layout.state, { recursive: true, mode: 0o700 });
      return { index: openFile(Sqlite, path, scopes, options), kind: 'sqlite', persistent: true };
    } catch (error) {
      if (isUnwritable(error)) return inMemory(messageOf(error));
      if (attempt === 1) return inMemory(messageOf(error));
      try {
        deleteCache(workspace);
      } catch (undeletable) {
        return inMemory(messageOf(undeletable));
      }
    }
  }
  throw new Error('unreachable');

  function inMemory(reason: string): OpenedIndex {
    const opened = { kind: 'sqlite', persistent: false, reason: `In memory only: ${reason}.` } as const;
    try {
      return { index: sqliteIndex(copyOf(Sqlite, path), scopes), ...opened };
    } catch {
      // The file is absent, damaged or too old: the records are read instead.
      return { index: sqliteIndex(new Sqlite(':memory:'), scopes), ...opened };
    }
  }
}

/** Removes the cache's files; the log goes first, or it would be replayed into the next one. */
export function deleteCache(workspace: Workspace): void {
  for (const suffix of ['-wal', '-shm', '-journal', ''])
    rmSync(cachePath(workspace) + suffix, { force: true, recursive: true });
}

/** Tells an error that a rebuilt cache would meet again: the disk is full, the folder read-only, another process too slow. */
export function isUnwritable(error: unknown): boolean {
  const code = codeOf(error);
  return /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|PERM|AUTH|NOLFS|NOMEM)|^E(ACCES|PERM|ROFS|NOSPC|NOTDIR|EXIST|DQUOT|IO)$/.test(
    code,
  );
}

/** Tells an error that deleting the cache cures. */
export function isDamage(error: unknown): boolean {
  if (isUnwritable(error)) return false;
  return codeOf(error).startsWith('SQLITE_') || error instanceof DamagedCache;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function preference(env: Workspace['env']): NonNullable<OpenOptions['prefer']> {
  const wanted = env.GIT_MEM_CACHE;
  return wanted === 'minisearch' || wanted === 'memory' ? wanted : 'auto';
}

async function inMiniSearch(reason: string): Promise<OpenedIndex> {
  const { miniSearchIndex } = await import('./minisearch-index.ts');
  return { index: miniSearchIndex(), kind: 'minisearch', persistent: false, reason: `MiniSearch: ${reason}.` };
}

function openFile(
  Sqlite: typeof Database,
  path: string,
  scopes: { team: string; private: string },
  { busyMs = BUSY_MS, remember }: OpenOptions,
): MemoryIndex {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const db = new Sqlite(path, { timeout: busyMs });
  try {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma(`cache_size = -${PAGES_KIB}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('trusted_schema = OFF');
    requireWhole(db, size);
    return sqliteIndex(db, scopes, { remember });
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The cache's file opened as a copy in memory. */
function copyOf(Sqlite: typeof Database, path: string): Database.Database {
  const bytes = readFileSync(path);
  // Bytes 18 and 19 say "write-ahead log", which a database in memory cannot have.
  bytes[18] = 1;
  bytes[19] = 1;
  const db = new Sqlite(bytes);
  requireWhole(db, bytes.length);
  return db;
}

/**
 * Throws DamagedCache for a database of `size` bytes that is not as it was written: by its seal, or where a writer was
 * stopped before it put one, by SQLite's own check. A large one has no seal; there only documents have checksums.
 */
function requireWhole(db: Database.Database, size: number): void {
  const seal = readSeal(db);
  if (seal === 'broken') throw new DamagedCache('it differs from its seal');
  if (seal === 'whole' || size === 0 || size > SEALED_BYTES) return;
  const verdict = db.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') throw new DamagedCache(String(verdict));
}
