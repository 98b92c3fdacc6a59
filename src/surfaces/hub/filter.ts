import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import type { HubFilter } from '../../hub/port-reading.ts';
import { KINDS } from '../../memory/record.ts';
import { FRESHNESS } from '../../provenance/levels.ts';
import { dateOf } from '../../recall/query/dates.ts';

// The lengths bound what one request makes the database compare.
const word = () => z.string().check(z.maxLength(300));
const list = (about: string) => z.optional(z.array(word()).check(z.maxLength(50), z.describe(about)));

/** The filters of every address; lists repeat their name. */
export const FILTER = {
  repository: list('Only these repositories.'),
  team: list('Only repositories of these teams.'),
  kind: z.optional(z.array(z.enum(KINDS)).check(z.describe('Only these kinds.'))),
  type: list('Only these types.'),
  concept: list('Only records with one of these concepts.'),
  file: list('Only records that cite this file, folder or glob.'),
  author: list('Only what this person or agent wrote.'),
  session: z.optional(word().check(z.describe('Only of the session whose id begins so.'))),
  since: z.optional(word().check(z.describe('Not before this day or time.'))),
  until: z.optional(word().check(z.describe('Not after it.'))),
  trust: z.optional(
    z.enum(['reviewed', 'unreviewed']).check(z.describe('On the default branch, or in a pull request only.')),
  ),
  freshness: z.optional(z.enum(FRESHNESS).check(z.describe('Of the cited files at the indexed commit.'))),
  all: z.optional(z.enum(['0', '1']).check(z.describe('1: superseded and retired records too.'))),
};

/** Most records in one answer: a page asks for 100 at a time, and programs that want more ask for the next page. */
export const MOST = 200;

const number = (about: string) => z.optional(z.string().check(z.regex(/^\d{1,6}$/), z.describe(about)));

/** The part of a list that is asked for. */
export const PAGING = { offset: number('Records to leave out.'), limit: number(`At most this many, ${MOST} at most.`) };

/** The part of a list for these values, 50 records unless given. */
export function pageOf({ offset = '0', limit = '50' }: { offset?: string | undefined; limit?: string | undefined }) {
  return { offset: Number(offset), limit: Math.min(Number(limit), MOST) };
}

export type FilterQuery = z.infer<z.ZodMiniObject<typeof FILTER>>;

/** The hub's filter for these values; throws bad-input for an invalid date. */
export function filterOf({ since, until, all, ...same }: FilterQuery, now: Date): HubFilter {
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
