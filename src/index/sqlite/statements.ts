import type { Database, Statement } from './database.ts';

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
    noteUnlearned: rows('INSERT OR IGNORE INTO unlearned (row) VALUES (?)'),
    unlearned: pluck('SELECT row FROM unlearned ORDER BY row'),
    clearUnlearned: rows('DELETE FROM unlearned WHERE row <= ?'),
    deleteOrphans: ['vectors', 'citations', 'mentions', 'unlearned'].map((table) =>
      rows(`DELETE FROM ${table} WHERE row NOT IN (SELECT row FROM documents)`),
    ),
    deleteDocument: rows('DELETE FROM documents WHERE row = ?'),
    document: rows('SELECT row, blob, id, created, session, prompt, card, terms, crc FROM documents WHERE row = ?'),
    pathBetween: pluck('SELECT path FROM active WHERE scope = ? AND path BETWEEN ? AND ? AND row = ?'),
    pathOf: pluck('SELECT path FROM active WHERE scope = ? AND row = ? ORDER BY path LIMIT 1'),
    match: pluck('SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?'),
    vocabulary: pluck('SELECT term FROM vocabulary'),
    countMatches: pluck('SELECT count(*) FROM search WHERE search MATCH ?'),
    citing: pluck('SELECT row FROM citations WHERE path = ?'),
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
function prepared(prepare: () => Statement): Omit<Statement, 'raw' | 'pluck'> {
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
