import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { shortestPrefixes } from '../../memory/id.ts';
import { KINDS } from '../../memory/record.ts';
import { recordFile } from '../../memory/store/store.ts';
import { FRESHNESS } from '../../provenance/levels.ts';
import { rounded } from '../../quantities.ts';
import { type Annotated, presentable, tokensOf } from '../../records/annotate.ts';
import { dateOf } from '../../search/dates.ts';
import type { Card } from '../../surfaces/viewer/protocol.ts';
import type { Hub } from '../open.ts';
import type { HubCard, HubFilter, HubHit, HubRecord, Viewer } from '../port.ts';

/** The folder of a repository's records, as paths name it. */
export const FOLDERS = { team: '.memory', private: '' };

/** A record for the viewer's lists, which cannot be filtered by branch here. */
export function cardOf(hit: HubCard): Card {
  const { redacted } = hit.state;
  return { ...listed(hit), branch: null, store: 'team', edited: false, redacted, inputs: [] };
}

/** A record in the form of the other surfaces; if redacted, only its existence. */
export function annotatedOf({ record, path, created, state, trust, freshness }: HubRecord): Annotated {
  const inStore = path.replace(/^\.memory\//, '');
  return presentable({
    record,
    entry: { store: 'team', kind: record.kind, path: inStore, id: record.id, time: created, slug: '' },
    shortId: shortestPrefixes([record.id]).get(record.id) ?? record.id,
    state,
    trust,
    edited: false,
    freshness,
    verified: state.verified,
    missing: [],
    cited: [],
    readTokens: tokensOf(recordFile(record).bytes.toString('utf8')),
  });
}

/** A record of a list in JSON. */
export function listed({ state: { redacted: _, verified_by: __, ...state }, ...card }: HubCard) {
  return { ...card, ...state };
}

/** A hit in JSON. */
export function hitOf(hit: HubHit) {
  const { excerpt: snippet, ...card } = listed(hit);
  return { ...card, snippet, score: rounded(hit.score), confidence: rounded(hit.confidence), also: hit.also };
}

/** Observations and summaries around a time, oldest first: up to `before` + 1 until it and `after` + 1 from it. */
export async function around(
  hub: Hub,
  viewer: Viewer,
  filter: HubFilter,
  { at, before, after }: { at: string; before: number; after: number },
): Promise<HubCard[]> {
  const only: HubFilter = { ...filter, kind: ['observation', 'summary'] };
  const older = await hub.feed(viewer, { ...only, until: at }, { offset: 0, limit: before + 1 });
  const later = { ...only, since: at };
  const { total } = await hub.feed(viewer, later, { offset: 0, limit: 1 });
  const newer = await hub.feed(viewer, later, { offset: Math.max(0, total - after - 1), limit: after + 1 });
  const all = new Map([...newer.items, ...older.items].map((card) => [`${card.repository}:${card.id}`, card]));
  return [...all.values()].reverse();
}

// The lengths bound what one request makes the database compare.
const word = () => z.string().check(z.maxLength(300));
const list = () => z.optional(z.array(word()).check(z.maxLength(50)));

/** HubFilter's fields as parameters of every address; a list repeats its name. */
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

/** Maximum records in one answer: a page asks for 100 at a time, and programs that want more ask for the next page. */
export const MOST = 200;

const number = () => z.optional(z.string().check(z.regex(/^\d{1,6}$/)));

/** Parameters that choose a part of a list. */
export const PAGING = { offset: number(), limit: number() };

/** The part of a list that these values choose, 50 records by default. */
export function pageOf({ offset = '0', limit = '50' }: { offset?: string | undefined; limit?: string | undefined }) {
  return { offset: Number(offset), limit: Math.min(Number(limit), MOST) };
}

/** The hub's filter for these values; throws bad-input for an invalid date. */
export function filterOf(
  { since, until, all, trust: _, ...same }: z.infer<z.ZodMiniObject<typeof FILTER>>,
  now: Date,
): HubFilter {
  return {
    ...same,
    since: since && dateOf(since, 'start', now),
    until: until && dateOf(until, 'end', now),
    ...(all === '1' && { all: true }),
  };
}

/** An address's values in the shape of a schema; a list repeats its name. Throws bad-input. */
export function queryOf<S extends z.ZodMiniObject>(schema: S, query: URLSearchParams): z.infer<S> {
  const given: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length === 0) continue;
    given[name] = isList(schema.shape[name]) ? values : values.at(-1);
  }
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const at = issue?.path[0] === undefined ? (issue && 'keys' in issue ? issue.keys : '') : String(issue.path[0]);
  throw new GitMemError('bad-input', `"${String(at).slice(0, 80)}" is unknown or has an invalid value.`, {
    hint: `Known are ${Object.keys(schema.shape).join(', ')}.`,
  });
}

function isList(field: unknown): boolean {
  const inner = field instanceof z.ZodMiniOptional ? field._zod.def.innerType : field;
  return inner instanceof z.ZodMiniArray;
}
