import { dirname } from 'node:path/posix';
import type { StoreName } from '../../memory/record.ts';
import {
  type Changes,
  FIELDS,
  type IndexDocument,
  type IndexedDocument,
  mentionsOf,
  type SeenFile,
  type VectorIndex,
  type WordIndex,
} from '../memory-index.ts';
import { holdingAll, MOST_ROWS, ordered, type Postings, readPostings } from './postings.ts';
import type { Statements } from './schema.ts';
import { pathKey, toRow, toTokens } from './tables.ts';
import { noteWrite, type View } from './view.ts';

/** Rows that no checkout uses are kept up to this many, or as many as are in use: a branch may be checked out again. */
const IDLE_ROWS = 2000;

/** Idle rows are recounted after this many files came or went: counting takes longer than adding one. */
const PURGE_AFTER = 500;
const CHURN = 'churn';

/** Prepares the function that applies changes, to be called in a transaction. */
export function applier(sql: Statements, scopeOf: Record<StoreName, number>): (changes: Changes) => void {
  function apply({ seen, gone, documents, folders }: Changes): void {
    for (const document of documents) insert(document);
    for (const { store, path } of gone) sql.deactivate.run(scopeOf[store], path);
    const unsure = new Set(seen.filter((file) => !activate(file)).map(({ path }) => dirname(path)));
    for (const { store, folder, digest } of folders) {
      if (digest === undefined) sql.forgetFolder.run(scopeOf[store], folder);
      else sql.noteFolder.run(scopeOf[store], folder, unsure.has(folder) ? '' : digest);
    }
    for (const store of new Set([...seen, ...gone].map((one) => one.store))) noteWrite(sql, scopeOf[store]);
    const churn = Number(sql.meta.get(CHURN) ?? 0) + seen.length + gone.length;
    if (churn > PURGE_AFTER) purge();
    sql.setMeta.run(CHURN, String(churn > PURGE_AFTER ? 0 : churn));
  }

  function insert(document: IndexDocument): void {
    const { blob, id, created, session, prompt, card, terms, crc } = toRow(document);
    const values = [blob, id, created, session, prompt, card, terms, crc];
    const { changes, lastInsertRowid: row } = sql.insertDocument.run(...values);
    // Another process may have added it since we checked.
    if (changes === 0) return;
    const streams = document.terms.map(toTokens);
    sql.insertSearch.run(row, streams[0] ?? '', streams.slice(1).join(' '));
    for (const path of document.card.files) sql.insertCitation.run(pathKey(path), row);
    for (const id of mentionsOf(document.card)) sql.insertMention.run(id, row);
  }

  /** Returns whether the file's document is here. If another process dropped it, the next sync reads the file again. */
  function activate({ store, path, blob, size, modifiedMs, changedMs }: SeenFile): boolean {
    const found =
      blob === undefined ? undefined : (sql.termsOf.get(Buffer.from(blob, 'hex')) as [number, string] | undefined);
    const [row = null, terms = ''] = found ?? [];
    const counts = FIELDS.map((_, f) => terms.split('\n')[f]?.split(' ').filter(Boolean).length ?? 0);
    const isSure = blob === undefined || row !== null;
    sql.activate.run(scopeOf[store], path, row, size, isSure ? modifiedMs : -1, isSure ? changedMs : -1, ...counts);
    return isSure;
  }

  function purge(): void {
    const [all = 0] = sql.countAll.all() as number[];
    const [used = 0] = sql.countUsed.all() as number[];
    if (all - used <= Math.max(IDLE_ROWS, used)) return;
    for (const row of sql.idleRows.all() as number[]) {
      sql.deleteSearch.run(row);
      sql.deleteDocument.run(row);
    }
    for (const statement of sql.deleteOrphans) statement.run();
  }

  return apply;
}

/** Rows of terms that a process remembers: at four bytes each, less than a megabyte. */
const REMEMBERED = 200_000;

/** The full-text table's answers about words. */
export function wordTable(
  sql: Statements,
  {
    view,
    documentOf,
    mostRows = MOST_ROWS,
  }: { view: () => View; documentOf: (row: number) => IndexedDocument | undefined; mostRows?: number | undefined },
): Pick<WordIndex, 'statistics' | 'candidates'> {
  /** This checkout's share of all documents. */
  const share = () => view().documents / Math.max(1, sql.countAll.get() as number);

  function postings(term: string): Postings {
    const current = view();
    const known = current.postings.get(term);
    if (known !== undefined) return known;
    const found = readPostings(sql, term, { stores: current.stores, share, most: mostRows });
    const size = found.all.length + found.title.length + 1;
    current.remembered += size;
    if (current.remembered > REMEMBERED) {
      current.postings.clear();
      current.remembered = size;
    }
    current.postings.set(term, found);
    return found;
  }

  return {
    statistics(terms) {
      const { documents, meanLengths } = view();
      return { documents, meanLengths, frequencies: new Map(terms.map((term) => [term, postings(term).count])) };
    },
    candidates(weights, limit, accepts, required = []) {
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
      const uncut = terms.filter(([term]) => !term.isCut);
      const found = uncut.length === 0 ? [] : chosen(uncut);
      if (found.length > 0 || uncut.length === terms.length) return found;
      // All words are in nearly every record: take the last records that hold them, or all if a filter needs more.
      const last = chosen(terms);
      if (last.length === limit) return last;
      const whole = { stores: view().stores, share, most: -1 };
      return chosen([...weights].map(([term, weight]) => [readPostings(sql, term, whole), weight]));
    },
  };
}

export function vectorTables(
  sql: Statements,
  ours: readonly [number, number],
  writing: <A extends unknown[]>(work: (...parts: A) => void) => (...parts: A) => void,
  stores: () => View['stores'],
): { port: VectorIndex; version(): number } {
  let learned = 0;

  /** The numeric id of a model; 0 for an unknown one. */
  function modelId(name: string): number {
    return (sql.model.get(name) as number | undefined) ?? 0;
  }

  const port: VectorIndex = {
    *vectors(model) {
      const active = stores();
      // One at a time, because each is in a buffer of its own; no other query may run until the last is read.
      const all = sql.vectors.iterate(modelId(model)) as Iterable<[number, Uint8Array]>;
      for (const pair of all) if (active[pair[0]]) yield pair;
    },
    vector: (model, row) => sql.vector.get(modelId(model), row) as Uint8Array | undefined,
    termVector: (model, term) => sql.termVector.get(modelId(model), term) as Uint8Array | undefined,
    rowsWithout: (model) => sql.rowsWithout.all(...ours, modelId(model)) as number[],
    putVectors: writing((model: string, vectors: Iterable<[number, Uint8Array]>) => {
      sql.addModel.run(model);
      const id = modelId(model);
      for (const [row, vector] of vectors) sql.putVector.run(id, row, vector);
      learned++;
    }),
    replaceModel: writing((model: string, terms: Iterable<[string, Uint8Array]>) => {
      sql.addModel.run(model);
      const id = modelId(model);
      sql.forgetVectors.run(id);
      sql.forgetTerms.run(id);
      for (const [term, vector] of terms) sql.putTerm.run(id, term, vector);
      learned++;
    }),
  };
  return { port, version: () => learned };
}
