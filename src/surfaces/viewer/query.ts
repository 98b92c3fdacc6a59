import { GitMemError } from '../../errors.ts';
import { KINDS } from '../../memory/record.ts';
import type { Filter } from '../../recall/query/card-filter.ts';
import { dateOf } from '../../recall/query/dates.ts';
import type { Freshness } from './protocol.ts';

/** Most records in one answer. */
const MOST = 200;

const FRESHNESS: Freshness[] = ['fresh', 'touched', 'moved', 'gone', 'unknown'];

/** The filters of a list. */
export interface Narrowing {
  filter: Filter;
  /** Not known to any index. */
  freshness: Freshness | undefined;
}

/** Parses the filters of an address; throws bad-input for invalid values. */
export function narrowingOf(query: URLSearchParams, now: Date): Narrowing {
  const list = (name: string) => query.getAll(name).filter((value) => value !== '');
  const one = (name: string) => query.get(name) || undefined;
  const [types, concepts, files] = [list('type'), list('concept'), list('file')];
  const kinds = list('kind').map((kind) => oneOf('kind', kind, KINDS));
  const [branch, session, since, until] = [one('branch'), one('session'), one('since'), one('until')];
  const [store, trust, freshness] = [one('store'), one('trust'), one('freshness')];
  return {
    filter: {
      ...(kinds.length > 0 && { kinds }),
      ...(types.length > 0 && { types }),
      ...(concepts.length > 0 && { concepts }),
      ...(files.length > 0 && { files }),
      ...(branch !== undefined && { branch }),
      ...(session !== undefined && { session }),
      ...(since !== undefined && { since: dateOf(since, 'start', now) }),
      ...(until !== undefined && { until: dateOf(until, 'end', now) }),
      ...(store !== undefined && { store: oneOf('store', store, ['team', 'private']) }),
      ...(trust !== undefined && { trust: oneOf('trust', trust, ['reviewed', 'own', 'edited', 'unreviewed']) }),
      ...(query.get('all') === '1' && { all: true }),
    },
    freshness: freshness === undefined ? undefined : oneOf('freshness', freshness, FRESHNESS),
  };
}

/** A number from an address; undefined if it has none. Throws bad-input if it is not a whole number. */
export function wholeNumberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new GitMemError('bad-input', `"${name}" cannot be "${text.slice(0, 80)}".`, { hint: 'Give a whole number.' });
}

/** How many records are asked for, at most as many as an answer may contain. */
export function limitOf(query: URLSearchParams, usual: number): number {
  return Math.min(wholeNumberOf(query, 'limit') ?? usual, MOST);
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const message = `"${name}" cannot be "${value.slice(0, 80)}".`;
  throw new GitMemError('bad-input', message, { hint: `Use ${choices.join(', ')}.` });
}
