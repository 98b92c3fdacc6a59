import { describe } from 'vitest';
import type { MemoryIndex } from '../../src/cache/memory-index.ts';
import { miniSearchIndex } from '../../src/cache/minisearch-index.ts';
import { sqliteIndex } from '../../src/cache/sqlite/index.ts';
import { describeSqlite, openDatabase } from '../support/sqlite.ts';

/** An empty index in memory that SQLite answers. */
export const sqliteInMemory = (): MemoryIndex =>
  sqliteIndex(openDatabase(':memory:'), { team: 'team /a', private: 'private' });

/** Runs the same tests on both indexes; SQLite's are skipped where it cannot be loaded. */
export function describeEngines(subject: string, tests: (open: () => MemoryIndex) => void): void {
  describeSqlite(`${subject} better-sqlite3`, () => tests(sqliteInMemory));
  describe(`${subject} MiniSearch`, () => tests(miniSearchIndex));
}
