import { FOLDERS } from '../../../memory/file-name.ts';
import type { StoreName } from '../../../memory/record.ts';
import type { IndexedDocument, KnownFile, MemoryIndex, Outline, Statistics, Unknown } from '../memory-index.ts';
import { connected } from '../mentions.ts';
import { applier } from './apply.ts';
import type { Database } from './database.ts';
import { holdingAll, MOST_ROWS, ordered, type Postings, readPostings } from './postings.ts';
import { prepareTables, scopeId } from './schema.ts';
import { breakSeal, seal } from './seal.ts';
import { prepareStatements } from './statements.ts';
import { DamagedCache, type DocumentRow, fromRow, fromToken, pathKey } from './tables.ts';
import { vectorTables } from './vectors.ts';
import { keepKnown, keepView, knownRows, type Part, readKnownView, readView, type View, writesOf } from './view.ts';

/** Documents that a process remembers where it says nothing else, and cited paths. */
const REMEMBERED = 5000;

/** Rows of terms that it remembers; they take four bytes each. */
const REMEMBERED_POSTINGS = 200_000;

/**
 * Opens the index in an open database, which is empty or ours; throws DamagedCache otherwise. `scopes` names this
 * checkout's two stores; `part` says which of their records it has.
 */
export function sqliteIndex(
  db: Database,
  scopes: Record<StoreName, string>,
  {
    remember = REMEMBERED,
    mostRows = MOST_ROWS,
    part = 'all',
  }: { remember?: number | undefined; mostRows?: number; part?: Part } = {},
): MemoryIndex {
  prepareTables(db);
  const scopeOf = { team: scopeId(db, scopes.team), private: scopeId(db, scopes.private) };
  const ours = [scopeOf.team, scopeOf.private] as const;
  const sql = prepareStatements(db);
  let loaded: View | undefined;
  let writes = 0;
  /** Inside a snapshot nothing moves, and the version need not be asked for. */
  let isStill = false;
  let isPinned = false;
  const remembered = new Map<number, IndexedDocument>();
  let rememberedPostings = 0;

  // Other processes' writes, then our own.
  const activeVersion = () => `${db.pragma('data_version', { simple: true })}.${writes}`;
  const isActive = (row: number) => (view().stores[row] ?? 0) > 0;

  /** Which rows this checkout has, kept while nobody writes. */
  function view(): View {
    if (loaded !== undefined && isPinned) return loaded;
    const now = activeVersion();
    if (loaded?.version !== now) {
      loaded = (part === 'known' ? readKnownView(sql, scopeOf, now) : undefined) ?? readView(sql, scopeOf, now);
      rememberedPostings = 0;
    }
    isPinned = isStill;
    return loaded;
  }

  function postings(term: string): Postings {
    const current = view();
    const known = current.postings.get(term);
    if (known !== undefined) return known;
    const found = readPostings(sql, term, { isActive, share, most: mostRows });
    const { all, title } = found;
    rememberedPostings += all.length + title.length + 1;
    if (rememberedPostings > REMEMBERED_POSTINGS) {
      current.postings.clear();
      rememberedPostings = all.length + title.length + 1;
    }
    current.postings.set(term, found);
    return found;
  }

  function files(store: StoreName, folder?: string): Map<string, KnownFile> {
    const scope = scopeOf[store];
    // The sign after the slash ends what begins with the folder's name.
    const found = folder === undefined ? sql.files.all(scope) : sql.filesIn.all(scope, `${folder}/`, `${folder}0`);
    const rows = found as [string, number, number, number][];
    return new Map(rows.map(([path, size, modifiedMs, changedMs]) => [path, { size, modifiedMs, changedMs }]));
  }

  /** Makes a transaction of work that writes: all or none. */
  const writing = <A extends unknown[]>(work: (...parts: A) => void) =>
    db.transaction((...parts: A) => {
      breakSeal(db);
      work(...parts);
    }).immediate;

  const apply = writing(applier(sql, scopeOf));

  function documentOf(row: number): IndexedDocument | undefined {
    const store = view().stores[row];
    if (!store) return undefined;
    const name = store === 1 ? 'team' : 'private';
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

  /** Documents for the sake of their cards: read as they are needed, not remembered, their terms only when asked for. */
  function* cards(rows: Iterable<number>): Generator<IndexedDocument> {
    const { stores } = view();
    for (const row of rows) {
      if (!stores[row]) continue;
      const { terms: _, ...rest } = read(row, stores[row] === 1 ? 'team' : 'private');
      yield {
        ...rest,
        get terms() {
          return documentOf(row)?.terms ?? [];
        },
      };
    }
  }

  function pathOf(row: number): string | undefined {
    const [document] = remembered.has(row) ? documentsOf([row]) : cards([row]);
    if (document === undefined) return undefined;
    const { store, card } = document;
    // Names begin with the record's time, which spares an index over rows; a file renamed by hand is looked for.
    const folder = `${FOLDERS[card.kind]}/${card.created.slice(0, 7)}/${card.created.replace(/[-:]/g, '').slice(0, 15)}`;
    const near = sql.pathBetween.get(scopeOf[store], folder, `${folder}~`, row) as string | undefined;
    return near ?? (sql.pathOf.get(scopeOf[store], row) as string | undefined);
  }

  const storeOf = (scope: number): StoreName => (scope === scopeOf.team ? 'team' : 'private');

  function outlines(): Outline[] {
    type Row = [row: number, scope: number, path: string, id: string, blob: string];
    const byRow = new Map<number, Outline>();
    for (const [row, scope, path, id, blob] of sql.outlines.iterate(...ours) as Iterable<Row>) {
      const store = storeOf(scope);
      const known = byRow.get(row);
      if (known === undefined || (known.store === 'private' && store === 'team'))
        byRow.set(row, { id, blob, store, path });
    }
    return [...byRow.values()];
  }

  function documentsOf(rows: Iterable<number>): IndexedDocument[] {
    const found: IndexedDocument[] = [];
    for (const row of rows) {
      const document = documentOf(row);
      if (document !== undefined) found.push(document);
    }
    return found;
  }

  const keep = writing(() => {
    keepView(sql, scopeOf, 'all', view());
    view().isKept = true;
  });

  const noteKnown = writing((rows: readonly number[]) => keepKnown(sql, scopeOf, rows));

  let knownPart: MemoryIndex | undefined;
  function known(): MemoryIndex {
    knownPart ??= sqliteIndex(db, scopes, { remember, mostRows, part: 'known' });
    return knownPart;
  }

  function unknown(): Unknown[] {
    type Row = [row: number, scope: number, path: string, blob: Buffer];
    const known = knownRows(sql, scopeOf);
    const found: Unknown[] = [];
    for (const [row, scope, path, blob] of sql.judgedRows.iterate(...ours) as Iterable<Row>) {
      if (!known[row]) found.push({ row, store: storeOf(scope), path, blob: blob.toString('hex') });
    }
    return found;
  }
  const vectors = vectorTables(sql, { ours, writing, stores: () => view().stores });

  /** The part of all documents that this checkout has. */
  function share(): number {
    return view().documents / Math.max(1, sql.countAll.get() as number);
  }

  function candidates(
    weights: ReadonlyMap<string, number>,
    limit: number,
    accepts: (document: IndexedDocument) => boolean,
    required: readonly (readonly string[])[] = [],
  ): IndexedDocument[] {
    const isHolding = holdingAll(required.map((terms) => terms.map(postings)));
    const chosen = (terms: [Postings, number][]) => {
      const found: IndexedDocument[] = [];
      for (const row of ordered(terms, view())) {
        if (!isHolding(row)) continue;
        const document = documentOf(row);
        if (document !== undefined && accepts(document)) found.push(document);
        if (found.length === limit) break;
      }
      return found;
    };
    const terms = [...weights].map(([term, weight]): [Postings, number] => [postings(term), weight]);
    const telling = terms.filter(([term]) => !term.isCut);
    const found = telling.length === 0 ? [] : chosen(telling);
    if (found.length > 0 || telling.length === terms.length) return found;
    // Nothing but words that are nearly everywhere: the last records that hold them, and all where a filter wants others.
    const last = chosen(terms);
    if (last.length === limit) return last;
    const whole = { isActive, share, most: -1 };
    return chosen([...weights].map(([term, weight]) => [readPostings(sql, term, whole), weight]));
  }

  function vocabulary(): readonly string[] {
    const current = view();
    current.vocabulary ??= (sql.vocabulary.all() as string[]).map(fromToken);
    return current.vocabulary;
  }

  function statistics(terms: readonly string[]): Statistics {
    const { documents, meanLengths } = view();
    return { documents, meanLengths, frequencies: new Map(terms.map((term) => [term, postings(term).count])) };
  }

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
    folders: (store) => new Map(sql.folders.all(scopeOf[store]) as [string, string][]),
    files,
    blobAt: (store, path) => (sql.blobAt.get(scopeOf[store], path) as Buffer | undefined)?.toString('hex'),
    knows: (blob) => sql.rowOf.get(Buffer.from(blob, 'hex')) !== undefined,
    apply(changes) {
      apply(changes);
      writes++;
    },
    snapshot: (use) =>
      db.transaction(() => {
        // The first read is what a transaction's state begins with; the view is read when somebody asks.
        sql.meta.get('');
        isStill = true;
        try {
          return use();
        } finally {
          isStill = false;
          isPinned = false;
        }
      })(),
    statistics,
    candidates,
    vocabulary,
    documents: documentsOf,
    pathOf,
    newest: () => cards(sql.newest.all() as number[]),
    around: (side, { created, id }) => cards(sql[side].all(created, id) as number[]),
    named: (prefix) => [...cards(sql.named.all(prefix, `${prefix}~`) as number[])],
    ids: (prefix) =>
      (sql.ids.all(prefix, `${prefix}~`) as [number, string][]).flatMap(([row, id]) => (isActive(row) ? [id] : [])),
    outlines,
    unreadable: () =>
      (sql.unreadable.all(...ours) as [number, string][]).map(([scope, path]) => ({ store: storeOf(scope), path })),
    citing,
    session: (session) => (sql.session.all(session) as number[]).filter(isActive),
    statements(about) {
      const current = view();
      if (about !== undefined) return connected(about, (id) => cards(sql.mentioning.all(id) as number[]));
      current.statements ??= [...cards(sql.stating.all() as number[])];
      return current.statements;
    },
    size: () => sql.countOurs.get(...ours) as number,
    termsOf: (row) => read(row, 'team').terms,
    ...vectors.port,
    meta: (key) => sql.meta.get(key) as string | undefined,
    setMeta: writing((key: string, value: string) => void sql.setMeta.run(key, value)),
    writes: () => (part === 'all' ? writesOf(sql, scopeOf) : `${writesOf(sql, scopeOf)} known ${view().documents}`),
    known,
    unknown,
    noteKnown,
    version: () => `${activeVersion()}.${vectors.version()}`,
    settle() {
      // Seen again inside the lock, where nobody writes in between.
      if (!view().isKept) keep();
    },
    seal: () => seal(db),
    close: () => void db.close(),
  };
}
