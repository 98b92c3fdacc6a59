import type { StoreName } from '../../../memory/record.ts';
import type { IndexedDocument } from '../memory-index.ts';
import type { Statements } from './statements.ts';
import { DamagedCache, type DocumentRow, fromRow } from './tables.ts';
import type { View } from './view.ts';

/** The documents of a checkout's rows. */
export interface Documents {
  /** Undefined for a row that this checkout does not have. */
  at(row: number): IndexedDocument | undefined;
  /** For the sake of their cards: read as they are needed, not remembered, their terms only when asked for. */
  cards(rows: Iterable<number>): Generator<IndexedDocument>;
  isRemembered(row: number): boolean;
  /** The token streams of a row, whichever checkout has it. */
  termsOf(row: number): string[];
}

/** Reads documents from their table; `remember` says how many a process keeps. */
export function documentTable(sql: Statements, { view, remember }: { view: () => View; remember: number }): Documents {
  const remembered = new Map<number, IndexedDocument>();

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
    *cards(rows) {
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
    isRemembered: (row) => remembered.has(row),
    termsOf: (row) => read(row, 'team').terms,
  };
}

/** By what a view has of a row. */
function storeOf(store: number | undefined): StoreName | undefined {
  return store ? (store === 1 ? 'team' : 'private') : undefined;
}
