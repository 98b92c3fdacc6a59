import { filterFrom, judgedFilter } from '../../../recall/query/card-filter.ts';
import type { Card, Filters } from '../protocol.ts';

/**
 * Returns a test whether a record passes, by the rules of the command line's filters. `now` maps renamed files to their
 * current paths.
 */
export function passes(filters: Filters, now: ReadonlyMap<string, string>): (card: Card) => boolean {
  // A day or a month is included whole: nothing sorts after this character.
  const until = filters.until && `${filters.until}\uffff`;
  const fits = judgedFilter(filterFrom({ ...filters, until }), (path) => now.get(path));
  return (card) => {
    const { store, trust, freshness, superseded_by, retired, redacted } = card;
    return fits({ card, store, trust, freshness, isHidden: superseded_by.length > 0 || retired || redacted });
  };
}
