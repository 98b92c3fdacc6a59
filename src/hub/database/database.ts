import { GitMemError, messageOf } from '../../errors.ts';
import type { Viewer } from '../port.ts';
import { READ_NAME, type ReadQuestion } from './read.ts';

export type HubEngine = 'postgres' | 'pglite';

/** Runs SQL and returns its rows; without values it may be several statements. */
export type Query = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** The database behind the hub. Everything in it is derived from git, except principals, tokens and the audit log. */
export interface Database {
  readonly kind: HubEngine;
  /** Asks as the owner of the tables: for syncing and administration, never for an answer to a reader. */
  query: Query;
  /** Asks as the role that may call the reading function and nothing else. */
  ask: Query;
  /** Runs `work` as the owner, all or nothing. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Claims a number for this process and returns its release; undefined if any process holds it. A killed process loses its
   * claims with its connection.
   */
  claim(number: number): Promise<(() => Promise<void>) | undefined>;
  /** Total milliseconds spent waiting for the database since it was opened. */
  spentMs(): number;
  close(): Promise<void>;
}

export const SCHEMA = 'git_mem_hub';

/** First half of our advisory lock keys, "gm"; the second half is a repository's number, or two letters. */
export const LOCKS = 0x676d;

/** The readers' role. Roles belong to the whole server: its hubs share them. */
export const READER = 'git_mem_hub_reader';

/** Tells whether an error is PostgreSQL's with this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The packages that each engine needs; an installation without a hub has none of them. */
const PACKAGES: Record<HubEngine, string> = { postgres: 'pg@8 umzug@3', pglite: '@electric-sql/pglite@0.5.14 umzug@3' };

/** Loads an optional package; throws missing-package with the command that installs it. */
export async function optional<T>(engine: HubEngine, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new GitMemError('missing-package', `The hub needs a package: ${messageOf(error).split('\n')[0]}`, {
      hint: `Install what it needs beside git-mem: npm install --global ${PACKAGES[engine]}`,
      cause: error,
    });
  }
}

/**
 * A value as JSON that the database accepts: its text holds neither NUL nor half of a surrogate pair, which YAML can
 * write in a record and JSON in a question. `JSON.stringify` escapes both; after an escaped backslash, what looks like such
 * an escape is plain text.
 */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replace(/\\\\|\\u0000|\\ud[89a-f][\da-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );
}

/** A question's arguments: the columns to look up, and the rest as JSON. */
interface Argument {
  keys?: readonly string[];
  places?: readonly number[];
  rows?: readonly number[];
  [part: string]: unknown;
}

/** Calls the one function that selects, for one viewer and some of the repositories that the viewer may read. */
export type Reader = <Answer>(question: ReadQuestion, argument?: Argument) => Promise<Answer[]>;

export function readerFor(database: Database, viewer: Viewer, repositories: readonly number[]): Reader {
  // Aggregated into one row, since each row costs the driver as much as its text does.
  const sql = `SELECT coalesce(json_agg(answer), '[]') AS answers FROM ${SCHEMA}.${READ_NAME}($1, $2, $3, $4::text::jsonb, $5, $6, $7) answer`;
  return async <Answer>(question: ReadQuestion, { keys = [], places = [], rows = [], ...argument }: Argument = {}) => {
    if (repositories.length === 0) return [];
    const names = keys.map((key) => key.replaceAll('\0', '\ufffd'));
    const values = [viewer.principal, repositories, question, jsonFor(argument), names, places, rows];
    return (await database.ask<{ answers: Answer[] }>(sql, values))[0]?.answers ?? [];
  };
}

/** Removes a row's NULL fields. */
export function present<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
}
