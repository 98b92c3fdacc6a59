import type { Database, Statement } from 'better-sqlite3';
import { breakSeal } from './database.ts';
import { DamagedCache } from './tables.ts';

/**
 * The cache's tables. There are no migrations: raise VERSION with every change here, in the tokenizer or in the content
 * of cards, and old caches are rebuilt.
 */
const VERSION = 12;

/** "gme" and the version, which tell our file from other databases: the user version belongs to the seal. */
const APPLICATION_ID = 0x676d_6500 + VERSION;

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE documents (
    -- Never reused, so that a row may be remembered.
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    blob BLOB NOT NULL UNIQUE,
    id TEXT NOT NULL,
    created TEXT NOT NULL,
    session TEXT,
    prompt INTEGER,
    -- The rest of a card, as a JSON list.
    card TEXT NOT NULL,
    terms TEXT NOT NULL,
    crc INTEGER NOT NULL
  );
  CREATE INDEX documents_time ON documents (created, id);
  CREATE INDEX documents_id ON documents (id);
  CREATE INDEX documents_session ON documents (session, created, prompt, id) WHERE session IS NOT NULL;

  -- A scope is the private store, or the team store of one worktree. A file that is not a record has no row.
  CREATE TABLE scopes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE active (
    scope INTEGER NOT NULL,
    path TEXT NOT NULL,
    row INTEGER,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    changed REAL NOT NULL,
    -- Tokens in each field; stored here, because counting a checkout must not read its documents.
    l0 INTEGER NOT NULL, l1 INTEGER NOT NULL, l2 INTEGER NOT NULL, l3 INTEGER NOT NULL, l4 INTEGER NOT NULL,
    PRIMARY KEY (scope, path)
  ) WITHOUT ROWID;

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

  -- Records that change the state of others, by each id that they mention, their own included.
  CREATE TABLE mentions (
    id TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (id, row)
  ) WITHOUT ROWID;

  -- The rows and lengths that a checkout had at a count of writes to its scopes: for all records, or only the known ones.
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

  -- Tells which documents hold a term; tokens are ours, in ASCII. Counts and positions are read from the documents.
  CREATE VIRTUAL TABLE search USING fts5 (
    title, text,
    content = '', contentless_delete = 1, detail = column, tokenize = "unicode61 remove_diacritics 0"
  );
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

export type Statements = ReturnType<typeof prepareStatements>;

