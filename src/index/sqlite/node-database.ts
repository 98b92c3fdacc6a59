import type { Database, Driver, OpenDatabaseOptions, Statement, Transaction } from './database.ts';

type Value = null | number | bigint | string | Uint8Array;

/** The parts of `node:sqlite` used here; which of them exist depends on Node's version. */
interface NodeSqlite {
  DatabaseSync: new (path: string, options?: { readOnly?: boolean; timeout?: number }) => NodeDatabase;
}

interface NodeDatabase {
  prepare(source: string): NodeStatement;
  exec(source: string): void;
  close(): void;
  /** Since Node 22.16. */
  readonly isTransaction: boolean;
  serialize?(): Uint8Array;
  deserialize?(bytes: Uint8Array): void;
}

interface NodeStatement extends Omit<Statement, 'raw' | 'pluck'> {
  /** Since Node 22.16. */
  setReturnArrays?(isOn: boolean): void;
}

/**
 * Node's own SQLite as a driver; throws if this Node has none, or one without full-text search (22.13 has the module,
 * 22.16 what the index needs of it).
 */
export function nodeDriver(): Driver {
  const sqlite = quietly(() => process.getBuiltinModule('node:sqlite')) as NodeSqlite | undefined;
  if (sqlite === undefined) throw new Error(`Node ${process.versions.node} has no SQLite`);
  requireFullText(sqlite);
  return {
    name: 'node:sqlite',
    open(path, { readonly = false, fileMustExist = false, timeout = 0 }: OpenDatabaseOptions = {}) {
      // It can refuse to create a missing file only by opening it read-only.
      const db = new sqlite.DatabaseSync(path, { readOnly: readonly || fileMustExist });
      db.exec(`PRAGMA busy_timeout = ${Math.round(timeout)}`);
      return wrap(db, path === ':memory:');
    },
    openBytes(bytes) {
      const db = new sqlite.DatabaseSync(':memory:');
      if (db.deserialize === undefined) throw new Error('This Node cannot open a copy in memory');
      db.deserialize(bytes);
      return wrap(db, true);
    },
  };
}

function requireFullText(sqlite: NodeSqlite): void {
  const db = new sqlite.DatabaseSync(':memory:');
  try {
    db.exec("CREATE VIRTUAL TABLE probe USING fts5 (text, content = '', contentless_delete = 1)");
    if (db.prepare('SELECT 1').setReturnArrays === undefined) throw new Error('its results cannot be lists');
  } catch (error) {
    throw new Error(`the SQLite of Node ${process.versions.node} is too old`, { cause: error });
  } finally {
    db.close();
  }
}

/** Runs work without Node's warning that the module is experimental, which every command would print. */
function quietly<R>(work: () => R): R {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function wrap(db: NodeDatabase, memory: boolean): Database {
  const serialize = db.serialize?.bind(db);
  return {
    memory,
    prepare: (source) => statement(db.prepare(source)),
    exec: (source) => db.exec(source),
    pragma(source, { simple = false } = {}) {
      const asked = db.prepare(`PRAGMA ${source}`);
      if (!simple) return asked.all();
      asked.setReturnArrays?.(true);
      return (asked.get() as Value[] | undefined)?.[0];
    },
    transaction: (work) => transaction(db, work),
    ...(serialize && { serialize: () => buffer(serialize()) }),
    close: () => db.close(),
  };
}

/** Within a transaction it is a savepoint, as with better-sqlite3. */
function transaction<A extends unknown[], R>(db: NodeDatabase, work: (...parts: A) => R): Transaction<A, R> {
  const inside = (begin: string, parts: A): R => {
    const isNested = db.isTransaction;
    db.exec(isNested ? 'SAVEPOINT nested' : begin);
    try {
      const result = work(...parts);
      db.exec(isNested ? 'RELEASE nested' : 'COMMIT');
      return result;
    } catch (error) {
      // A full disk and the like end the whole transaction by themselves.
      if (db.isTransaction) db.exec(isNested ? 'ROLLBACK TO nested; RELEASE nested' : 'ROLLBACK');
      throw error;
    }
  };
  return Object.assign((...parts: A) => inside('BEGIN', parts), {
    immediate: (...parts: A) => inside('BEGIN IMMEDIATE', parts),
  });
}

/** Returns blobs as Buffers, as better-sqlite3 does. */
function statement(prepared: NodeStatement, shape: (row: unknown) => unknown = withBuffers): Statement {
  const { setReturnArrays } = prepared;
  const asLists = (as: (row: unknown) => unknown) => {
    setReturnArrays?.call(prepared, true);
    return statement(prepared, as);
  };
  return {
    get(...values) {
      const row = prepared.get(...values);
      return row === undefined ? undefined : shape(row);
    },
    all: (...values) => prepared.all(...values).map(shape),
    *iterate(...values) {
      for (const row of prepared.iterate(...values)) yield shape(row);
    },
    run: (...values) => prepared.run(...values),
    raw: () => asLists((row) => (row as Value[]).map(value)),
    pluck: () => asLists((row) => value((row as Value[])[0] ?? null)),
  };
}

function withBuffers(row: unknown): unknown {
  return Object.fromEntries(Object.entries(row as Record<string, Value>).map(([key, one]) => [key, value(one)]));
}

function value(one: Value): Value {
  return one instanceof Uint8Array ? buffer(one) : one;
}

function buffer({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(bytes, byteOffset, byteLength);
}
