import { homedir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { GitMemError, messageOf } from '../../errors.ts';
import { projectArrivals } from './claude-mem-project.ts';
import { type ClaudeMem, type Row, TABLES, type Table } from './claude-mem-rows.ts';
import type { Importer } from './importer.ts';
import { realPlace } from './place.ts';

/** claude-mem's own database, which is only read. */
export const claudeMem: Importer = {
  name: 'claude-mem',
  describe: 'the database of claude-mem (~/.claude-mem/claude-mem.db)',
  async *read(source) {
    const { env, workspace } = source;
    const folder = env.CLAUDE_MEM_DATA_DIR || join(env.HOME || homedir(), '.claude-mem');
    const path = realPlace(source.path ?? join(folder, 'claude-mem.db'), workspace);
    const db = await open(path);
    try {
      yield* projectArrivals(memoryOf(db), source);
    } catch (error) {
      throw isSqlite(error) ? unreadable(path, error) : error;
    } finally {
      db.close();
    }
  },
};

async function open(path: string): Promise<Database.Database> {
  let Sqlite: typeof Database;
  try {
    Sqlite = (await import('better-sqlite3')).default;
    new Sqlite(':memory:').close();
  } catch (error) {
    throw new GitMemError('bad-input', `The database needs better-sqlite3, which does not load: ${firstLine(error)}`, {
      hint: 'Let claude-mem write JSON instead (its scripts/export-memories.ts), and use `git mem import claude-mem-json`.',
      cause: error,
    });
  }
  try {
    const db = new Sqlite(path, { readonly: true, fileMustExist: true });
    // A file from anywhere may have functions in its schema.
    db.pragma('trusted_schema = OFF');
    return db;
  } catch (error) {
    throw isSqlite(error) ? unreadable(path, error) : error;
  }
}

function memoryOf(db: Database.Database): ClaudeMem {
  const real = db.prepare<[], { name: string; sql: string | null }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
  );
  // Views and virtual tables could make a question endless; full text tables only repeat the others.
  const names = real
    .all()
    .filter(({ name, sql }) => !/^\s*CREATE\s+VIRTUAL/i.test(sql ?? '') && !/^sqlite_|_fts(?:_|$)/.test(name))
    .map(({ name }) => name);
  const columnsOf = (table: string) =>
    names.includes(table)
      ? db
          .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
          .all(table)
          .map(({ name }) => name)
      : [];
  return {
    columns: {
      sdk_sessions: columnsOf('sdk_sessions'),
      observations: columnsOf('observations'),
      session_summaries: columnsOf('session_summaries'),
      user_prompts: columnsOf('user_prompts'),
    },
    others: names.filter((name) => !TABLES.some((table) => table === name)),
    *rows(table: Table) {
      if (names.includes(table)) yield* db.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY rowid`).iterate();
    },
  };
}

function unreadable(path: string, error: unknown): GitMemError {
  return new GitMemError('bad-input', `${path} cannot be read as a database of claude-mem: ${firstLine(error)}.`, {
    hint: 'Name the file, or end claude-mem if it is just writing.',
    cause: error,
  });
}

function isSqlite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
