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

/** How a value that a model sends is read. */
export type Shape = 'text' | 'lines' | 'words' | 'count';

/** An argument of a tool, and the other names under which models send it. */
export interface Argument {
  shape: Shape;
  schema: z.ZodMiniType;
  names: string[];
}

const as = <S extends z.ZodMiniType>(shape: Shape, schema: S, names: string[]) => ({ shape, schema, names });
const list = (about: string) => z.optional(z.array(z.string()).check(z.describe(about)));

const text = (about: string, ...names: string[]) => as('text', z.optional(z.string().check(z.describe(about))), names);
const title = (about: string, ...names: string[]) =>
  as('text', z.string().check(z.minLength(1), z.describe(about)), names);
const lines = (about: string, ...names: string[]) => as('lines', list(about), names);
const words = (about: string, ...names: string[]) => as('words', list(about), names);
const ids = (about: string, ...names: string[]) =>
  as('words', z.array(z.string()).check(z.minLength(1), z.maxLength(20), z.describe(about)), names);
const count = (about: string, ...names: string[]) =>
  as('count', z.optional(z.int().check(z.gte(0), z.lte(50), z.describe(about))), names);
const choice = <const C extends readonly string[]>(choices: C, about = '') =>
  as('text', z.optional(z.enum(choices).check(z.describe(about))), []);

const PATHS = 'file path paths file_path file_paths filepath files_edited edited_files'.split(' ');
const TOPICS = 'tags tag topics topic keywords labels'.split(' ');
const CONTENT = 'content text body description details detail summary observation message note'.split(' ');
const WHY = 'reason why rationale because'.split(' ');
const PERSONAL_SCOPE = `personal: about the user, for all repositories; type ${PERSONAL_TYPES.join(', ')}`;

/** The arguments of every tool, from which its JSON Schema and the other accepted names come. */
export const ARGUMENTS = {
  search: {
    query: text('Words, "a phrase", -without; left out: the newest', 'q', 'text', 'search', 'words'),
    type: text(`${OBSERVATION_TYPES.join(', ')} or summary`, 'types', 'kind'),
    concept: text('Topic; several by commas', 'concepts', ...TOPICS),
    file: text('File, folder or glob that they cite', 'files', ...PATHS.slice(1, 5)),
    since: text('2026-11-20, last week', 'after', 'from'),
    until: text('', 'before', 'to'),
    limit: count('', 'max', 'max_results', 'top_k', 'n', 'count'),
    in: choice(PARTS),
    scope: choice(['here', 'all'], "all: the user's other repositories too; default here"),
  },
  timeline: {
    anchor: text('Id, date or session', 'id', 'ids'),
    query: text('Instead: its best hit', 'q', 'text'),
    before: count('Default 5'),
    after: count('Default 5'),
  },
  get_observations: { ids: ids('As search gives them', 'id', 'observations', 'records') },
  save_observation: {
    title: title('What is true now: a sentence of at most 80 characters', 'name', 'heading', 'headline'),
    type: text('As in search (a trap: discovery), default change', 'kind', 'category'),
    subtitle: text('A second line'),
    narrative: text('What and why, at most 700 characters', ...CONTENT, ...WHY),
    facts: lines('One checkable fact each, at most 8', 'fact'),
    concepts: words('', 'concept', ...TOPICS),
    files: words('Paths it is about', ...PATHS),
    files_modified: words('', 'modified_files', 'files_changed'),
    files_read: words('', 'read_files'),
    supersedes: words('Ids of records it makes wrong', 'supersede', 'replaces', 'supersedes_ids'),
    scope: choice(['repository', PERSONAL], PERSONAL_SCOPE),
  },
  save_summary: {
    title: title('What it is about', 'name', 'request', 'heading'),
    completed: text('', 'done', ...CONTENT),
    next_steps: text('', 'next', 'next_step', 'open', 'remaining', 'todo', 'todos'),
    learned: text('What to know before going on', 'learnings', 'notes', 'findings', ...WHY),
    files_edited: words('', 'files', 'files_modified', ...PATHS.slice(0, 6)),
  },
  mark: {
    type: as('text', z.enum(['supersede', 'retire', 'pin', 'verify', 'undo']), ['mark', 'action']),
    ids: ids('', 'id', 'targets', 'target', 'records'),
    by: text('supersede: the newer record', 'with', 'replacement', 'replaced_by', 'superseded_by'),
    reason: text('', 'why', 'rationale', 'comment', 'note', 'text'),
  },
} satisfies Record<string, Record<string, Argument>>;

export type ToolName = keyof typeof ARGUMENTS;

type Shapes<N extends ToolName> = { [K in keyof (typeof ARGUMENTS)[N]]: SchemaIn<(typeof ARGUMENTS)[N][K]> };
type SchemaIn<A> = A extends { schema: infer S extends z.ZodMiniType } ? S : never;

export type Arguments<N extends ToolName> = z.infer<z.ZodMiniObject<Shapes<N>, z.core.$strict>>;

/** The schema of a tool's arguments: an unknown key is an error, not ignored. */
function objectOf(name: ToolName) {
  const shape = Object.entries<Argument>(ARGUMENTS[name]).map(([key, { schema }]) => [key, schema] as const);
  return z.strictObject(Object.fromEntries(shape));
}

/** Tells whether a tool name sent by a client is one of ours. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(ARGUMENTS, name);
}

/** Zod Mini has no built-in error messages. */
const { localeError } = en();

/** Throws bad-input that names all that is wrong, including `problems` found elsewhere, and what was expected. */
export function parseArguments<N extends ToolName>(
  name: N,
  given: Record<string, unknown>,
  problems: string[] = [],
): Arguments<N> {
  const result = z.safeParse(objectOf(name), given, { error: localeError });
  // The compiler cannot infer that the schema of this name gives this name's arguments.
  if (result.success && problems.length === 0) return result.data as unknown as Arguments<N>;
  const issues = result.error?.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}.`) ?? [];
  const taken = issues.length > 0 && `It takes ${Object.keys(ARGUMENTS[name]).join(', ')}.`;
  const hint = [name === 'save_observation' && NOTHING_SAVED, taken].filter(Boolean).join(' ');
  throw new GitMemError('bad-input', [`${name}:`, ...issues, ...problems].join(' '), { hint });
}

/** What an agent whose record was refused is told; `isOwnSave` looks for it. */
export const NOTHING_SAVED = 'Nothing was saved. If there is nothing more to save, save nothing.';

/** Constraints that agents keep anyway: every session would pay for them, and a call that breaks one gets an error. */
const UNSAID = ['additionalProperties', 'minimum', 'maximum', 'minLength', 'minItems', 'maxItems'] as const;

/** Arguments that are accepted but not taught: every session pays for the schema, and few agents use them. */
const UNTAUGHT: readonly string[] = [
  ...['concept', 'concepts', 'until', 'scope', 'in', 'before', 'after'],
  ...['subtitle', 'files_modified', 'files_read', 'files_edited'],
];

/** The JSON Schema of a tool's arguments, without untaught ones other than those in `also`. */
export function schemaOf(name: ToolName, also: string[] = []): { type: 'object'; [key: string]: unknown } {
  const {
    $schema: _,
    properties = {},
    ...schema
  } = z.toJSONSchema(objectOf(name), {
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
    type: parts(type),
    concept: parts(concept),
    file: file ? [bareName(path)] : undefined,
    since: since && dateOf(since, 'start', now),
    until: until && dateOf(until, 'end', now),
  });
}

function parts(list: string | undefined): string[] | undefined {
  return list ? list.split(',').flatMap((word) => word.trim() || []) : undefined;
}
