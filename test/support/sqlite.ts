import type Database from 'better-sqlite3';
import { describe, it, type SuiteAPI, type TestAPI } from 'vitest';
import type { Engine } from '../../src/index/open.ts';

const loaded = await load();

/** Why better-sqlite3 cannot be loaded on this machine; undefined where it can. */
export const SQLITE_ERROR = loaded.error;

/** What holds the index on this machine. */
export const ENGINE: Engine = loaded.Sqlite ? 'better-sqlite3' : 'minisearch';

/** `it` and `describe` for what only SQLite does. Without it they are skipped, and the run's first and last lines say so. */
export const itSqlite = it.skipIf(SQLITE_ERROR !== undefined) as TestAPI;
export const describeSqlite = describe.skipIf(SQLITE_ERROR !== undefined) as SuiteAPI;

/** Opens a database. */
export function openDatabase(path: string, options?: Database.Options): Database.Database {
  if (loaded.Sqlite === undefined) throw new Error(`better-sqlite3 cannot be loaded: ${loaded.error}`);
  return new loaded.Sqlite(path, options);
}

async function load(): Promise<{ Sqlite?: typeof Database; error?: string }> {
  try {
    const { default: Sqlite } = await import('better-sqlite3');
    new Sqlite(':memory:').close();
    return { Sqlite };
  } catch (error) {
    return { error: String(error instanceof Error ? error.message : error).replace(/\n.*/s, '') };
  }
}
