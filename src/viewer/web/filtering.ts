import { citesFile } from '../../recall/file-match.ts';
import type { Card, Filters } from '../protocol.ts';

/** Whether a record passes; the same rules as the command line's filters. */
export function passes(filters: Filters): (card: Card) => boolean {
  const { kind = ['observation', 'summary'], type, concept, file, branch, session, since, until } = filters;
  return (card) => {
    if (!kind.includes(card.kind)) return false;
    if (!filters.all && (card.superseded_by.length > 0 || card.retired || card.redacted)) return false;
    if (filters.store && card.store !== filters.store) return false;
    if (filters.trust && card.trust !== filters.trust) return false;
    if (filters.freshness && card.freshness !== filters.freshness) return false;
    if (branch && card.branch !== branch) return false;
    if (session && !card.session?.startsWith(session)) return false;
    if (since && card.created < since) return false;
    // A day or a month includes all of it: nothing sorts after this letter.
    if (until && card.created > `${until}\uffff`) return false;
    if (type && !type.includes(card.type)) return false;
    if (concept && !concept.some((one) => card.concepts.includes(one))) return false;
    return !file || file.some((one) => card.files.some((path) => citesFile(path, one)));
  };
}
