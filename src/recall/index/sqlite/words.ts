import type { IndexedDocument, WordIndex } from '../memory-index.ts';
import { holdingAll, MOST_ROWS, ordered, type Postings, readPostings } from './postings.ts';
import type { Statements } from './statements.ts';
import { fromToken } from './tables.ts';
import type { View } from './view.ts';

/** Rows of terms that a process remembers; each takes four bytes, so that all are less than a megabyte. */
const REMEMBERED = 200_000;

/** The full-text table's answers about words. */
export function wordTable(
  sql: Statements,
  {
    view,
    documentOf,
    mostRows = MOST_ROWS,
  }: { view: () => View; documentOf: (row: number) => IndexedDocument | undefined; mostRows?: number | undefined },
): Pick<WordIndex, 'statistics' | 'candidates' | 'vocabulary'> {
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
      // All words are in nearly every record: the last records that hold them, or all of them if a filter needs more.
      const last = chosen(terms);
      if (last.length === limit) return last;
      const whole = { stores: view().stores, share, most: -1 };
      return chosen([...weights].map(([term, weight]) => [readPostings(sql, term, whole), weight]));
    },
    vocabulary() {
      const current = view();
      current.vocabulary ??= (sql.vocabulary.all() as string[]).map(fromToken);
      return current.vocabulary;
    },
  };
}
