import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openDatabase } from '../sqlite.ts';

/** Columns that say when and where files were seen, with a function that keeps only their stable part. */
const SEEN: Record<string, (value: unknown) => unknown> = {
  modified: (ms) => (Number(ms) < 0 ? 'not sure' : 'sure'),
  changed: (ms) => (Number(ms) < 0 ? 'not sure' : 'sure'),
  digest: () => 'digest',
};

/**
 * What a database holds, however its pages lie, without the times and numbers of files; undefined where it is damaged.
 * A copy is read, because SQLite mends what a killed process left.
 */
export function databaseText(file: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-database-'));
  try {
    const copy = join(folder, 'copy');
    for (const suffix of ['', '-wal']) {
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    }
    const database = openDatabase(copy);
    try {
      return textOf(database);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(database: Database.Database): string | undefined {
  if (database.pragma('integrity_check', { simple: true }) !== 'ok') return undefined;
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY name",
    )
    .pluck();
  return tables
    .all()
    .map((table) => `${table} ${JSON.stringify(database.prepare(`SELECT * FROM "${table}"`).all(), shownOf)}`)
    .join('\n');
}

function shownOf(key: string, value: unknown): unknown {
  return SEEN[key]?.(value) ?? value;
}
