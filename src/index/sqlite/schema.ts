import { breakSeal, type Database } from './database.ts';
import { DamagedCache } from './tables.ts';

/**
 * The cache's tables. There are no migrations: raise VERSION with every change here, in the tokenizer or in the content
 * of cards, and old caches are rebuilt.
 */
const VERSION = 10;

/**
 * "gme" and the version: distinguishes our file from any other SQLite database. The user version belongs to the seal
 * (`database.ts`).
 */
const APPLICATION_ID = 0x676d_6500 + VERSION;

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE documents (
    -- Never given twice, so that a row may be remembered.
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    blob BLOB NOT NULL UNIQUE,
    id TEXT NOT NULL,
    created TEXT NOT NULL,
    session TEXT,
    prompt INTEGER,
    -- What else a card holds, as a JSON list.
    card TEXT NOT NULL,
    terms TEXT NOT NULL,
    crc INTEGER NOT NULL
  );
  CREATE INDEX documents_time ON documents (created, id);
  CREATE INDEX documents_id ON documents (id);
  CREATE INDEX documents_session ON documents (session, created, prompt, id) WHERE session IS NOT NULL;

  -- A scope is the private store, or the team store of one worktree. A file that is no record has no row.
  CREATE TABLE scopes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE active (
    scope INTEGER NOT NULL,
    path TEXT NOT NULL,
    row INTEGER,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    changed REAL NOT NULL,
    -- Tokens in each field; here, because counting a checkout must not read its documents.
    l0 INTEGER NOT NULL, l1 INTEGER NOT NULL, l2 INTEGER NOT NULL, l3 INTEGER NOT NULL, l4 INTEGER NOT NULL,
    PRIMARY KEY (scope, path)
  ) WITHOUT ROWID;

  -- Documents whose local vectors have to be made yet.
  CREATE TABLE unlearned (row INTEGER PRIMARY KEY);

  CREATE TABLE folders (
    scope INTEGER NOT NULL,
    folder TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (scope, folder)
  ) WITHOUT ROWID;

  CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE vectors (
    model INTEGER NOT NULL,
    row INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, row)
  ) WITHOUT ROWID;
  CREATE TABLE term_vectors (
    model INTEGER NOT NULL,
    term TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, term)
  ) WITHOUT ROWID;

  CREATE TABLE citations (
    path INTEGER NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (path, row)
  ) WITHOUT ROWID;

  -- Which records with a say about others mention an id, their own among them.
  CREATE TABLE mentions (
    id TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (id, row)
  ) WITHOUT ROWID;

  -- Which rows a checkout had when its scopes had been written so often, and the rows' lengths: of all records, or only of
  -- those that are known.
  CREATE TABLE views (
    team INTEGER NOT NULL,
    private INTEGER NOT NULL,
    part TEXT NOT NULL,
    writes TEXT NOT NULL,
    counts TEXT NOT NULL,
    stores BLOB NOT NULL,
    lengths BLOB NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (team, private, part)
  ) WITHOUT ROWID;

  -- It tells which documents hold a term; tokens are ours, in ASCII. Counts and positions are read off the documents.
  CREATE VIRTUAL TABLE search USING fts5 (
    title, text,
    content = '', contentless_delete = 1, detail = column, tokenize = "unicode61 remove_diacritics 0"
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (search, row);
`;

/** Creates the tables in an empty database; throws DamagedCache for one that is neither empty nor ours. */
export function prepareTables(db: Database): void {
  const idIn = () => db.pragma('application_id', { simple: true });
  if (idIn() === APPLICATION_ID) return;
  db.transaction(() => {
    // Checked again inside the lock: another process may have created the tables in between.
    if (idIn() === APPLICATION_ID) return;
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    if (tables !== 0) throw new DamagedCache(`it is not a cache of version ${VERSION}`);
    db.exec(SCHEMA);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  }).immediate();
}

/** The numeric id of a scope. */
export function scopeId(db: Database, name: string): number {
  const find = db.prepare('SELECT id FROM scopes WHERE name = ?').pluck();
  const id = find.get(name);
  if (id !== undefined) return Number(id);
  db.transaction(() => {
    breakSeal(db);
    db.prepare('INSERT OR IGNORE INTO scopes (name) VALUES (?)').run(name);
  }).immediate();
  return Number(find.get(name) ?? 0);
}
