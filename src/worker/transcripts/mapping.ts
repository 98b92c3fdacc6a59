import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { userConfigPath } from '../../config.ts';
import { GitMemError, isSystemError } from '../../errors.ts';
import { issueWords } from '../../issue-words.ts';
import type { Environment } from '../../repo/layout.ts';
import { readTemplate } from '../../templates.ts';
import { conditionsSchema, pathSchema } from './condition.ts';

/** The mappings that come with git-mem; `templates/transcripts/example.json` is one to copy. */
export const BUILT_IN = ['claude-code', 'codex', 'gemini-cli'] as const;

/** Largest mapping that is read, in bytes. */
const MAX_BYTES = 256 * 1024;

const inside = z
  .string()
  .check(
    z.refine(
      (path) => path !== '' && !/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes('..'),
      'expected a relative path without ..',
    ),
  );
const choice = z.union([
  z.pipe(
    pathSchema,
    z.transform((path) => [path]),
  ),
  z.array(pathSchema),
]);
const constant = z.strictObject({ is: z.string() });
const code = z.union([pathSchema, z.strictObject({ in: pathSchema, after: z.string().check(z.minLength(1)) })]);

const takeSchema = z.strictObject({
  session: z.optional(choice),
  cwd: z.optional(choice),
  time: z.optional(choice),
  branch: z.optional(choice),
  turn: z.optional(choice),
  /** What makes the event the same when it is read again, or the id of the tool call. */
  id: z.optional(choice),
  text: z.optional(choice),
  from: z.optional(z.enum(['user', 'machine'])),
  tool: z.optional(z.union([choice, constant])),
  input: z.optional(pathSchema),
  response: z.optional(pathSchema),
  output: z.optional(choice),
  paths: z.optional(z.array(pathSchema)),
  command: z.optional(choice),
  description: z.optional(choice),
  removed: z.optional(choice),
  added: z.optional(choice),
  /** The whole content of the file after the call. */
  after: z.optional(choice),
  /** A patch in the notation of `apply_patch`. */
  patch: z.optional(choice),
  exit_code: z.optional(code),
  passed: z.optional(conditionsSchema),
  failed: z.optional(conditionsSchema),
});

const ruleSchema = z.strictObject({
  /** `call` and `result` are two lines about one tool call, `tool` is one; the last `reply` before a prompt ends a turn. */
  kind: z.enum([
    'context',
    'session-start',
    'prompt',
    'call',
    'result',
    'tool',
    'reply',
    'turn-end',
    'compaction',
    'session-end',
  ]),
  each: z.optional(pathSchema),
  when: z.optional(conditionsSchema),
  unless: z.optional(conditionsSchema),
  take: z._default(takeSchema, {}),
});

const mappingSchema = z.strictObject({
  about: z.optional(z.string()),
  logs: z.strictObject({
    /** The environment variable that moves the folder. */
    variable: z.optional(z.string()),
    /** Under the user's home. */
    folder: inside,
    /** A glob in it; `{slug}` is the checkout's path with a dash for all but letters and digits, `{name}` its last part. */
    files: inside,
  }),
  belongs: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('cwd') }),
    z.strictObject({ by: z.literal('folder') }),
    z.strictObject({ by: z.literal('sha256'), path: pathSchema }),
  ]),
  /** The host whose hooks report tool calls as this log holds them. */
  like: z.optional(z.enum(['claude-code'])),
  ignore: z.optional(conditionsSchema),
  /** How a log begins that repeats the history of the session that it was forked from. */
  forks: z.optional(
    z.strictObject({
      when: conditionsSchema,
      /** The session that it comes from; what the line lacks is no fork. */
      from: pathSchema,
      /** Ids that hold the time of their making (UUID version 7). */
      session: pathSchema,
      turn: pathSchema,
    }),
  ),
  take: z.extend(takeSchema, { time: choice }),
  /** What tools are for, by name: read, edit, write, delete, command, search, agent, fetch. */
  tools: z._default(
    z.record(z.string(), z.enum(['read', 'edit', 'write', 'delete', 'command', 'search', 'agent', 'fetch', 'other'])),
    {},
  ),
  rules: z.array(ruleSchema).check(z.minLength(1)),
});

export type Take = z.infer<typeof takeSchema>;
export type Rule = z.infer<typeof ruleSchema>;
/** How the lines of a host's logs become events; data, in `templates/transcripts/` or in the user's own folder. */
export type Mapping = z.infer<typeof mappingSchema> & { name: string };

/** Reads a mapping that comes with git-mem. */
export function builtInMapping(name: (typeof BUILT_IN)[number]): Mapping {
  return parseMapping(name, readTemplate(`transcripts/${name}.json`), `templates/transcripts/${name}.json`);
}

/**
 * Every mapping, the user's own in place of one of ours with the same name. They name places to read, so nothing that
 * came with a checkout is looked at. Throws `bad-config` that names the file and the key.
 */
export function findMappings(env: Environment): Mapping[] {
  const mappings = new Map<string, Mapping>(BUILT_IN.map((name) => [name, builtInMapping(name)]));
  const folder = join(dirname(userConfigPath(env)), 'transcripts');
  for (const file of namesIn(folder)) {
    const path = join(folder, file);
    const name = file.slice(0, -'.json'.length);
    if (!/^[\w-]{1,40}$/.test(name))
      throw bad(path, 'its name should be letters, digits, - and _, at most 40 of them.');
    const stat = statSync(path);
    if (!stat.isFile()) throw bad(path, 'it is no file.');
    if (stat.size > MAX_BYTES) throw bad(path, `it is larger than ${MAX_BYTES} bytes.`);
    mappings.set(name, parseMapping(name, readFileSync(path, 'utf8'), path));
  }
  return [...mappings.values()];
}

/** Reads one mapping; `path` is for the error. */
export function parseMapping(name: string, text: string, path: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(path, 'it is not JSON.', error);
  }
  const result = mappingSchema.safeParse(value);
  if (result.success) return { ...result.data, name };
  const [issue] = result.error.issues;
  const key = issue?.path.join('.') ?? '';
  throw bad(path, `${key === '' ? '' : `"${key}": `}${issue === undefined ? 'invalid' : issueWords(issue)}.`);
}

function bad(path: string, what: string, cause?: unknown): GitMemError {
  return new GitMemError('bad-config', `${path} is no mapping of transcripts: ${what}`, {
    hint: 'templates/transcripts/example.json in the package shows every key.',
    cause,
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
