import * as z from 'zod/mini';

// Each section's schema is made when one of its settings is read: most sessions start without any settings, and making
// all schemas takes as long as the rest of a short command.

const texts = () => z.array(z.string());
/** Words from a checked-out file that enter a model's instructions: few and short, so that none reads as an instruction. */
const names = () =>
  z
    .array(
      z
        .string()
        .check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u, 'expected short names of letters, digits, - and _')),
    )
    .check(z.maxLength(40));
const count = () => z.int().check(z.nonnegative());
/** Six digits: so many days from now are still a date. */
const duration = () => z.string().check(z.regex(/^\d{1,6}(s|m|h|d)$/, 'expected a duration such as 30m, 24h or 7d'));

const providers = [
  'rules',
  'anthropic',
  'gemini',
  'openai',
  'openrouter',
  'ollama',
  'lmstudio',
  'claude-cli',
  'codex-cli',
  'gemini-cli',
] as const;
/** A further provider inherits nothing from the one before it, least of all its key. */
const further = () => {
  const text = z.exactOptional(z.string());
  return z.strictObject({
    provider: z.enum(providers),
    model: text,
    base_url: text,
    api_key_env: text,
    api_key_command: text,
    daily_tokens: z.exactOptional(count()),
  });
};
/** Where another repository's memory is: a path or git URL, which `links/link.ts` parses. */
const link = () =>
  z.union(
    [
      z.string().check(z.minLength(1)),
      z.strictObject({
        path: z.optional(z.string().check(z.minLength(1))),
        url: z.optional(z.string().check(z.minLength(1))),
        name: z.optional(
          z.string().check(z.regex(/^[A-Za-z0-9][\w.-]{0,39}$/, 'a name has letters, digits, . - and _')),
        ),
        at: z.optional(z.string().check(z.regex(/^[0-9a-f]{7,64}$/, 'at is a commit id of 7 digits or more'))),
      }),
    ],
    'expected paths, URLs or {path or url, name, at}, with at in quotes',
  );

