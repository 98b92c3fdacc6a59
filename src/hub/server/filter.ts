import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { KINDS } from '../../memory/record.ts';
import { FRESHNESS } from '../../provenance/levels.ts';
import { dateOf } from '../../search/dates.ts';
import type { HubFilter } from '../port-reading.ts';

// The lengths bound what one request makes the database compare.
const word = () => z.string().check(z.maxLength(300));
const list = () => z.optional(z.array(word()).check(z.maxLength(50)));

/** The filters of every address, those of HubFilter; lists repeat their name. */
export const FILTER = {
  repository: list(),
  team: list(),
  kind: z.optional(z.array(z.enum(KINDS))),
  type: list(),
  concept: list(),
  file: list(),
  author: list(),
  session: z.optional(word()),
  since: z.optional(word()),
  until: z.optional(word()),
  trust: z.optional(z.enum(['reviewed'])),
  freshness: z.optional(z.enum(FRESHNESS)),
  all: z.optional(z.enum(['0', '1'])),
};

/** Most records in one answer: a page asks for 100 at a time, and programs that want more ask for the next page. */
export const MOST = 200;

const number = () => z.optional(z.string().check(z.regex(/^\d{1,6}$/)));

/** The part of a list that is asked for. */
export const PAGING = { offset: number(), limit: number() };

/** The part of a list for these values, 50 records unless given. */
export function pageOf({ offset = '0', limit = '50' }: { offset?: string | undefined; limit?: string | undefined }) {
  return { offset: Number(offset), limit: Math.min(Number(limit), MOST) };
}

export type FilterQuery = z.infer<z.ZodMiniObject<typeof FILTER>>;

/** The hub's filter for these values; throws bad-input for an invalid date. */
export function filterOf({ since, until, all, trust: _, ...same }: FilterQuery, now: Date): HubFilter {
  const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)) as HubFilter;
  return {
    ...given,
    ...(since && { since: dateOf(since, 'start', now) }),
    ...(until && { until: dateOf(until, 'end', now) }),
    ...(all === '1' && { all: true }),
  };
}

/** The values of an address in the shape of a schema: names of lists may repeat. Throws bad-input. */
export function queryOf<S extends z.ZodMiniObject>(schema: S, query: URLSearchParams): z.infer<S> {
  const given: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length === 0) continue;
    const field = schema.shape[name];
    given[name] = field !== undefined && isList(field) ? values : values.at(-1);
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = issue?.path[0] === undefined ? (issue && 'keys' in issue ? issue.keys : '') : String(issue.path[0]);
  throw new GitMemError('bad-input', `"${String(at).slice(0, 80)}" cannot be that.`, {
    hint: `Known are ${Object.keys(schema.shape).join(', ')}.`,
  });
}

function isList(field: unknown): boolean {
  const inner = field instanceof z.ZodMiniOptional ? field._zod.def.innerType : field;
  return inner instanceof z.ZodMiniArray;
}
