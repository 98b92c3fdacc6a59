import type Database from 'better-sqlite3';
import { describe, it, type SuiteAPI, type TestAPI } from 'vitest';
import type { Engine } from '../../src/index/open.ts';
import type { Database as AnyDatabase } from '../../src/index/sqlite/database.ts';
import { findDriver } from '../../src/index/sqlite/drivers.ts';

const loaded = await load();
const node = await findDriver('node:sqlite');

/** Why better-sqlite3 cannot be loaded on this machine; undefined where it can. */
export const SQLITE_ERROR = loaded.error;

/** Why Node's own SQLite cannot be used. */
export const NODE_SQLITE_ERROR = node.driver === undefined ? node.reason : undefined;

/** What holds the index on this machine. */
export const ENGINE: Engine = loaded.Sqlite ? 'better-sqlite3' : node.driver ? 'node:sqlite' : 'minisearch';

/** `it` and `describe` for what only SQLite does. Without it they are skipped, and the run's first and last lines say so. */
export const itSqlite = it.skipIf(SQLITE_ERROR !== undefined) as TestAPI;
export const describeSqlite = describe.skipIf(SQLITE_ERROR !== undefined) as SuiteAPI;
export const describeNodeSqlite = describe.skipIf(NODE_SQLITE_ERROR !== undefined) as SuiteAPI;

/** Opens a database. */
export function openDatabase(path: string, options?: Database.Options): Database.Database {
  if (loaded.Sqlite === undefined) throw new Error(`better-sqlite3 cannot be loaded: ${loaded.error}`);
  return new loaded.Sqlite(path, options);
}

/** Opens a database with Node's own SQLite. */
export function openNodeDatabase(path: string): AnyDatabase {
  if (node.driver === undefined) throw new Error(NODE_SQLITE_ERROR);
  return node.driver.open(path);
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
