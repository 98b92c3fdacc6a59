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
const COUNT = 'expected a whole number from 0';
const count = () => z.int(COUNT).check(z.nonnegative(COUNT));
const flag = () => z.boolean('expected true or false');
const oneOf = <const Choice extends string>(choices: readonly Choice[]) =>
  z.enum(choices, `expected one of ${choices.filter(Boolean).join(', ')}`);
/** Six digits: that many days from now is still a date. */
const duration = () => z.string().check(z.regex(/^\d{1,6}(s|m|h|d)$/, 'expected a duration such as 30m, 24h or 7d'));

const providers = [
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
/** Every setting, by the first part of its key. Hooks load this, hence zod's small build. */
const SECTIONS = {
  capture: () =>
    z.object({
      destination: oneOf(['team', 'private', 'inbox']),
      skip_tools: texts(),
      ignore_paths: texts(),
      idle_after: duration(),
      ask: oneOf(['off', 'commit', 'stop']),
    }),
  extract: () =>
    z.object({
      provider: oneOf(['auto', 'none', ...providers]),
      model: z.string(),
      base_url: z.string(),
      api_key_env: z.string(),
      api_key_command: z.string(),
      language: z
        .string()
        .check(z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a language tag such as en or pt-BR')),
      mode: oneOf(['code', 'writing', 'operations']),
      daily_tokens: count(),
      fallback: oneOf(['', ...providers]),
      fallback_after: duration(),
    }),
  summaries: () => oneOf(['session', 'turn']),
  briefing: () => z.object({ tokens: count(), observations: count(), summaries: count() }),
  recall: () => z.object({ prompt: flag(), read: flag(), tokens: count() }),
  trust: () => z.object({ inject_unreviewed: flag() }),
  privacy: () => z.object({ redact: texts(), prompts: oneOf(['private', 'off']) }),
  embed: () =>
    z.object({
      provider: oneOf(['local', 'ollama', 'lmstudio', 'openai', 'voyage']),
      model: z.string(),
      base_url: z.string(),
      api_key_env: z.string(),
    }),
  types: names,
  commit: () => oneOf(['stage', 'manual']),
  hub: () => z.object({ url: z.string() }),
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

/** The defaults; token limits bound what an agent, or a runaway loop in a day, can cost. */
export const DEFAULTS: Config = {
  capture: { destination: 'team', skip_tools: [], ignore_paths: [], idle_after: '30m', ask: 'commit' },
  extract: {
    provider: 'auto',
    model: '',
    base_url: '',
    api_key_env: '',
    api_key_command: '',
    language: 'en',
    mode: 'code',
    daily_tokens: 2_000_000,
    fallback: '',
    fallback_after: '24h',
  },
  summaries: 'session',
  briefing: { tokens: 1000, observations: 50, summaries: 3 },
  recall: { prompt: true, read: true, tokens: 400 },
  trust: { inject_unreviewed: false },
  privacy: { redact: [], prompts: 'private' },
  embed: { provider: 'local', model: '', base_url: '', api_key_env: '' },
  types: [],
  commit: 'stage',
  hub: { url: '' },
};

/** What the team file may not set: it comes with a checkout, and these send data, spend money or run programs. */
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
  'hub',
];

/** Whether the team file may not set this key. */
export function isUsersOwn(key: string): boolean {
  return USERS_OWN.some((own) => key === own || key.startsWith(`${own}.`));
}
