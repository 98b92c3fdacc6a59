import { FOLDERS } from '../../../memory/file-name.ts';
import type { StoreName } from '../../../memory/record.ts';
import type { MemoryIndex } from '../memory-index.ts';
import { connected } from '../mentions.ts';
import { applier } from './apply.ts';
import type { Database } from './database.ts';
import { documentTable } from './documents.ts';
import { fileTable } from './files.ts';
import { prepareTables, scopeId } from './schema.ts';
import { breakSeal, seal } from './seal.ts';
import { prepareStatements } from './statements.ts';
import { pathKey } from './tables.ts';
import { vectorTables } from './vectors.ts';
import { keepKnown, keepView, openMoments, type Part, writesOf } from './view.ts';
import { wordTable } from './words.ts';

/** Documents and cited paths that a process remembers by default: some 15 MB of documents. */
const REMEMBERED = 5000;

/** Which of a checkout's records an index covers, and how many of them a process keeps in memory. */
interface SqliteOptions {
  remember?: number | undefined;
  mostRows?: number | undefined;
  part?: Part;
}

/**
 * Opens the index in an open database that is empty or ours; throws DamagedCache otherwise. `scopes` names this
 * checkout's two stores. Long because the port is: each member is a line or two.
 */
export function sqliteIndex(
  db: Database,
  scopes: Record<StoreName, string>,
  { remember = REMEMBERED, mostRows, part = 'all' }: SqliteOptions = {},
): MemoryIndex {
  prepareTables(db);
  const scopeOf = { team: scopeId(db, scopes.team), private: scopeId(db, scopes.private) };
  const ours = [scopeOf.team, scopeOf.private] as const;
  const sql = prepareStatements(db);
  const { view, version, noteWrite, snapshot } = openMoments(db, sql, { scopeOf, part });
  const isActive = (row: number) => (view().stores[row] ?? 0) > 0;

  /** Wraps writing work in a transaction: all or nothing. */
  const writing = <A extends unknown[]>(work: (...parts: A) => void) =>
    db.transaction((...parts: A) => {
      breakSeal(db);
      work(...parts);
    }).immediate;

  const apply = writing(applier(sql, scopeOf));
  const keep = writing(() => {
    keepView(sql, scopeOf, 'all', view());
    view().isKept = true;
  });
  const documents = documentTable(sql, { view, remember });
  const { cards } = documents;
  const vectors = vectorTables(sql, ours, writing, () => view().stores);
  const noteKnown = writing((rows: readonly number[]) => keepKnown(sql, scopeOf, rows));
  /** Opened again after a write, which it would not notice on the same connection. */
  let knownPart: MemoryIndex | undefined;

  function pathOf(row: number): string | undefined {
    const [document] = documents.isRemembered(row) ? documentsOf([row]) : cards([row]);
    if (document === undefined) return undefined;
    const { store, card } = document;
    // Names begin with the record's time, so no index over rows is needed; a file renamed by hand is searched for.
    const folder = `${FOLDERS[card.kind]}/${card.created.slice(0, 7)}/${card.created.replace(/[-:]/g, '').slice(0, 15)}`;
    const near = sql.pathBetween.get(scopeOf[store], folder, `${folder}~`, row) as string | undefined;
    return near ?? (sql.pathOf.get(scopeOf[store], row) as string | undefined);
  }

  const documentsOf = (rows: Iterable<number>) => [...rows].flatMap((row) => documents.at(row) ?? []);

  function citing(path: string): number[] {
    const { citing: kept } = view();
    const known = kept.get(path);
    if (known !== undefined) return known;
    const rows = (sql.citing.all(pathKey(path)) as number[]).filter(isActive);
    if (kept.size >= REMEMBERED) kept.clear();
    kept.set(path, rows);
    return rows;
  }

  return {
    kind: 'sqlite',
    ...fileTable(sql, scopeOf),
    ...wordTable(sql, { view, documentOf: documents.at, mostRows }),
    ...vectors.port,
    knows: (blob) => sql.rowOf.get(Buffer.from(blob, 'hex')) !== undefined,
    apply(changes) {
      apply(changes);
      noteWrite();
      knownPart = undefined;
    },
    snapshot,
    documents: documentsOf,
    pathOf,
    newest: () => cards(sql.newest.all() as number[]),
    around: (side, { created, id }) => cards(sql[side].all(created, id) as number[]),
    named: (prefix) => [...cards(sql.named.all(prefix, `${prefix}~`) as number[])],
    ids: (prefix) =>
      (sql.ids.all(prefix, `${prefix}~`) as [number, string][]).flatMap(([row, id]) => (isActive(row) ? [id] : [])),
    citing,
    session: (session) => (sql.session.all(session) as number[]).filter(isActive),
    statements(about) {
      const current = view();
      if (about !== undefined) return connected(about, (id) => cards(sql.mentioning.all(id) as number[]));
      current.statements ??= [...cards(sql.stating.all() as number[])];
      return current.statements;
    },
    termsOf: documents.termsOf,
    meta: (key) => sql.meta.get(key) as string | undefined,
    setMeta: writing((key: string, value: string) => void sql.setMeta.run(key, value)),
    writes: () => (part === 'all' ? writesOf(sql, scopeOf) : `${writesOf(sql, scopeOf)} known ${view().documents}`),
    known() {
      knownPart ??= sqliteIndex(db, scopes, { remember, part: 'known', mostRows });
      return knownPart;
    },
    noteKnown(rows) {
      noteKnown(rows);
      knownPart = undefined;
    },
    version: () => `${version()}.${vectors.version()}`,
    settle() {
      // Checked again inside the lock, where nobody else writes.
      if (!view().isKept) keep();
    },
    seal: () => seal(db),
    close: () => void db.close(),
  };
}
