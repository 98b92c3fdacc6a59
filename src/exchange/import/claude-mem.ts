import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { GitMemError, messageOf } from '../../errors.ts';
import { type Database, errorCode } from '../../index/sqlite/database.ts';
import { findDriver } from '../../index/sqlite/drivers.ts';
import { jsonIn } from '../../json.ts';
import { type ClaudeMem, type Row, TABLES, type Table } from './claude-mem-columns.ts';
import { projectArrivals } from './claude-mem-rows.ts';
import type { Importer } from './importer.ts';
import { namedPlace, readText, realPlace } from './place.ts';

/** claude-mem's own database, opened read-only. */
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

async function open(path: string): Promise<Database> {
  const { driver, reason } = await findDriver();
  if (driver === undefined) {
    throw new GitMemError('bad-input', `The database needs SQLite: ${reason}.`, {
      hint: 'Let claude-mem write JSON instead (its scripts/export-memories.ts), and use `git mem import claude-mem-json`.',
    });
  }
  try {
    const db = driver.open(path, { readonly: true, fileMustExist: true });
    // A file from elsewhere may have functions in its schema.
    db.pragma('trusted_schema = OFF');
    return db;
  } catch (error) {
    throw isSqlite(error) ? unreadable(path, error) : error;
  }
}

function memoryOf(db: Database): ClaudeMem {
  const tables = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all();
  // Views and virtual tables could make a query endless; full text tables only repeat the others.
  const names = (tables as { name: string; sql: string | null }[])
    .filter(({ name, sql }) => !/^\s*CREATE\s+VIRTUAL/i.test(sql ?? '') && !/^sqlite_|_fts(?:_|$)/.test(name))
    .map(({ name }) => name);
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck();
  const columnsOf = (table: string) => (names.includes(table) ? (columns.all(table) as string[]) : []);
  return {
    columns: columnsOf,
    others: names.filter((name) => !TABLES.some((table) => table === name)),
    *rows(table: Table) {
      if (!names.includes(table)) return;
      yield* db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).iterate() as Iterable<Row>;
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
  return errorCode(error).startsWith('SQLITE_');
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}

/** Largest export that is read, in bytes; it is loaded into memory whole. */
const MAX_BYTES = 256_000_000;

const rows = z._default(z.array(z.record(z.string(), z.unknown())), []);
const shape = z.object({ sessions: rows, observations: rows, summaries: rows, prompts: rows });

/** The lists of the export, by the tables that their rows are from. */
const LISTS: Record<Table, keyof z.infer<typeof shape>> = {
  sdk_sessions: 'sessions',
  observations: 'observations',
  session_summaries: 'summaries',
  user_prompts: 'prompts',
};

/**
 * The output of claude-mem's own `export-memories`: the rows of its tables. The same row gives the same record, whether
 * it comes from here or from the database.
 */
export const claudeMemJson: Importer = {
  name: 'claude-mem-json',
  describe: 'a JSON export of claude-mem: a file',
  *read(source) {
    const hint = 'Name the file: `git mem import claude-mem-json memories.json`.';
    const path = namedPlace(source.path, 'An export has no usual place.', hint);
    yield* projectArrivals(exportedMemory(readExport(realPlace(path, source.workspace))), source);
  },
};

function readExport(path: string): z.infer<typeof shape> {
  const read = readText(path, MAX_BYTES);
  if (typeof read === 'string') throw new GitMemError('bad-input', `${path} cannot be read: ${read}`);
  const given = jsonIn(read.text);
  // The parser's own message would quote the file, which is not redacted.
  if (given === undefined) throw new GitMemError('bad-input', `${path} cannot be read: it is not JSON.`);
  const result = shape.safeParse(given);
  if (result.success) return result.data;
  const key = result.error.issues[0]?.path.join('.') ?? '';
  const message = `${path} is not an export of claude-mem: ${key ? `"${key}"` : 'it'} is not as expected.`;
  throw new GitMemError('bad-input', message);
}

function exportedMemory(data: z.infer<typeof shape>): ClaudeMem {
  const rowsOf = (table: Table): Row[] => data[LISTS[table]];
  const columnsOf = (table: Table) => [...new Set(rowsOf(table).flatMap((row) => Object.keys(row)))];
  return { columns: columnsOf, rows: rowsOf, others: [] };
}
