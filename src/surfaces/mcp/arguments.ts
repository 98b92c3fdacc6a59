import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { PERSONAL, PERSONAL_TYPES } from '../../memory/store/personal.ts';

const text = (description: string) => z.optional(z.string().check(z.describe(description)));
const texts = (description: string) => z.optional(z.array(z.string()).check(z.describe(description)));
const count = (description: string, most: number) =>
  z.optional(z.int().check(z.gte(0), z.lte(most), z.describe(description)));
const ids = (description: string) =>
  z.array(z.string()).check(z.minLength(1), z.maxLength(20), z.describe(description));

/** The arguments of every tool, from which its JSON Schema is generated. An unknown key is an error, not ignored. */
export const ARGUMENTS = {
  search: z.strictObject({
    query: text('Words; "phrase", -word, auth*, title:word, AND, OR. Without it the newest that pass the filters'),
    type: text('decision, bugfix, feature, refactor, discovery, change, security or summary; several by commas'),
    concept: text('Topic; several by commas'),
    file: text('File, folder or glob that the records cite'),
    since: text('Date: 2026-11, 2026-11-20, last week'),
    until: text('Date'),
    limit: count('Default 10', 50),
    scope: z.optional(
      z.enum(['here', 'linked', 'all']).check(z.describe("linked, or all the user's, repositories too; default here")),
    ),
  }),
  timeline: z.strictObject({
    anchor: text('Id, date or session'),
    query: text('Instead of anchor: its best hit'),
    before: count('Records before, default 5', 50),
    after: count('Records after, default 5', 50),
  }),
  get_observations: z.strictObject({
    ids: ids('Ids, or their first 4 characters or more; name:id as search gives them'),
  }),
  get_turn: z.strictObject({ id: z.string() }),
  save_observation: z.strictObject({
    title: z.string().check(z.minLength(1), z.describe('What is so now, as one sentence of at most 80 characters')),
    type: text('As in search, default change'),
    subtitle: text('A second line'),
    narrative: text('What and why, at most 700 characters'),
    facts: texts('One checkable fact each, at most 8'),
    concepts: texts('Topics'),
    files_modified: texts('Paths it is about'),
    files_read: texts('Paths it was learned from'),
    supersedes: texts('Ids of records it makes wrong'),
    scope: z.optional(
      z
        .enum(['repository', PERSONAL])
        .check(z.describe(`personal: about the user, for all repositories; type ${PERSONAL_TYPES.join(', ')}`)),
    ),
  }),
  save_summary: z.strictObject({
    title: z.string().check(z.minLength(1), z.describe('What the session was about')),
    completed: text('What is done'),
    next_steps: text('What is still open'),
    learned: text('What to know before going on'),
    files_edited: texts('Paths'),
  }),
  mark: z.strictObject({
    type: z.enum(['supersede', 'retire', 'pin', 'verify', 'undo']),
    ids: ids('Records; for undo also marks'),
    by: text('supersede: id of the newer record'),
    reason: text('Why, for the reviewer'),
  }),
} as const;

export type ToolName = keyof typeof ARGUMENTS;
export type Arguments<N extends ToolName> = z.infer<(typeof ARGUMENTS)[N]>;

/** Tells whether a tool name sent by a client is one of ours. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(ARGUMENTS, name);
}

/** Zod Mini has no built-in error messages. */
const { localeError } = en();

/** Validates a model's arguments; throws bad-input that says what is wrong and what was expected. */
export function parseArguments<N extends ToolName>(name: N, given: unknown): Arguments<N> {
  // Some hosts send null for omitted arguments.
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== null);
  const result = z.safeParse(ARGUMENTS[name], Object.fromEntries(entries), { error: localeError });
  // The compiler cannot infer that the schema of this name gives this name's arguments.
  if (result.success) return result.data as Arguments<N>;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  throw new GitMemError('bad-input', `${name}: ${problems.join('; ')}.`, {
    hint: `It takes ${Object.keys(ARGUMENTS[name].shape).join(', ')}.`,
  });
}

/**
 * The JSON Schema of a tool's arguments, without those named, and without what no agent does wrong: every session pays
 * for it, and a call that does is answered with an error.
 */
export function schemaOf(name: ToolName, without: string[] = []): { type: 'object'; [key: string]: unknown } {
  const {
    $schema: _,
    properties = {},
    ...schema
  } = z.toJSONSchema(ARGUMENTS[name], {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of ['additionalProperties', 'minimum', 'minLength', 'minItems'] as const) delete jsonSchema[key];
    },
  });
  const kept = Object.entries(properties).filter(([key]) => !without.includes(key));
  return { ...schema, properties: Object.fromEntries(kept), type: 'object' };
}
