import { chmodSync, closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { MemoryIndex } from './memory-index.ts';
import { errorCode, readSeal, SEALED_BYTES } from './sqlite/database.ts';
import { type Database, type Driver, findDriver } from './sqlite/driver.ts';
import { sqliteIndex } from './sqlite/index.ts';
import { DamagedCache } from './sqlite/tables.ts';

/** What can hold an index, best first. */
export type Engine = 'better-sqlite3' | 'minisearch';

export interface OpenedIndex {
  index: MemoryIndex;
  kind: MemoryIndex['kind'];
  /** The package behind it. */
  engine: Engine;
  /** Whether the index outlives the process. */
  persistent: boolean;
  /** Why it is not the usual engine, for `doctor`. */
  reason?: string | undefined;
}

type CacheFile = 'cache' | 'history';

export interface OpenOptions {
  /** `auto` is SQLite in a file if that works; the others are for tests and for `GIT_MEM_CACHE`. */
  prefer?: 'auto' | 'memory' | 'minisearch';
  /** Why it is not `auto`. */
  reason?: string;
  /** `history`: the index of commits instead of records, in its own file. */
  file?: CacheFile;
  /** Longest wait for another process's sync, in milliseconds. */
  busyMs?: number;
  /** Documents kept in memory between questions, about three kilobytes each: fewer are slower. */
  remember?: number;
  /** Maximum rows read for one word: the last ones, and only if the question has no rarer word. */
  mostRows?: number;
}

/** How long commands wait for another process's sync, in milliseconds, before they answer from a copy in memory. */
const BUSY_MS = 5000;

/** Twice SQLite's default: a document fills a good part of a page, and the rest of the page is wasted. */
const PAGE_BYTES = 8192;

/** SQLite's page cache, in KiB: the system caches the file anyway, and the driver's default is sixteen times this. */
const PAGES_KIB = 1024;

/** The cache's file; its `-wal` and `-shm` files are beside it. */
export function cachePath(workspace: Workspace, file: CacheFile = 'cache'): string {
  return join(workspace.layout.state, `${file}.sqlite`);
}

/**
 * Opens this checkout's index: SQLite in the state folder; a copy of it in memory if the folder is not writable;
 * MiniSearch if better-sqlite3 does not load. It may be behind the files; `sync` updates it.
 */
export async function openIndex(workspace: Workspace, options: OpenOptions = {}): Promise<OpenedIndex> {
  const { prefer = preference(workspace.env), reason = 'chosen by GIT_MEM_CACHE', file = 'cache' } = options;
  if (prefer === 'minisearch') return inMiniSearch(reason);
  const found = await findDriver();
  if (found.Driver === undefined) return inMiniSearch(found.reason);
  const { Driver } = found;
  const opened = { kind: 'sqlite', engine: 'better-sqlite3' } as const;
  const { at, checkout } = workspace;
  const scopes = { team: at ? `at ${at}` : `team ${checkout.root}`, private: at ? 'no private' : 'private' };
  const path = cachePath(workspace, file);
  if (prefer === 'memory') return inMemory(reason);
  // A past commit's records do not help the next question, but their content is known from the cache.
  if (at !== undefined) return inMemory(`as of ${at}`);
  try {
    return inFile();
  } catch (error) {
    if (isUnwritable(error)) return inMemory(messageOf(error));
    try {
      deleteCache(workspace, file);
      return inFile();
    } catch (again) {
      return inMemory(messageOf(again));
    }
  }

  function inFile(): OpenedIndex {
    createFolder(workspace.layout.state, 0o700);
    return { index: openFile(Driver, path, scopes, options), ...opened, persistent: true };
  }

  function inMemory(reason: string): OpenedIndex {
    const inside = { ...opened, persistent: false, reason: `In memory only: ${reason}.` };
    try {
      return { index: sqliteIndex(copyOf(Driver, path), scopes), ...inside };
    } catch {
      // The file is missing, damaged or too old: the records are read instead.
      return { index: sqliteIndex(new Driver(':memory:'), scopes), ...inside };
    }
  }
}

/** Removes the cache's files; the log first, or it would be replayed into the next cache. */
export function deleteCache(workspace: Workspace, file: CacheFile = 'cache'): void {
  for (const suffix of ['-wal', '-shm', '-journal', ''])
    rmSync(cachePath(workspace, file) + suffix, { force: true, recursive: true });
}

/** Tells whether a rebuilt cache would fail the same way: a full disk, a read-only folder, another process too slow. */
export function isUnwritable(error: unknown): boolean {
  const code = errorCode(error);
  return /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|PERM|AUTH|NOLFS|NOMEM)|^E(ACCES|PERM|ROFS|NOSPC|NOTDIR|EXIST|DQUOT|IO)$/.test(
    code,
  );
}

/** Tells whether deleting the cache would fix the error. */
export function isDamage(error: unknown): boolean {
  if (isUnwritable(error)) return false;
  return errorCode(error).startsWith('SQLITE_') || error instanceof DamagedCache;
}

function preference(env: Workspace['env']): NonNullable<OpenOptions['prefer']> {
  const known = ['minisearch', 'memory'] as const;
  return known.find((one) => one === env.GIT_MEM_CACHE) ?? 'auto';
}

async function inMiniSearch(reason: string): Promise<OpenedIndex> {
  const { miniSearchIndex } = await import('./minisearch-index.ts');
  const kind = 'minisearch';
  return { index: miniSearchIndex(), kind, engine: kind, persistent: false, reason: `MiniSearch: ${reason}.` };
}

function openFile(
  Driver: Driver,
  path: string,
  scopes: { team: string; private: string },
  { busyMs = BUSY_MS, remember, mostRows }: OpenOptions,
): MemoryIndex {
  const { size, mode } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mode: 0 };
  // It is as private as the private store, and SQLite would create it readable by everybody.
  if (mode === 0) closeSync(openSync(path, 'a', 0o600));
  else if ((mode & 0o077) !== 0) chmodSync(path, 0o600);
  const db = new Driver(path, { timeout: busyMs });
  try {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma(`cache_size = -${PAGES_KIB}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('trusted_schema = OFF');
    requireWhole(db, size);
    return sqliteIndex(db, scopes, { remember, mostRows });
  } catch (error) {
    db.close();
    throw error;
  }
}

function copyOf(Driver: Driver, path: string): Database {
  const bytes = readFileSync(path);
  // Bytes 18 and 19 say "write-ahead log", which an in-memory database cannot use.
  bytes[18] = 1;
  bytes[19] = 1;
  const db = new Driver(bytes);
  requireWhole(db, bytes.length);
  return db;
}

/**
 * Throws DamagedCache for a database of `size` bytes that differs from what was written: by its seal or, if a writer
 * was stopped before sealing, by SQLite's own check. A large one has no seal; there only documents have checksums.
 */
function requireWhole(db: Database, size: number): void {
  const seal = readSeal(db);
  if (seal === 'broken') throw new DamagedCache('it differs from its seal');
  if (seal === 'whole' || size === 0 || size > SEALED_BYTES) return;
  const verdict = db.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') throw new DamagedCache(String(verdict));
}
