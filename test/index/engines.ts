import { describe } from 'vitest';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import { miniSearchIndex } from '../../src/index/minisearch-index.ts';
import type { Database } from '../../src/index/sqlite/database.ts';
import { sqliteIndex } from '../../src/index/sqlite/index.ts';
import { describeNodeSqlite, describeSqlite, openDatabase, openNodeDatabase } from '../support/sqlite.ts';

/** An empty index in memory that SQLite answers. */
export const sqliteInMemory = (): MemoryIndex => indexIn(openDatabase(':memory:'));

function indexIn(database: Database): MemoryIndex {
  return sqliteIndex(database, { team: 'team /a', private: 'private' });
}

/** Runs the same tests on every index; those that this Node does not have are skipped. */
export function describeEngines(subject: string, tests: (open: () => MemoryIndex) => void): void {
  describeSqlite(`${subject} better-sqlite3`, () => tests(sqliteInMemory));
  describeNodeSqlite(`${subject} node:sqlite`, () => tests(() => indexIn(openNodeDatabase(':memory:'))));
  describe(`${subject} MiniSearch`, () => tests(miniSearchIndex));
}
