import type { IndexedDocument, RankedIndex, RecordIndex, Statistics } from '../index/memory-index.ts';
import { cardFilter } from '../query/card-filter.ts';
import { parseQuery } from '../query/parse-query.ts';
import { isAllowed, isWordless, requiredTerms } from '../query/query.ts';
import type { SearchRequest } from './search.ts';
import { weighTerms } from './term-weights.ts';

/**
 * The documents that match a question by its words alone, roughly best first, at most `limit`; without words the
 * newest. It takes a tenth of a search, enough to tell whether searching a store is worth it.
 */
export function bestByWords(
  index: RecordIndex & RankedIndex,
  { text, filter = {}, limit, withoutIds, now = new Date() }: SearchRequest,
): { documents: IndexedDocument[]; statistics?: Statistics } {
  const query = parseQuery(text, now);
  const passes = cardFilter(filter);
  const isFitting = isAllowed(query);
  const accepts = (document: IndexedDocument) =>
    passes(document) && isFitting(document) && !withoutIds?.has(document.card.id);
  if (!isWordless(query)) {
    const { weights, statistics } = weighTerms(index, query);
    return { documents: index.candidates(weights, limit, accepts, requiredTerms(query)), statistics };
  }
  const documents: IndexedDocument[] = [];
  for (const document of index.newest()) {
    if (accepts(document)) documents.push(document);
    if (documents.length >= limit) break;
  }
  return { documents };
}
