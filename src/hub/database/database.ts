import { GitMemError, messageOf } from '../../errors.ts';
import type { Viewer } from '../port.ts';
import { READ_NAME, type ReadQuestion } from './read.ts';

export type HubEngine = 'postgres' | 'pglite';

/** Runs SQL and gives its rows; without values several statements may follow each other. */
export type Query = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** The database behind the hub. Everything in it is derived from git, except principals, tokens and the audit log. */
export interface Database {
  readonly kind: HubEngine;
  /** As the owner of the tables: for syncing and administration, never for an answer to a reader. */
  query: Query;
  /** As the role that may call the reading function and nothing else. */
  ask: Query;
  /** Runs all or nothing, as the owner. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Claims a number for this process; undefined if any process holds it. A killed process holds nothing: its connection
   * was the claim.
   */
  claim(number: number): Promise<(() => Promise<void>) | undefined>;
  /** Milliseconds that answers of the database took, added up since it was opened. */
  spentMs(): number;
  close(): Promise<void>;
}

export const SCHEMA = 'git_mem_hub';

/** First half of the keys of our advisory locks, "gm"; the second is the number of a repository, or two letters. */
export const LOCKS = 0x676d;

/** The role of readers. Roles belong to the whole server: several hubs in one server share them. */
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
 * A value as JSON that the database takes: its text holds neither NUL nor half of a surrogate pair, which YAML can
 * write in a record and JSON in a question. `JSON.stringify` writes both as escapes, and an escaped backslash before one
 * makes it plain text.
 */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replace(/\\\\|\\u0000|\\ud[89a-f][\da-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );
}

/** What a question is about: the columns of what it looks up, and its other parts. */
interface Argument {
  keys?: readonly string[];
  places?: readonly number[];
  rows?: readonly number[];
  [part: string]: unknown;
}

/** Asks the one function that selects, for one viewer and some of the repositories that the viewer may read. */
export type Reader = <Answer>(question: ReadQuestion, argument?: Argument) => Promise<Answer[]>;

export function readerFor(database: Database, viewer: Viewer, repositories: readonly number[]): Reader {
  // One row: each costs the driver as much as its text does.
  const sql = `SELECT coalesce(json_agg(answer), '[]') AS answers FROM ${SCHEMA}.${READ_NAME}($1, $2, $3, $4::text::jsonb, $5, $6, $7) answer`;
  return async <Answer>(question: ReadQuestion, { keys = [], places = [], rows = [], ...argument }: Argument = {}) => {
    if (repositories.length === 0) return [];
    const names = keys.map((key) => key.replaceAll('\0', '\ufffd'));
    const values = [viewer.principal, repositories, question, jsonFor(argument), names, places, rows];
    return (await database.ask<{ answers: Answer[] }>(sql, values))[0]?.answers ?? [];
  };
}

/** A row whose optional fields may be NULL, without those that are. */
export function present<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
}
