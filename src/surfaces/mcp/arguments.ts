import { isAbsolute, relative } from 'node:path';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { withSlashes } from '../../git/paths.ts';
import { OBSERVATION_TYPES } from '../../memory/record.ts';
import { PERSONAL, PERSONAL_TYPES } from '../../memory/store/personal.ts';
import { type Filter, filterFrom } from '../../records/card-filter.ts';
import { dateOf } from '../../search/dates.ts';
import { PARTS } from '../../search/search-commits.ts';
import { bareName } from '../../slashes.ts';
import type { ToolName } from './natural-arguments.ts';

export type { ToolName };

const text = (description: string) => z.optional(z.string().check(z.describe(description)));
const texts = (description: string) => z.optional(z.array(z.string()).check(z.describe(description)));
const count = (description: string, most: number) =>
  z.optional(z.int().check(z.gte(0), z.lte(most), z.describe(description)));
const ids = (description: string) =>
  z.array(z.string()).check(z.minLength(1), z.maxLength(20), z.describe(description));

/** The arguments of every tool, from which its JSON Schema is generated. An unknown key is an error, not ignored. */
export const ARGUMENTS = {
  search: z.strictObject({
    query: text('Words, "a phrase", -without; left out: the newest'),
    type: text(`${OBSERVATION_TYPES.join(', ')} or summary`),
    concept: text('Topic; several by commas'),
    file: text('File, folder or glob that they cite'),
    since: text('2026-11-20, last week'),
    until: text(''),
    limit: count('', 50),
    in: z.optional(z.enum(PARTS)),
    scope: z.optional(
      z.enum(['here', 'all']).check(z.describe("all: the user's other repositories too; default here")),
    ),
  }),
  timeline: z.strictObject({
    anchor: text('Id, date or session'),
    query: text('Instead: its best hit'),
    before: count('Default 5', 50),
    after: count('Default 5', 50),
  }),
  get_observations: z.strictObject({
    ids: ids('As search gives them'),
  }),
  save_observation: z.strictObject({
    title: z.string().check(z.minLength(1), z.describe('What is so now: a sentence of at most 80 characters')),
    type: text('As in search (a trap: discovery), default change'),
    subtitle: text('A second line'),
    narrative: text('What and why, at most 700 characters'),
    facts: texts('One checkable fact each, at most 8'),
    concepts: texts(''),
    files: texts('Paths it is about'),
    files_modified: texts(''),
    files_read: texts(''),
    supersedes: texts('Ids of records it makes wrong'),
    scope: z.optional(
      z
        .enum(['repository', PERSONAL])
        .check(z.describe(`personal: about the user, for all repositories; type ${PERSONAL_TYPES.join(', ')}`)),
    ),
  }),
  save_summary: z.strictObject({
    title: z.string().check(z.minLength(1), z.describe('What it is about')),
    completed: text(''),
    next_steps: text(''),
    learned: text('What to know before going on'),
    files_edited: texts(''),
  }),
  mark: z.strictObject({
    type: z.enum(['supersede', 'retire', 'pin', 'verify', 'undo']),
    ids: ids(''),
    by: text('supersede: the newer record'),
    reason: text(''),
  }),
} as const satisfies Record<ToolName, unknown>;

export type Arguments<N extends ToolName> = z.infer<(typeof ARGUMENTS)[N]>;

/** Tells whether a tool name sent by a client is one of ours. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(ARGUMENTS, name);
}

/** Zod Mini has no built-in error messages. */
const { localeError } = en();

/**
 * Validates a model's arguments; throws bad-input that says all that is wrong, with what else is known to be (`problems`,
 * sentences), and what was expected.
 */
export function parseArguments<N extends ToolName>(
  name: N,
  given: Record<string, unknown>,
  problems: string[] = [],
): Arguments<N> {
  const result = z.safeParse(ARGUMENTS[name], given, { error: localeError });
  // The compiler cannot infer that the schema of this name gives this name's arguments.
  if (result.success && problems.length === 0) return result.data as Arguments<N>;
  const issues = result.error?.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}.`) ?? [];
  const taken = issues.length > 0 && `It takes ${Object.keys(ARGUMENTS[name].shape).join(', ')}.`;
  const hint = [name === 'save_observation' && NOTHING_SAVED, taken].filter(Boolean).join(' ');
  throw new GitMemError('bad-input', [`${name}:`, ...issues, ...problems].join(' '), { hint });
}

/** What an agent is told whose record was refused; `isOwnSave` reads it. */
export const NOTHING_SAVED = 'Nothing was saved. If there is nothing more to save, save nothing.';

/** What no agent does wrong: every session pays for it, and a call that does is answered with an error. */
const UNSAID = ['additionalProperties', 'minimum', 'maximum', 'minLength', 'minItems', 'maxItems'] as const;

/** Arguments that are taken, but not taught: every session pays for the schema, and few agents use them. */
const UNTAUGHT: readonly string[] = [
  ...['concept', 'concepts', 'until', 'scope', 'in', 'before', 'after'],
  ...['subtitle', 'files_modified', 'files_read', 'files_edited'],
];

/** The JSON Schema of a tool's arguments, as far as it is taught. */
export function schemaOf(name: ToolName, also: string[] = []): { type: 'object'; [key: string]: unknown } {
  const {
    $schema: _,
    properties = {},
    ...schema
  } = z.toJSONSchema(ARGUMENTS[name], {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of UNSAID) delete jsonSchema[key];
      if (jsonSchema.description === '') delete jsonSchema.description;
    },
  });
  const kept = Object.entries(properties).filter(([key]) => also.includes(key) || !UNTAUGHT.includes(key));
  return { ...schema, properties: Object.fromEntries(kept), type: 'object' };
}

/** The filter from a search's arguments; throws bad-input for an invalid date. */
export function filterOf(given: Arguments<'search'>, { root, now }: { root: string; now: Date }): Filter {
  const { type, concept, file = '', since, until } = given;
  // Agents use absolute paths, records paths from the top of the repository.
  const path = isAbsolute(file) ? withSlashes(relative(root, file)) : file;
  return filterFrom({
    type: words(type),
    concept: words(concept),
    file: file ? [bareName(path)] : undefined,
    since: since && dateOf(since, 'start', now),
    until: until && dateOf(until, 'end', now),
  });
}

function words(list: string | undefined): string[] | undefined {
  if (!list) return undefined;
  return list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
