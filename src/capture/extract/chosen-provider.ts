import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { idOf } from '../../memory/id.ts';
import { type Environment, stateFolder } from '../../user-folders.ts';
import { createBudget, readBackoff, spendingPath } from './budget.ts';
import { DEFAULT_ANTHROPIC_MODEL } from './providers/anthropic.ts';
import { addressProblem } from './providers/openai.ts';
import { OWN_MODEL, PROGRAMS } from './providers/programs.ts';

type Settings = Config['extract'];

/** Every provider by its name in the settings. */
export type ProviderName = Exclude<Settings['provider'], 'auto' | 'none'>;
type ProgramName = keyof typeof PROGRAMS;

interface Facts {
  label: string;
  /** Where it answers unless the settings say otherwise; empty where the program or the SDK knows. */
  base: string;
  /** Empty where only the user knows what is installed. */
  model: string;
  /** Variable that usually holds its key; empty if it needs none. */
  key: string;
}

/** All but Anthropic and the programs speak OpenAI's protocol. */
const FACTS: Record<ProviderName, Facts> = {
  anthropic: { label: 'Anthropic', base: '', model: DEFAULT_ANTHROPIC_MODEL, key: 'ANTHROPIC_API_KEY' },
  gemini: {
    label: 'Gemini',
    base: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-flash-lite-latest',
    key: 'GEMINI_API_KEY',
  },
  openai: { label: 'OpenAI', base: 'https://api.openai.com/v1', model: 'gpt-5-mini', key: 'OPENAI_API_KEY' },
  openrouter: {
    label: 'OpenRouter',
    base: 'https://openrouter.ai/api/v1',
    model: 'anthropic/claude-haiku-4.5',
    key: 'OPENROUTER_API_KEY',
  },
  ollama: { label: 'Ollama', base: 'http://127.0.0.1:11434/v1', model: 'qwen2.5-coder:7b', key: '' },
  lmstudio: { label: 'LM Studio', base: 'http://127.0.0.1:1234/v1', model: '', key: '' },
  'claude-cli': { label: 'claude -p', base: '', model: 'haiku', key: '' },
  'codex-cli': { label: 'codex exec', base: '', model: OWN_MODEL, key: '' },
  'gemini-cli': { label: 'gemini -p', base: '', model: 'flash-lite', key: '' },
};

/** Where the key comes from. */
export type KeySource =
  | { from: 'nowhere' }
  | { from: 'command'; command: string }
  | { from: 'variable'; name: string; value: string };

/** A provider that asks a model, with everything that the settings say about it. */
export interface ChosenProvider extends Omit<Facts, 'key'> {
  name: ProviderName;
  /** Where in the settings it is. */
  place: 'extract' | 'extract.fallback';
  /** Identifies all of its settings, the key included: a failure under other settings does not count for these. */
  id: string;
  /** Tokens are counted together per account: the address and the key, whatever the model. */
  account: string;
  /** Tokens that it may use in a day (UTC), unless it is free. */
  dailyTokens: number;
  key: KeySource;
  /** A model on this machine, which costs nothing. */
  isFree: boolean;
  /** What has to be set or corrected before it can be asked, as a sentence; empty where nothing has. */
  missing: string;
}

/** The provider in the settings, then its fallback; none where no model is configured. Sends and runs nothing. */
export function chosenProviders(settings: Settings, env: Environment): ChosenProvider[] {
  if (settings.provider === 'none') return [];
  const first = settings.provider === 'auto' ? foundProvider(settings, env) : settings.provider;
  // The address and the key belong to the first provider only.
  const usual = { model: '', base_url: '', api_key_env: '', api_key_command: '', daily_tokens: settings.daily_tokens };
  return [
    ...(first === undefined ? [] : [chosen(first, 'extract', settings, env)]),
    ...(settings.fallback === '' ? [] : [chosen(settings.fallback, 'extract.fallback', usual, env)]),
  ];
}

/** What `auto` means: Anthropic where a key is set. */
function foundProvider(settings: Settings, env: Environment): ProviderName | undefined {
  const key = keySourceOf('anthropic', settings, env);
  return key.from === 'command' || (key.from === 'variable' && key.value !== '') ? 'anthropic' : undefined;
}

type OwnSettings = Pick<Settings, 'model' | 'base_url' | 'api_key_env' | 'api_key_command' | 'daily_tokens'>;

