import { cardFilter } from '../../../recall/query/card-filter.ts';
import type { Card, Filters } from '../protocol.ts';

/** Whether a record passes; by the rules of the command line's filters. */
export function passes(filters: Filters): (card: Card) => boolean {
  const { kind, type, concept, file, until, trust, freshness, all, ...same } = filters;
  const fits = cardFilter({
    ...same,
    ...(kind && { kinds: kind }),
    ...(type && { types: type }),
    ...(concept && { concepts: concept }),
    ...(file && { files: file }),
    // A day or a month includes all of it: nothing sorts after this letter.
    ...(until && { until: `${until}\uffff` }),
  });
  return (card) => {
    if (!all && (card.superseded_by.length > 0 || card.retired || card.redacted)) return false;
    if (trust && card.trust !== trust) return false;
    if (freshness && card.freshness !== freshness) return false;
    return fits({ card, store: card.store });
  };
}
