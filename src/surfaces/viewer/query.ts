import { GitMemError } from '../../errors.ts';
import { KINDS, STORES } from '../../memory/record.ts';
import { FRESHNESS, TRUST } from '../../provenance/levels.ts';
import { type Filter, filterFrom } from '../../records/card-filter.ts';
import { dateOf } from '../../search/dates.ts';

/** Most records in one answer: each is read from its file, and no page asks for more at once. */
const MOST = 200;

/** The filter in an address; throws bad-input for invalid values. */
export function filterOf(query: URLSearchParams, now: Date): Filter {
  const list = (name: string) => {
    const values = query.getAll(name).filter((value) => value !== '');
    return values.length > 0 ? values : undefined;
  };
  const one = (name: string) => query.get(name) || undefined;
  const among = <T extends string>(name: string, choices: readonly T[]) => {
    const value = one(name);
    return value === undefined ? undefined : oneOf(name, value, choices);
  };
  const [since, until] = [one('since'), one('until')];
  return filterFrom({
    kind: list('kind')?.map((kind) => oneOf('kind', kind, KINDS)),
    type: list('type'),
    concept: list('concept'),
    file: list('file'),
    branch: one('branch'),
    session: one('session'),
    since: since && dateOf(since, 'start', now),
    until: until && dateOf(until, 'end', now),
    store: among('store', STORES),
    trust: among('trust', TRUST),
    freshness: among('freshness', FRESHNESS),
    all: query.get('all') === '1',
  });
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
