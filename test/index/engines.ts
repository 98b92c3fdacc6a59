import { describe } from 'vitest';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import { miniSearchIndex } from '../../src/index/minisearch-index.ts';
import { sqliteIndex } from '../../src/index/sqlite/index.ts';
import { describeSqlite, openDatabase } from '../support/sqlite.ts';

/** An empty index in memory that SQLite answers. */
export const sqliteInMemory = (): MemoryIndex =>
  sqliteIndex(openDatabase(':memory:'), { team: 'team /a', private: 'private' });

/** Runs the same tests on both indexes; that of SQLite is skipped where better-sqlite3 does not load. */
export function describeEngines(subject: string, tests: (open: () => MemoryIndex) => void): void {
  describeSqlite(`${subject} better-sqlite3`, () => tests(sqliteInMemory));
  describe(`${subject} MiniSearch`, () => tests(miniSearchIndex));
}
