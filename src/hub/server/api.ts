import * as z from 'zod/mini';
import { rounded } from '../../quantities.ts';
import { viewOf } from '../../records/view.ts';
import type { Hub } from '../open.ts';
import type { TokenScope, Viewer } from '../port.ts';
import { FILTER, filterOf, MOST, PAGING, pageOf, queryOf } from './filter.ts';
import { annotatedOf, FOLDERS, hitOf, listed } from './forms.ts';

/** One address of the API below `/api/v1/`. */
export interface ApiRoute {
  path: string;
  /** GET unless it says otherwise. */
  method?: 'GET' | 'POST';
  /** The scope that a token needs, `read` unless it says otherwise. */
  scope?: TokenScope;
  run(asked: Asked): Promise<object>;
}

interface Asked {
  hub: Hub;
  viewer: Viewer;
  query: URLSearchParams;
  now: Date;
}

// A question may be a pasted text, of which only the words count.
const SEARCH = z.strictObject({
  q: z.optional(z.string().check(z.maxLength(10_000))),
  limit: PAGING.limit,
  ...FILTER,
});
const FEED = z.strictObject({ ...PAGING, ...FILTER });
const FACETS = z.strictObject(FILTER);
const RECORDS = z.strictObject({
  repository: z.string(),
  id: z.array(z.string()).check(z.minLength(1), z.maxLength(MOST)),
});
const SYNC = z.strictObject({ repository: z.string() });

/** Every address; docs/hub.md lists them. */
export const API_ROUTES: ApiRoute[] = [
  {
    path: 'me',
    async run({ viewer: { name, repositories, rightsAt, scopes } }) {
      return { name, repositories: repositories.length, rights_at: rightsAt.toISOString(), scopes: [...scopes] };
    },
  },
  {
    path: 'repositories',
    async run({ hub, viewer }) {
      const all = await hub.repositories(viewer);
      return {
        repositories: all.map(({ syncedAt, problem = null, withheldElsewhere, withheldBy, withholdsIn, ...same }) => ({
          ...same,
          synced_at: syncedAt?.toISOString() ?? null,
          problem,
          withheld_elsewhere: withheldElsewhere,
          withheld_by: withheldBy,
          withholds_in: withholdsIn,
        })),
      };
    },
  },
  {
    path: 'search',
    async run({ hub, viewer, query, now }) {
      const { q = '', limit = '10', ...given } = queryOf(SEARCH, query);
      const question = { text: q, filter: filterOf(given, now), limit: pageOf({ limit }).limit, now };
      const { hits, total, tookMs, note } = await hub.search(viewer, question);
      return { query: q, took_ms: rounded(tookMs), total, ...(note && { note }), hits: hits.map(hitOf) };
    },
  },
  {
    path: 'feed',
    async run({ hub, viewer, query, now }) {
      const { offset, limit, ...given } = queryOf(FEED, query);
      const page = pageOf({ offset, limit });
      const { total, items } = await hub.feed(viewer, filterOf(given, now), page);
      return { total, offset: page.offset, items: items.map(listed) };
    },
  },
  {
    path: 'records',
    async run({ hub, viewer, query }) {
      const { repository, id: ids } = queryOf(RECORDS, query);
      const found = await hub.records(viewer, repository, ids);
      const there = new Set(found.map(({ id }) => id));
      return {
        records: found.map((one) => ({ ...viewOf(annotatedOf(one), FOLDERS), repository, head: one.head })),
        missing: ids.filter((id) => !there.has(id)),
      };
    },
  },
  {
    path: 'facets',
    run: ({ hub, viewer, query, now }) => hub.facets(viewer, filterOf(queryOf(FACETS, query), now)),
  },
  {
    path: 'sync',
    method: 'POST',
    scope: 'sync',
    async run({ hub, viewer, query }) {
      const { repository } = queryOf(SYNC, query);
      // Without the right to read it, nobody learns whether it exists.
      const isKnown = (await hub.repositories(viewer)).some(({ name }) => name === repository);
      return { repository, requested: isKnown && (await hub.requestSync(repository)) };
    },
  },
];
