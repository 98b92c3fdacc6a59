import * as z from 'zod/mini';
import type { Hub, Viewer } from '../../hub/port.ts';
import type { TokenScope } from '../../hub/port-operation.ts';
import { rounded } from '../../quantities.ts';
import { viewOf } from '../../recall/query/view.ts';
import type { Answers } from './api-schemas.ts';
import { FILTER, filterOf, MOST, PAGING, pageOf, queryOf } from './filter.ts';
import { annotatedOf, FOLDERS, hitOf, listed } from './forms.ts';

/** One address of the API below `/api/v1/`. */
export interface ApiRoute {
  path: string;
  /** GET unless it says otherwise. */
  method?: 'GET' | 'POST';
  summary: string;
  /** The scope that a token needs, `read` unless it says otherwise. */
  scope?: TokenScope;
  /** Its parameters, if it has any. */
  query?: z.ZodMiniObject;
  answer: keyof Answers;
  run(asked: Asked): Promise<Answers[keyof Answers]>;
}

interface Asked {
  hub: Hub;
  viewer: Viewer;
  query: URLSearchParams;
  now: Date;
}

// A question may be a pasted text, of which only the words count.
const SEARCH = z.strictObject({
  q: z.optional(
    z.string().check(z.maxLength(10_000), z.describe('Words; "phrase", -word, auth*, title:word, AND, OR.')),
  ),
  limit: PAGING.limit,
  ...FILTER,
});
const FEED = z.strictObject({ ...PAGING, ...FILTER });
const FACETS = z.strictObject(FILTER);
const RECORDS = z.strictObject({
  repository: z.string().check(z.describe('The name of a repository.')),
  id: z.array(z.string()).check(z.minLength(1), z.maxLength(MOST), z.describe('Whole ids.')),
});
const SYNC = z.strictObject({ repository: z.string().check(z.describe('The name of a repository.')) });

/** Every address, from which the OpenAPI document is made too. */
export const API_ROUTES: ApiRoute[] = [
  {
    path: 'me',
    answer: 'Me',
    summary: 'Who asks, and how much may be read.',
    async run({ viewer: { name, repositories, rightsAt, scopes } }) {
      return { name, repositories: repositories.length, rights_at: rightsAt.toISOString(), scopes: [...scopes] };
    },
  },
  {
    path: 'repositories',
    answer: 'Repositories',
    summary: 'The repositories that may be read.',
    async run({ hub, viewer }) {
      const all = await hub.repositories(viewer);
      return {
        repositories: all.map(({ syncedAt, problem = null, ...same }) => {
          return { ...same, synced_at: syncedAt?.toISOString() ?? null, problem };
        }),
      };
    },
  },
  {
    path: 'search',
    query: SEARCH,
    answer: 'Search',
    summary: 'Records by words and meaning, best first; without words the newest that pass the filters.',
    async run({ hub, viewer, query, now }) {
      const { q = '', limit = '10', ...given } = queryOf(SEARCH, query);
      const question = { text: q, filter: filterOf(given, now), limit: pageOf({ limit }).limit, now };
      const { hits, total, tookMs, note } = await hub.search(viewer, question);
      return { query: q, took_ms: rounded(tookMs), total, ...(note && { note }), hits: hits.map(hitOf) };
    },
  },
  {
    path: 'feed',
    query: FEED,
    answer: 'Feed',
    summary: 'All records that pass the filters, newest first.',
    async run({ hub, viewer, query, now }) {
      const { offset, limit, ...given } = queryOf(FEED, query);
      const page = pageOf({ offset, limit });
      const { total, items } = await hub.feed(viewer, filterOf(given, now), page);
      return { total, offset: page.offset, items: items.map(listed) };
    },
  },
  {
    path: 'records',
    query: RECORDS,
    answer: 'Records',
    summary: 'Whole records of one repository.',
    async run({ hub, viewer, query }) {
      const { repository, id: ids } = queryOf(RECORDS, query);
      const found = await hub.records(viewer, repository, ids);
      const there = new Set(found.map(({ id }) => id));
      return {
        records: found.map((one) => ({ ...viewOf(annotatedOf(one), FOLDERS), repository, head: one.head })),
        missing: ids.filter((id) => !there.has(id)),
      } as Answers['Records'];
    },
  },
  {
    path: 'facets',
    query: FACETS,
    answer: 'Facets',
    summary: 'The values to filter by, with their counts.',
    run: ({ hub, viewer, query, now }) => hub.facets(viewer, filterOf(queryOf(FACETS, query), now)),
  },
  {
    path: 'insight',
    answer: 'Insight',
    summary: 'What needs attention, for each repository.',
    run: async ({ hub, viewer }) => ({ repositories: await hub.insight(viewer) }),
  },
  {
    path: 'sync',
    method: 'POST',
    scope: 'sync',
    query: SYNC,
    answer: 'Requested',
    summary: 'Asks the workers to sync a repository now.',
    async run({ hub, viewer, query }) {
      const { repository } = queryOf(SYNC, query);
      // Without the right to read it, nobody learns whether it exists.
      const isKnown = (await hub.repositories(viewer)).some(({ name }) => name === repository);
      return { repository, requested: isKnown && (await hub.requestSync(repository)) };
    },
  },
];
