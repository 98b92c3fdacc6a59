import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { GitMemError, messageOf } from '../../errors.ts';
import { errorCode } from '../../index/sqlite/database.ts';
import { type Database, findDriver } from '../../index/sqlite/driver.ts';
import { jsonIn } from '../../json.ts';
import { type ClaudeMem, projectArrivals, type Row, type Table } from './claude-mem-rows.ts';
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
    const found = await findDriver();
    if (found.Driver === undefined) {
      throw new GitMemError('bad-input', `The database needs SQLite: ${found.reason}.`, {
        hint: 'Install git-mem again with install scripts allowed, or let claude-mem write JSON (its scripts/export-memories.ts) for `git mem import claude-mem-json`.',
      });
    }
    let db: Database | undefined;
    try {
      db = new found.Driver(path, { readonly: true, fileMustExist: true });
      // A file from elsewhere may have functions in its schema.
      db.pragma('trusted_schema = OFF');
      yield* projectArrivals(memoryOf(db), source);
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_')) throw error;
      const [line = ''] = messageOf(error).split('\n');
      throw new GitMemError('bad-input', `${path} cannot be read as a database of claude-mem: ${line}.`, {
        hint: 'Name the file, or end claude-mem if it is just writing.',
        cause: error,
      });
    } finally {
      db?.close();
    }
  },
};

function memoryOf(db: Database): ClaudeMem {
  const tables = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all();
  // Views and virtual tables could make a query endless.
  const names = (tables as { name: string; sql: string | null }[])
    .filter(({ sql }) => !/^\s*CREATE\s+VIRTUAL/i.test(sql ?? ''))
    .map(({ name }) => name);
  return {
    *rows(table: Table) {
      if (!names.includes(table)) return;
      yield* db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).iterate() as Iterable<Row>;
    },
  };
}

/** Largest export that is read, in bytes; it is loaded into memory whole. */
const MAX_BYTES = 256_000_000;

const rows = z._default(z.array(z.record(z.string(), z.unknown())), []);
const shape = z.object({ sessions: rows, observations: rows, summaries: rows, prompts: rows });

/** What claude-mem's own `export-memories` writes: a row gives the same record from here and from the database. */
export const claudeMemJson: Importer = {
  name: 'claude-mem-json',
  describe: 'a JSON export of claude-mem: a file',
  *read(source) {
    const hint = 'Name the file: `git mem import claude-mem-json memories.json`.';
    const path = namedPlace(source.path, 'An export has no default location.', hint);
    yield* projectArrivals(exportedMemory(realPlace(path, source.workspace)), source);
  },
};

function exportedMemory(path: string): ClaudeMem {
  const read = readText(path, MAX_BYTES);
  if (typeof read === 'string') throw new GitMemError('bad-input', `${path} cannot be read: ${read}`);
  const given = jsonIn(read.text);
  // The parser's own message would quote the file, which is not redacted.
  if (given === undefined) throw new GitMemError('bad-input', `${path} cannot be read: it is not JSON.`);
  const result = shape.safeParse(given);
  if (!result.success) {
    const key = result.error.issues[0]?.path.join('.') ?? '';
    const message = `${path} is not an export of claude-mem: ${key ? `"${key}"` : 'it'} is not as expected.`;
    throw new GitMemError('bad-input', message);
  }
  const { sessions, observations, summaries, prompts } = result.data;
  const tables = { sdk_sessions: sessions, observations, session_summaries: summaries, user_prompts: prompts };
  return { rows: (table) => tables[table] };
}
