import * as z from 'zod/mini';
import { rounded } from '../../quantities.ts';
import { viewOf } from '../../records/view.ts';
import type { Hub } from '../open.ts';
import type { Viewer } from '../port.ts';
import { annotatedOf, FILTER, FOLDERS, filterOf, hitOf, listed, MOST, PAGING, pageOf, queryOf } from './forms.ts';

interface Asked {
  hub: Hub;
  viewer: Viewer;
  query: URLSearchParams;
  now: Date;
}

// A question may be pasted text; only its words count.
const SEARCH = z.strictObject({ q: z.optional(z.string().check(z.maxLength(10_000))), limit: PAGING.limit, ...FILTER });
const FEED = z.strictObject({ ...PAGING, ...FILTER });
const FACETS = z.strictObject(FILTER);
const IDS = z.array(z.string()).check(z.minLength(1), z.maxLength(MOST));
const RECORDS = z.strictObject({ repository: z.string(), id: IDS });
const SYNC = z.strictObject({ repository: z.string() });

/** What each address below `/api/v1/` answers, as docs/hub.md lists them. */
export const ANSWERS: Record<string, (asked: Asked) => Promise<object>> = {
  async me({ viewer: { name, repositories, rightsAt, scopes } }) {
    return { name, repositories: repositories.length, rights_at: rightsAt.toISOString(), scopes: [...scopes] };
  },
  async repositories({ hub, viewer }) {
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
  async search({ hub, viewer, query, now }) {
    const { q = '', limit = '10', ...given } = queryOf(SEARCH, query);
    const question = { text: q, filter: filterOf(given, now), limit: pageOf({ limit }).limit, now };
    const { hits, total, tookMs, note } = await hub.search(viewer, question);
    return { query: q, took_ms: rounded(tookMs), total, ...(note && { note }), hits: hits.map(hitOf) };
  },
  async feed({ hub, viewer, query, now }) {
    const { offset, limit, ...given } = queryOf(FEED, query);
    const page = pageOf({ offset, limit });
    const { total, items } = await hub.feed(viewer, filterOf(given, now), page);
    return { total, offset: page.offset, items: items.map(listed) };
  },
  async records({ hub, viewer, query }) {
    const { repository, id: ids } = queryOf(RECORDS, query);
    const found = await hub.records(viewer, repository, ids);
    const there = new Set(found.map(({ id }) => id));
    return {
      records: found.map((one) => ({ ...viewOf(annotatedOf(one), FOLDERS), repository, head: one.head })),
      missing: ids.filter((id) => !there.has(id)),
    };
  },
  facets: async ({ hub, viewer, query, now }) => hub.facets(viewer, filterOf(queryOf(FACETS, query), now)),
};

/** Asks for a sync. Does not reveal whether a repository exists that the viewer may not read. */
export async function requestSync({ hub, viewer, query }: Asked): Promise<object> {
  const { repository } = queryOf(SYNC, query);
  const isKnown = (await hub.repositories(viewer)).some(({ name }) => name === repository);
  return { repository, requested: isKnown && (await hub.requestSync(repository)) };
}
