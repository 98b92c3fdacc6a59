import * as z from 'zod/mini';
import { KINDS } from '../../memory/record.ts';
import { FRESHNESS } from '../../provenance/levels.ts';

const text = (description: string) => z.string().check(z.describe(description));
const count = (description: string) => z.int().check(z.gte(0), z.describe(description));

const card = {
  repository: text('The name of its repository.'),
  id: text('Ten characters.'),
  kind: z.enum(KINDS),
  type: z.string(),
  title: z.string(),
  created: text('ISO 8601, UTC.'),
  author: z.string(),
  path: text('Its file in the repository.'),
  session: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  concepts: z.array(z.string()),
  files: z.array(z.string()),
  trust: z.enum(['reviewed', 'unreviewed']),
  request: z.nullable(z.int().check(z.describe('The open pull request that has an unreviewed record.'))),
  freshness: z.enum(FRESHNESS),
  superseded_by: z.array(z.string()),
  pinned: z.boolean(),
  verified: z.boolean(),
  retired: z.boolean(),
  disputed: z.boolean(),
  disputed_by: z.array(z.string()).check(z.describe('Ids of records of the same repository that contradict it.')),
};

const facet = z.array(z.strictObject({ name: z.string(), count: z.int() }));

/** Every answer of the API by its name in the OpenAPI document. */
export const ANSWERS = {
  Me: z.strictObject({
    name: z.string(),
    repositories: count('How many repositories may be read.'),
    rights_at: text('When the code host or the configuration last confirmed that.'),
    scopes: z.array(z.string()),
  }),
  Repositories: z.strictObject({
    repositories: z.array(
      z.strictObject({
        name: z.string(),
        teams: z.array(z.string()),
        url: z.string(),
        head: text('The indexed commit; empty before the first sync.'),
        records: z.int(),
        synced_at: z.nullable(z.string()),
        problem: z.nullable(z.string()),
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
        snippet: text('The sentence that answers best.'),
        score: z.number().check(z.describe('Comparable within one answer only.')),
        confidence: z.number(),
        also: z.array(z.string()).check(z.describe('Other repositories with the same record.')),
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
        head: text('The indexed commit that holds it.'),
        id: z.string(),
        kind: z.enum(KINDS),
        type: z.string(),
        title: z.string(),
        path: z.string(),
        trust: z.string(),
        freshness: z.enum(FRESHNESS),
      }),
    ),
    missing: z.array(z.string()).check(z.describe('Not there, or not for you.')),
  }),
  Facets: z.strictObject({
    repository: facet,
    team: facet,
    type: facet,
    concept: facet,
    author: facet,
    trust: facet,
    freshness: facet,
  }),
  Insight: z.strictObject({
    repositories: z.array(
      z.strictObject({
        repository: z.string(),
        teams: z.array(z.string()),
        records: z.int(),
        stale: count('Their cited files changed or are gone.'),
        unreviewed: z.int(),
        unused: count('Old, and never read through the hub.'),
        disputed: z.int(),
        types: facet,
      }),
    ),
  }),
  Requested: z.strictObject({ repository: z.string(), requested: z.boolean() }),
  Failure: z.strictObject({
    error: z.strictObject({
      code: text('Permanent; programs compare it.'),
      message: z.string(),
      hint: z.nullable(z.string()),
    }),
  }),
};

export type Answers = { [Name in keyof typeof ANSWERS]: z.infer<(typeof ANSWERS)[Name]> };
