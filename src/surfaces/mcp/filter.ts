import { isAbsolute, relative } from 'node:path';
import { withSlashes } from '../../git/paths.ts';
import { type Filter, filterFrom } from '../../recall/query/card-filter.ts';
import { dateOf } from '../../recall/query/dates.ts';
import { bareName } from '../../slashes.ts';
import type { Arguments } from './arguments.ts';

/** The filter from a search's arguments; throws bad-input for an invalid date. */
export function filterOf(given: Arguments<'search'>, { root, now }: { root: string; now: Date }): Filter {
  const { type, concept, file = '', since, until } = given;
  // Agents use absolute paths, records paths from the top of the repository.
  const path = isAbsolute(file) ? withSlashes(relative(root, file)) : file;
  return filterFrom({
    type: words(type),
    concept: words(concept),
    file: file ? [bareName(path)] : undefined,
    since: since && dateOf(since, 'start', now),
    until: until && dateOf(until, 'end', now),
  });
}

function words(list: string | undefined): string[] | undefined {
  if (!list) return undefined;
  return list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
