import type { StoreName } from '../../../memory/record.ts';
import type { IndexedDocument } from '../memory-index.ts';
import type { Statements } from './statements.ts';
import { DamagedCache, type DocumentRow, fromRow } from './tables.ts';
import type { View } from './view.ts';

/** Reads the documents of a checkout's rows; `remember` is how many a process keeps. */
export function documentTable(sql: Statements, { view, remember }: { view: () => View; remember: number }) {
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
    /** For the cards: read on demand and not remembered; terms are read only when asked for. */
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
