import * as z from 'zod/mini';
import { KINDS } from '../../src/memory/record.ts';
import { FRESHNESS } from '../../src/provenance/levels.ts';

const count = z.int().check(z.gte(0));

const card = {
  repository: z.string(),
  id: z.string(),
  kind: z.enum(KINDS),
  type: z.string(),
  title: z.string(),
  created: z.string(),
  author: z.string(),
  path: z.string(),
  session: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  concepts: z.array(z.string()),
  files: z.array(z.string()),
  trust: z.literal('reviewed'),
  freshness: z.enum(FRESHNESS),
  superseded_by: z.array(z.string()),
  pinned: z.boolean(),
  verified: z.boolean(),
  retired: z.boolean(),
  disputed: z.boolean(),
};

const facet = z.array(z.strictObject({ name: z.string(), count: z.int() }));

/** The answers of the hub's API as programs read them: more keys may be added, on purpose. */
export const ANSWERS = {
  Me: z.strictObject({ name: z.string(), repositories: count, rights_at: z.string(), scopes: z.array(z.string()) }),
  Repositories: z.strictObject({
    repositories: z.array(
      z.strictObject({
        name: z.string(),
        teams: z.array(z.string()),
        url: z.string(),
        head: z.string(),
        records: z.int(),
        synced_at: z.nullable(z.string()),
        problem: z.nullable(z.string()),
        withheld: count,
        withheld_elsewhere: count,
        withheld_by: z.array(z.string()),
        withholds_in: z.array(z.string()),
      }),
    ),
  }),
  Search: z.strictObject({
    query: z.string(),
    took_ms: z.number(),
    total: z.int(),
    note: z.optional(z.string()),
    hits: z.array(
      z.strictObject({
        ...card,
        snippet: z.string(),
        score: z.number(),
        confidence: z.number(),
        also: z.array(z.string()),
      }),
    ),
  }),
  Feed: z.strictObject({
    total: z.int(),
    offset: z.int(),
    items: z.array(z.strictObject({ ...card, excerpt: z.string() })),
  }),
  Records: z.strictObject({
    records: z.array(
      z.looseObject({
        repository: z.string(),
        head: z.string(),
        id: z.string(),
        kind: z.enum(KINDS),
        type: z.string(),
        title: z.string(),
        path: z.string(),
        trust: z.string(),
        freshness: z.enum(FRESHNESS),
      }),
    ),
    missing: z.array(z.string()),
  }),
  Facets: z.strictObject({
    repository: facet,
    team: facet,
    type: facet,
    concept: facet,
    author: facet,
    freshness: facet,
  }),
  Failure: z.strictObject({
    error: z.strictObject({ code: z.string(), message: z.string(), hint: z.nullable(z.string()) }),
  }),
};