/** Every statement of the index, each prepared on first use; all values are bound. Long because it is their list. */
export function prepareStatements(db: Database) {
  const rows = (source: string) => prepared(() => db.prepare(source));
  const pluck = (source: string) => prepared(() => db.prepare(source).pluck());
  const raw = (source: string) => prepared(() => db.prepare(source).raw());
  return {
    folders: raw('SELECT folder, digest FROM folders WHERE scope = ?'),
    noteFolder: rows('INSERT OR REPLACE INTO folders (scope, folder, digest) VALUES (?, ?, ?)'),
    forgetFolder: rows('DELETE FROM folders WHERE scope = ? AND folder = ?'),
    unreadable: raw('SELECT scope, path FROM active WHERE scope IN (?, ?) AND row IS NULL'),
    outlines: raw(
      `SELECT row, scope, path, id, lower(hex(blob)) FROM active JOIN documents USING (row) WHERE scope IN (?, ?)
       AND (card LIKE '["observation",%' OR (card LIKE '["summary",%' AND card NOT LIKE '["summary","digest",%'))`,
    ),
    files: raw('SELECT path, size, modified, changed FROM active WHERE scope = ?'),
    filesIn: raw('SELECT path, size, modified, changed FROM active WHERE scope = ? AND path > ? AND path < ?'),
    blobAt: pluck('SELECT blob FROM active JOIN documents USING (row) WHERE scope = ? AND path = ?'),
    termsOf: raw('SELECT row, terms FROM documents WHERE blob = ?'),
    rowOf: pluck('SELECT row FROM documents WHERE blob = ?'),
    activeRows: raw('SELECT row, scope, l0, l1, l2, l3, l4 FROM active WHERE scope IN (?, ?) AND row IS NOT NULL'),
    judgedRows: raw('SELECT row, scope, path, blob FROM active JOIN documents USING (row) WHERE scope IN (?, ?)'),
    lastRow: pluck('SELECT max(row) FROM documents'),
    countOurs: pluck('SELECT count(DISTINCT row) FROM active WHERE scope IN (?, ?)'),
    countAll: pluck('SELECT count(*) FROM documents'),
    countUsed: pluck('SELECT count(DISTINCT row) FROM active'),
    idleRows: pluck('SELECT row FROM documents WHERE row NOT IN (SELECT row FROM active WHERE row IS NOT NULL)'),
    insertDocument: rows(
      `INSERT OR IGNORE INTO documents (blob, id, created, session, prompt, card, terms, crc)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertSearch: rows('INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)'),
    insertCitation: rows('INSERT OR IGNORE INTO citations (path, row) VALUES (?, ?)'),
    activate: rows(
      `INSERT OR REPLACE INTO active (scope, path, row, size, modified, changed, l0, l1, l2, l3, l4)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    deactivate: rows('DELETE FROM active WHERE scope = ? AND path = ?'),
    deleteSearch: rows('DELETE FROM search WHERE rowid = ?'),
    insertMention: rows('INSERT OR IGNORE INTO mentions (id, row) VALUES (?, ?)'),
    stating: pluck('SELECT DISTINCT row FROM mentions ORDER BY row'),
    mentioning: pluck('SELECT row FROM mentions WHERE id = ?'),
    view: raw('SELECT writes, counts, stores, lengths, crc FROM views WHERE team = ? AND private = ? AND part = ?'),
    keepView: rows(
      `INSERT OR REPLACE INTO views (team, private, part, writes, counts, stores, lengths, crc)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    deleteOrphans: ['vectors', 'citations', 'mentions'].map((table) =>
      rows(`DELETE FROM ${table} WHERE row NOT IN (SELECT row FROM documents)`),
    ),
    deleteDocument: rows('DELETE FROM documents WHERE row = ?'),
    document: rows('SELECT row, blob, id, created, session, prompt, card, terms, crc FROM documents WHERE row = ?'),
    pathBetween: pluck('SELECT path FROM active WHERE scope = ? AND path BETWEEN ? AND ? AND row = ?'),
    pathOf: pluck('SELECT path FROM active WHERE scope = ? AND row = ? ORDER BY path LIMIT 1'),
    match: pluck('SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?'),
    countMatches: pluck('SELECT count(*) FROM search WHERE search MATCH ?'),
    citing: pluck('SELECT row FROM citations WHERE path = ?'),
    cited: raw("SELECT row, json_extract(card, '$[5]') FROM documents WHERE card LIKE ?"),
    newest: pluck('SELECT row FROM documents ORDER BY created DESC, id DESC'),
    before: pluck('SELECT row FROM documents WHERE (created, id) < (?, ?) ORDER BY created DESC, id DESC'),
    after: pluck('SELECT row FROM documents WHERE (created, id) >= (?, ?) ORDER BY created, id'),
    named: pluck('SELECT row FROM documents WHERE id >= ? AND id < ?'),
    ids: raw('SELECT row, id FROM documents WHERE id >= ? AND id < ?'),
    session: pluck('SELECT row FROM documents WHERE session = ? ORDER BY created, prompt, id'),
    model: pluck('SELECT id FROM models WHERE name = ?'),
    addModel: rows('INSERT OR IGNORE INTO models (name) VALUES (?)'),
    vectors: raw('SELECT row, vector FROM vectors WHERE model = ?'),
    vector: pluck('SELECT vector FROM vectors WHERE model = ? AND row = ?'),
    rowsWithout: pluck(
      `SELECT DISTINCT row FROM active WHERE scope IN (?, ?) AND row IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM vectors WHERE model = ? AND vectors.row = active.row)`,
    ),
    putVector: rows('INSERT OR REPLACE INTO vectors (model, row, vector) VALUES (?, ?, ?)'),
    forgetVectors: rows('DELETE FROM vectors WHERE model = ?'),
    forgetTerms: rows('DELETE FROM term_vectors WHERE model = ?'),
    putTerm: rows('INSERT OR REPLACE INTO term_vectors (model, term, vector) VALUES (?, ?, ?)'),
    termVector: pluck('SELECT vector FROM term_vectors WHERE model = ? AND term = ?'),
    meta: pluck('SELECT value FROM meta WHERE key = ?'),
    setMeta: rows('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)'),
  };
}

/** Lazy, because preparing all statements takes a short process as long as running the few that it needs. */
function prepared(prepare: () => Statement): Pick<Statement, 'get' | 'all' | 'iterate' | 'run'> {
  let statement: Statement | undefined;
  const ready = () => {
    statement ??= prepare();
    return statement;
  };
  return {
    get: (...values) => ready().get(...values),
    all: (...values) => ready().all(...values),
    iterate: (...values) => ready().iterate(...values),
    run: (...values) => ready().run(...values),
  };
}
