import { lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { load } from 'js-yaml';
import * as z from 'zod/mini';
import { GitMemError, isSystemError, messageOf } from './errors.ts';

const texts = z.array(z.string());
/** Words that reach a model's instructions from a file that came with a checkout: nothing in them may read as one. */
const names = z
  .array(
    z
      .string()
      .check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u, 'expected short names of letters, digits, - and _')),
  )
  .check(z.maxLength(40));
const count = z.int().check(z.nonnegative());
const duration = z.string().check(z.regex(/^\d{1,6}(s|m|h|d)$/, 'expected a duration such as 30m, 24h or 7d'));

const providers = ['rules', 'anthropic', 'gemini', 'openai', 'openrouter', 'ollama', 'lmstudio', 'claude-cli'] as const;
const text = z.exactOptional(z.string());
/** Nothing of the provider before it goes to one that is named later, least of all its key. */
const further = z.strictObject({
  provider: z.enum(providers),
  model: text,
  base_url: text,
  api_key_env: text,
  api_key_command: text,
  daily_tokens: z.exactOptional(count),
});
/** Where another repository's memory is: a path or an address of git, which `links/link.ts` takes apart. */
const link = z.union(
  [
    z.string().check(z.minLength(1)),
    z.strictObject({
      path: z.optional(z.string().check(z.minLength(1))),
      url: z.optional(z.string().check(z.minLength(1))),
      name: z.optional(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]{0,39}$/, 'a name has letters, digits, . - and _'))),
      at: z.optional(z.string().check(z.regex(/^[0-9a-f]{7,64}$/, 'at is a commit id of 7 digits or more'))),
    }),
  ],
  'expected paths, URLs or {path or url, name, at}, with at in quotes',
);

