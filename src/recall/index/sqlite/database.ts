/** What the index needs of SQLite, in the terms of better-sqlite3, one of its drivers (`drivers.ts`). */
export interface Database {
  readonly memory: boolean;
  prepare(source: string): Statement;
  exec(source: string): unknown;
  /** With `simple`, returns the first column of the first row. */
  pragma(source: string, options?: { simple?: boolean }): unknown;
  transaction<A extends unknown[], R>(work: (...parts: A) => R): Transaction<A, R>;
  /** The bytes of the whole database; missing if the driver cannot give them. */
  serialize?(): Buffer;
  close(): unknown;
}

/** Results are row objects, or with `raw` arrays, or with `pluck` their first columns. */
export interface Statement {
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  iterate(...values: unknown[]): Iterable<unknown>;
  run(...values: unknown[]): { changes: number; lastInsertRowid: number | bigint };
  raw(): Statement;
  pluck(): Statement;
}

/** Runs work between BEGIN and COMMIT; `immediate` takes the write lock at once. */
export interface Transaction<A extends unknown[], R> {
  (...parts: A): R;
  immediate(...parts: A): R;
}

export interface OpenDatabaseOptions {
  /** Longest wait for a lock, in milliseconds. */
  timeout?: number;
  readonly?: boolean;
  fileMustExist?: boolean;
}

/** One way to open databases. */
export interface Driver {
  name: 'better-sqlite3' | 'node:sqlite';
  open(path: string, options?: OpenDatabaseOptions): Database;
  /** Opens a copy of a file's bytes in memory; throws where the driver cannot. */
  openBytes(bytes: Buffer): Database;
}