function chosen(
  name: ProviderName,
  place: ChosenProvider['place'],
  settings: OwnSettings,
  env: Environment,
): ChosenProvider {
  const facts = FACTS[name];
  const isElsewhere = settings.base_url !== '' && facts.base !== '';
  const base = settings.base_url || (name === 'anthropic' ? (env.ANTHROPIC_BASE_URL ?? '') : facts.base);
  // A different server has different models.
  const model = settings.model || (isElsewhere && name === 'openai' ? '' : facts.model);
  const key = keySourceOf(name, settings, env);
  const isFree = (name === 'ollama' || name === 'lmstudio') && isLoopback(base);
  const missing =
    (facts.base === '' ? '' : addressProblem(base)) ||
    (key.from === 'variable' && key.value === ''
      ? `${key.name} is not set.`
      : model === ''
        ? 'extract.model is not set, and there is no default model for this server.'
        : '');
  const id = idOf(name, base, model, JSON.stringify(key), String(settings.daily_tokens));
  const account = [name, hostOf(settings.base_url), key.from === 'variable' ? key.name : key.from]
    .filter(Boolean)
    .join(' ');
  const facet = { place, id, account, dailyTokens: settings.daily_tokens };
  return { name, label: facts.label, base, model, key, isFree, missing, ...facet };
}

function keySourceOf(
  name: ProviderName,
  settings: Pick<Settings, 'base_url' | 'api_key_env' | 'api_key_command'>,
  env: Environment,
): KeySource {
  const { base, key } = FACTS[name];
  if (isProgram(name)) return { from: 'nowhere' };
  if (settings.api_key_command !== '') return { from: 'command', command: settings.api_key_command };
  // The usual key goes only to the usual address, never to another server. Anthropic's own protocol is an exception:
  // its proxies pass the key on.
  const usual = settings.base_url !== '' && base !== '' ? '' : key;
  const variable = settings.api_key_env || usual;
  return variable === ''
    ? { from: 'nowhere' }
    : { from: 'variable', name: variable, value: env[variable]?.trim() ?? '' };
}

/** Only the host: the rest of the address may hold a password. */
function hostOf(base: string): string {
  return URL.canParse(base) ? new URL(base).host : '';
}

function isLoopback(base: string): boolean {
  return URL.canParse(base) && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(base).hostname);
}

/** Tells whether a provider is a host's own command line. */
export function isProgram(name: ProviderName): name is ProgramName {
  return name in PROGRAMS;
}

/** The hosts' own command lines, with the names that users know. */
export function hostPrograms(): { name: ProgramName; label: string; program: string }[] {
  const names = Object.keys(PROGRAMS) as ProgramName[];
  return names.map((name) => ({ name, label: FACTS[name].label, program: PROGRAMS[name].program }));
}

/** Providers whose usual key is in the environment. */
export function keyedProviders(env: Environment): { name: ProviderName; label: string; variable: string }[] {
  const names = Object.keys(FACTS) as ProviderName[];
  return names.flatMap((name) => {
    const { label, key } = FACTS[name];
    return key !== '' && env[key]?.trim() ? [{ name, label, variable: key }] : [];
  });
}

/** The folder that a host's program runs in: always the same, because hosts remember every folder they ran in. */
export function programFolder(name: ProgramName, env: Environment): string {
  return join(stateFolder(env) ?? '/nonexistent', name);
}

/** The condition of a provider; part of the shape of `stats --json` and `status --json`. */
export interface ProviderCondition {
  provider: string;
  model: string;
  /** Where in the settings it is. */
  place: ChosenProvider['place'];
  /** Tokens that its account used today (UTC). */
  today: number;
  /** Null where it costs nothing. */
  daily_budget: number | null;
  /** `missing` cannot be asked, `resting` failed and backs off, `failing` failed and is asked again next time. */
  state: 'ready' | 'missing' | 'resting' | 'failing';
  /** How often it failed in a row. */
  failures: number;
  /** Until when it rests (ISO 8601). */
  until: string | null;
  /** Why it is not ready. */
  reason: string | null;
}

/** The providers that would be asked about a turn, in order; none where no model is configured. Sends and runs nothing. */
export function conditionsOf(
  settings: Config['extract'],
  { state, env, now }: { state: string; env: Environment; now: Date },
): ProviderCondition[] {
  const file = spendingPath(state);
  return chosenProviders(settings, env).map((chosen) => {
    const { account, dailyTokens, isFree, missing } = chosen;
    const backoff = readBackoff(state, chosen.id);
    const isResting = backoff !== undefined && backoff.until > now.toISOString();
    return {
      provider: chosen.name,
      model: chosen.model,
      place: chosen.place,
      today: createBudget({ file, account, dailyTokens, now: () => now }).today(),
      daily_budget: isFree ? null : dailyTokens,
      state: missing !== '' ? 'missing' : isResting ? 'resting' : backoff ? 'failing' : 'ready',
      failures: backoff?.attempts ?? 0,
      until: isResting ? backoff.until : null,
      reason: missing || (backoff?.reason ?? null),
    };
  });
}
