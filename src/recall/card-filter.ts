import type { IndexedDocument } from '../cache/memory-index.ts';
import { citesFile } from './file-match.ts';
import type { Filter } from './read.ts';

/** The part of a filter that the index can decide; state and trust are told later, from marks and from git. */
export function cardFilter(filter: Filter): (document: IndexedDocument) => boolean {
  const kinds = filter.kinds ?? ['observation', 'summary'];
  const { types, concepts, files } = filter;
  return ({ card, store }) => {
    if (!kinds.includes(card.kind)) return false;
    if (filter.store && store !== filter.store) return false;
    if (filter.branch && card.branch !== filter.branch) return false;
    if (filter.session && !card.session?.startsWith(filter.session)) return false;
    if (filter.since && card.created < filter.since) return false;
    if (filter.until && card.created > filter.until) return false;
    if (types && !types.includes(card.type)) return false;
    if (concepts && !concepts.some((concept) => card.concepts.includes(concept))) return false;
    return !files || files.some((file) => card.files.some((path) => citesFile(path, file)));
  };
}