/** Every setting, by the first part of its key. Hooks load this, so it is zod's small build. */
const SECTIONS = {
  capture: () =>
    z.object({
      destination: z.enum(['team', 'private']),
      approve: z.boolean(),
      skip_tools: texts(),
      ignore_paths: texts(),
      idle_after: duration(),
      ask: z.enum(['off', 'commit', 'stop']),
      keep: z.string().check(z.regex(/^(off|\d{1,6}(s|m|h|d))$/, 'expected off, or a duration such as 7d')),
    }),
  extract: () =>
    z.object({
      provider: z.enum(['auto', ...providers]),
      model: z.string(),
      base_url: z.string(),
      api_key_env: z.string(),
      api_key_command: z.string(),
      language: z
        .string()
        .check(z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a language tag such as en or pt-BR')),
      mode: z.enum(['code', 'writing', 'operations']),
      daily_tokens: count(),
      fallback: z
        .array(
          z.union([z.enum(providers), further()], 'expected names of providers, or entries such as {provider: gemini}'),
        )
        .check(z.maxLength(8)),
      fallback_after: duration(),
    }),
  summaries: () => z.enum(['session', 'turn']),
  briefing: () =>
    z.object({
      tokens: count(),
      observations: count(),
      summaries: count(),
      types: texts(),
      concepts: texts(),
      notice: z.boolean(),
    }),
  recall: () => z.object({ prompt: z.boolean(), read: z.boolean(), tokens: count() }),
  trust: () => z.object({ inject_unreviewed: z.boolean() }),
  privacy: () => z.object({ redact: texts(), prompts: z.enum(['private', 'off']) }),
  embed: () =>
    z.object({
      provider: z.enum(['local', 'ollama', 'lmstudio', 'openai', 'voyage', 'transformers']),
      model: z.string(),
      base_url: z.string(),
      api_key_env: z.string(),
    }),
  types: names,
  concepts: names,
  commit: () => z.enum(['manual', 'stage', 'auto']),
  commit_after: duration,
  hub: () => z.object({ url: z.string(), token_env: z.string() }),
  links: () => z.array(link()),
};

type Section = keyof typeof SECTIONS;

/** All settings with their values. */
export type Config = { [Key in Section]: z.infer<ReturnType<(typeof SECTIONS)[Key]>> };

/** The schema of all settings. */
export function configSchema() {
  const made = Object.entries(SECTIONS).map(([key, make]) => [key, make()]);
  return z.object(Object.fromEntries(made) as { [Key in Section]: ReturnType<(typeof SECTIONS)[Key]> });
}

/** What is wrong with the settings in this key's section; undefined if nothing is. */
export function problemIn(config: object, key: string): string | undefined {
  const section = Object.entries(SECTIONS).find(([name]) => key === name || key.startsWith(`${name}.`));
  if (section === undefined) return 'unknown';
  const [name, schema] = section;
  const result = schema().safeParse(new Map(Object.entries(config)).get(name));
  return result.success ? undefined : (result.error.issues[0]?.message ?? 'invalid');
}

/**
 * The values that apply unless set otherwise. Tokens bound what a session start or a prompt costs an agent, and what a
 * runaway loop could spend in a day.
 */
export const DEFAULTS: Config = {
  capture: {
    destination: 'team',
    approve: false,
    skip_tools: [],
    ignore_paths: [],
    idle_after: '30m',
    ask: 'commit',
    keep: 'off',
  },
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
  briefing: { tokens: 1000, observations: 50, summaries: 10, types: [], concepts: [], notice: true },
  recall: { prompt: true, read: true, tokens: 400 },
  trust: { inject_unreviewed: false },
  privacy: { redact: [], prompts: 'private' },
  embed: { provider: 'local', model: '', base_url: '', api_key_env: '' },
  types: [],
  concepts: [],
  commit: 'manual',
  commit_after: '30m',
  hub: { url: '', token_env: 'GIT_MEM_HUB_TOKEN' },
  links: [],
};

/**
 * Keys that the team file may not set: it comes with a checkout, and these send data, spend money, run programs or keep
 * more of what was said.
 */
const USERS_OWN = [
  'capture.keep',
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
  'commit_after',
  'hub',
  'links',
];

/** Tells whether the team file may not set this key. */
export function isUsersOwn(key: string): boolean {
  return USERS_OWN.some((own) => key === own || key.startsWith(`${own}.`));
}

/**
 * Keys that an organisation's policy may lock: where records go, what is left out, who reads along. Nothing that runs a
 * program, and of lists of providers only names.
 */
const LOCKABLE = [
  'capture.destination',
  'capture.approve',
  'capture.skip_tools',
  'capture.ignore_paths',
  'capture.keep',
  'extract.provider',
  'extract.model',
  'extract.base_url',
  'extract.daily_tokens',
  'extract.fallback',
  'trust.inject_unreviewed',
  'privacy.redact',
  'privacy.prompts',
  'embed.provider',
  'embed.model',
  'embed.base_url',
  'commit',
];

/** Locked lists to which team and user may add. */
const LOCKED_AT_LEAST = ['capture.skip_tools', 'capture.ignore_paths', 'privacy.redact'];

/** What a locked setting locks too, unless the policy says otherwise: a provider is also its address and its substitutes. */
export const POLICY_IMPLIES: Record<string, Record<string, unknown>> = {
  'extract.provider': { 'extract.base_url': '', 'extract.fallback': [] },
  'embed.provider': { 'embed.base_url': '' },
};

/** Tells whether a policy may lock this key with this value. */
export function isLockable(key: string, value: unknown): boolean {
  if (!LOCKABLE.includes(key)) return false;
  return !Array.isArray(value) || value.every((one) => typeof one === 'string');
}

/** Tells whether team and user may add to what a policy says. */
export function isLockedAtLeast(key: string): boolean {
  return LOCKED_AT_LEAST.includes(key);
}