/** Every setting. Hooks load this, so it is zod's small build. */
export const configSchema = z.object({
  capture: z.object({
    destination: z.enum(['team', 'private']),
    skip_tools: texts,
    ignore_paths: texts,
    idle_after: duration,
  }),
  extract: z.object({
    provider: z.enum(['auto', ...providers]),
    model: z.string(),
    base_url: z.string(),
    api_key_env: z.string(),
    api_key_command: z.string(),
    language: z
      .string()
      .check(z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a language tag such as en or pt-BR')),
    mode: z.enum(['code', 'writing', 'operations']),
    daily_tokens: count,
    fallback: z
      .array(
        z.union([z.enum(providers), further], 'expected names of providers, or entries such as {provider: gemini}'),
      )
      .check(z.maxLength(8)),
    fallback_after: duration,
  }),
  summaries: z.enum(['session', 'turn']),
  briefing: z.object({ tokens: count, observations: count, summaries: count, types: texts, concepts: texts }),
  recall: z.object({ prompt: z.boolean(), read: z.boolean(), tokens: count }),
  trust: z.object({ inject_unreviewed: z.boolean() }),
  privacy: z.object({ redact: texts, prompts: z.enum(['private', 'off']) }),
  embed: z.object({
    provider: z.enum(['local', 'ollama', 'lmstudio', 'openai', 'voyage', 'transformers']),
    model: z.string(),
    base_url: z.string(),
    api_key_env: z.string(),
  }),
  types: names,
  concepts: names,
  commit: z.enum(['manual', 'stage', 'auto']),
  links: z.array(link),
});

export type Config = z.infer<typeof configSchema>;

const DEFAULTS: Config = {
  capture: { destination: 'team', skip_tools: [], ignore_paths: [], idle_after: '30m' },
  extract: {
    provider: 'auto',
    model: '',
    base_url: '',
    api_key_env: '',
    api_key_command: '',
    language: 'en',
    mode: 'code',
    daily_tokens: 2_000_000,
    fallback: [],
    fallback_after: '24h',
  },
  summaries: 'session',
  briefing: { tokens: 1000, observations: 50, summaries: 10, types: [], concepts: [] },
  recall: { prompt: true, read: true, tokens: 400 },
  trust: { inject_unreviewed: false },
  privacy: { redact: [], prompts: 'private' },
  embed: { provider: 'local', model: '', base_url: '', api_key_env: '' },
  types: [],
  concepts: [],
  commit: 'manual',
  links: [],
};

/** What the team file may not decide: it arrives with a checkout, and these send data, spend money or run programs. */
const USERS_OWN = [
  'extract.provider',
  'extract.model',
  'extract.base_url',
  'extract.api_key_env',
  'extract.api_key_command',
  'extract.daily_tokens',
  'extract.fallback',
  'trust',
  'embed',
  'commit',
  'links',
];

export type Origin = 'default' | 'team' | 'user' | 'environment';

export interface LoadedConfig {
  config: Config;
  /** Where each setting that is not a default came from, by dotted key. */
  origins: Map<string, Origin>;
  /** One sentence for every value that was ignored. */
  warnings: string[];
  /** Files that are there and cannot be read: what they ask for is not known. */
  unreadable: string[];
}

/** Largest file of settings that is read. */
const MAX_BYTES = 256 * 1024;

type Environment = Record<string, string | undefined>;
type Tree = { [key: string]: unknown };

/** Reads the settings: team file, then the user's own file, then `GIT_MEM_*`. Never throws: what is wrong is ignored with a warning. */
export function loadConfig(memory: string, env: Environment): LoadedConfig {
  const warnings: string[] = [];
  const unreadable: string[] = [];
  const origins = new Map<string, Origin>();
  const merged: Tree = structuredClone(DEFAULTS);
  const layers: [Origin, Tree][] = [
    ['team', readYaml(join(memory, 'config.yaml'), { warnings, unreadable, mayBeLink: false })],
    ['user', readYaml(userConfigPath(env), { warnings, unreadable, mayBeLink: true })],
    ['environment', fromEnvironment(env)],
  ];
  for (const [origin, tree] of layers) {
    for (const [key, value] of leaves(tree)) {
      if (!isKnown(key)) {
        // A newer version's key or a typing error: `doctor` tells, nothing breaks.
        if (origin !== 'environment') warnings.push(`${origin} setting "${key}" is not known to this version.`);
      } else if (origin === 'team' && isUsersOwn(key)) {
        warnings.push(`"${key}" is ignored in the team file: set it in your own (${userConfigPath(env)}).`);
      } else {
        const before = get(merged, key);
        set(merged, key, value);
        const result = configSchema.safeParse(merged);
        if (result.success) origins.set(key, origin);
        else {
          set(merged, key, before);
          warnings.push(`${origin} setting "${key}" is ignored: ${result.error.issues[0]?.message ?? 'invalid'}.`);
        }
      }
    }
  }
  return { config: configSchema.parse(merged), origins, warnings, unreadable };
}

/** Throws bad-config where settings cannot be read: whoever writes without them may write what they keep out. */
export function requireReadable({ unreadable: [path] }: LoadedConfig): void {
  if (path === undefined) return;
  throw new GitMemError('bad-config', `The settings in ${path} cannot be read.`, {
    hint: 'Nothing is written without them. Try again; `git mem doctor` says what is wrong.',
  });
}

/** Every setting by its dotted key. */
export function settings(config: Config): Map<string, unknown> {
  return new Map(leaves(config));
}

/** Tells whether the team file may not decide this key. */
export function isUsersOwn(key: string): boolean {
  return USERS_OWN.some((own) => key === own || key.startsWith(`${own}.`));
}

/** The user's own settings file; always absolute, since a relative one would be read from whatever was checked out. */
export function userConfigPath(env: Environment): string {
  const given = [env.XDG_CONFIG_HOME, join(env.HOME || env.USERPROFILE || homeOf(), '.config')];
  const base = given.find((path) => path !== undefined && isAbsolute(path)) ?? '/nonexistent';
  return join(base, 'git-mem', 'config.yaml');
}

function homeOf(): string {
  try {
    return homedir();
  } catch {
    return ''; // Neither HOME nor a passwd entry: there is no user's own file.
  }
}

/** A duration such as `30m` in milliseconds. */
export function durationMs(duration: string): number {
  const factors: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number.parseInt(duration, 10) * (factors[duration.at(-1) ?? ''] ?? 0);
}

function readYaml(
  path: string,
  { warnings, unreadable, mayBeLink }: { warnings: string[]; unreadable: string[]; mayBeLink: boolean },
): Tree {
  let text: string;
  try {
    // Checked out as a link it could lead to a device that never ends, or to a file that is none of the team's business.
    const stat = mayBeLink ? statSync(path) : lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('it is no regular file of a reasonable size');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM')) unreadable.push(path);
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) warnings.push(`${path} cannot be read: ${messageOf(error)}.`);
    return {};
  }
  // The YAML library takes a file of only comments for a mistake.
  if (text.split('\n').every((line) => /^\s*(?:#|$)/.test(line))) return {};
  try {
    const value: unknown = load(text, { maxAliases: 0 });
    if (isTree(value)) return value;
    if (value !== undefined && value !== null) warnings.push(`${path} is not a list of settings.`);
  } catch (error) {
    warnings.push(`${path} is not YAML: ${messageOf(error).split('\n')[0]}.`);
  }
  return {};
}

function fromEnvironment(env: Environment): Tree {
  const tree: Tree = {};
  for (const [key, value] of leaves(DEFAULTS)) {
    const raw = env[`GIT_MEM_${key.replaceAll('.', '_').toUpperCase()}`];
    if (raw === undefined || raw === '') continue;
    if (Array.isArray(value))
      set(
        tree,
        key,
        raw
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      );
    else if (typeof value === 'number') set(tree, key, Number(raw));
    else if (typeof value === 'boolean') set(tree, key, /^(1|true|yes|on)$/i.test(raw));
    else set(tree, key, raw);
  }
  return tree;
}

function isKnown(key: string): boolean {
  return leaves(DEFAULTS).some(([known]) => known === key);
}

function leaves(tree: Tree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTree(value) ? leaves(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );
}

function get(tree: Tree, key: string): unknown {
  return key.split('.').reduce<unknown>((at, part) => (isTree(at) ? at[part] : undefined), tree);
}

function set(tree: Tree, key: string, value: unknown): void {
  const parts = key.split('.');
  const last = parts.pop() ?? '';
  let at = tree;
  for (const part of parts) {
    const next = at[part];
    at[part] = isTree(next) ? next : {};
    at = at[part] as Tree;
  }
  at[last] = value;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
