import type { Database } from 'better-sqlite3';
import { FOLDERS } from '../../memory/file-name.ts';
import type { StoreName } from '../../memory/record.ts';
import {
  connected,
  type IndexedDocument,
  type KnownFile,
  type MemoryIndex,
  type Outline,
  type RecordIndex,
} from '../memory-index.ts';
import { applier, vectorTables, wordTable } from './apply.ts';
import { breakSeal, seal } from './database.ts';
import { prepareStatements, prepareTables, type Statements, scopeId } from './schema.ts';
import { DamagedCache, type DocumentRow, fromRow, pathKey } from './tables.ts';
import { keepKnown, keepView, knownRows, openMoments, type Part, type View, writesOf } from './view.ts';

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
  /** Reopened after a write, which it would not notice on the same connection. */
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
    cited(kind) {
      const { stores } = view();
      const lists = new Set<string>();
      // Records often cite the same files: each list is decoded once.
      for (const [row, files] of sql.cited.iterate(kind ? `["${kind}",%` : '%') as Iterable<[number, string]>)
        if (stores[row]) lists.add(files);
      return new Set([...lists].flatMap((files) => JSON.parse(files) as string[]));
    },
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
      // `keep` takes the view inside the lock, where no other process writes.
      if (!view().isKept) keep();
    },
    seal: () => seal(db),
    close: () => void db.close(),
  };
}

/** Reads the documents of a checkout's rows; `remember` is how many a process keeps. */
function documentTable(sql: Statements, { view, remember }: { view: () => View; remember: number }) {
  const remembered = new Map<number, IndexedDocument>();

  /** Undefined for a row not in this checkout. */
  function at(row: number): IndexedDocument | undefined {
    const name = storeOf(view().stores[row]);
    if (name === undefined) return undefined;
    const known = remembered.get(row);
    if (known !== undefined) return known.store === name ? known : { ...known, store: name };
    const document = read(row, name);
    if (remembered.size >= remember) remembered.delete(remembered.keys().next().value ?? 0);
    remembered.set(row, document);
    return document;
  }

  function read(row: number, store: StoreName): IndexedDocument {
    const found = sql.document.get(row) as DocumentRow | undefined;
    if (found === undefined) throw new DamagedCache(`document ${row} is missing`);
    return fromRow(found, store);
  }

  return {
    at,
    /** For their cards: read on demand and not remembered; terms are read only when asked for. */
    *cards(rows: Iterable<number>): Generator<IndexedDocument> {
      const { stores } = view();
      for (const row of rows) {
        const store = storeOf(stores[row]);
        if (store === undefined) continue;
        const { terms: _, ...rest } = read(row, store);
        yield {
          ...rest,
          get terms() {
            return at(row)?.terms ?? [];
          },
        };
      }
    },
    isRemembered: (row: number) => remembered.has(row),
    /** The token streams of a row of any checkout. */
    termsOf: (row: number) => read(row, 'team').terms,
  };
}

/** The store, from the row's entry in a view. */
function storeOf(store: number | undefined): StoreName | undefined {
  return store ? (store === 1 ? 'team' : 'private') : undefined;
}

/** What is known about a checkout's files, by the scopes of its two stores. */
function fileTable(
  sql: Statements,
  scopeOf: Record<StoreName, number>,
): Pick<RecordIndex, 'folders' | 'files' | 'blobAt' | 'outlines' | 'unreadable' | 'size' | 'unknown'> {
  const ours = [scopeOf.team, scopeOf.private] as const;
  const storeOf = (scope: number): StoreName => (scope === scopeOf.team ? 'team' : 'private');

  return {
    folders: (store) => new Map(sql.folders.all(scopeOf[store]) as [string, string][]),
    files(store, folder) {
      const scope = scopeOf[store];
      // `0` is the character after `/`, so the range covers every path inside the folder.
      const found = folder === undefined ? sql.files.all(scope) : sql.filesIn.all(scope, `${folder}/`, `${folder}0`);
      const rows = found as [path: string, size: number, modifiedMs: number, changedMs: number][];
      return new Map(
        rows.map(([path, size, modifiedMs, changedMs]): [string, KnownFile] => [path, { size, modifiedMs, changedMs }]),
      );
    },
    blobAt: (store, path) => (sql.blobAt.get(scopeOf[store], path) as Buffer | undefined)?.toString('hex'),
    outlines() {
      type Row = [row: number, scope: number, path: string, id: string, blob: string];
      const byRow = new Map<number, Outline>();
      for (const [row, scope, path, id, blob] of sql.outlines.iterate(...ours) as Iterable<Row>) {
        const store = storeOf(scope);
        const known = byRow.get(row);
        if (known === undefined || (known.store === 'private' && store === 'team'))
          byRow.set(row, { row, id, blob, store, path });
      }
      return [...byRow.values()];
    },
    unreadable: () =>
      (sql.unreadable.all(...ours) as [number, string][]).map(([scope, path]) => ({ store: storeOf(scope), path })),
    size: () => sql.countOurs.get(...ours) as number,
    unknown() {
      type Row = [row: number, scope: number, path: string, blob: Buffer];
      const known = knownRows(sql, scopeOf);
      const found: ReturnType<RecordIndex['unknown']> = [];
      for (const [row, scope, path, blob] of sql.judgedRows.iterate(...ours) as Iterable<Row>) {
        if (!known[row]) found.push({ row, store: storeOf(scope), path, blob: blob.toString('hex') });
      }
      return found;
    },
  };
}
