import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { idOf } from '../../memory/id.ts';
import { type Environment, stateFolder } from '../../user-folders.ts';
import { DEFAULT_ANTHROPIC_MODEL } from './providers/anthropic.ts';
import { CLAUDE } from './providers/claude-cli.ts';
import { CODEX } from './providers/codex-cli.ts';
import { GEMINI } from './providers/gemini-cli.ts';
import { type HostProgram, OWN_MODEL } from './providers/host-program.ts';
import { addressProblem } from './providers/rest.ts';

type Settings = Config['extract'];
type Further = Settings['fallback'][number];

/** What the settings say about one provider. */
type Entry = Pick<Settings, 'model' | 'base_url' | 'api_key_env' | 'api_key_command' | 'daily_tokens'> & {
  provider: ProviderName;
  /** Where in the settings it is, such as `extract` or `extract.fallback.0`. */
  place: string;
};

/** Every provider by its name in the settings. */
export type ProviderName = Exclude<Settings['provider'], 'auto'>;
type ModelProviderName = Exclude<ProviderName, 'rules'>;

interface Facts {
  label: string;
  /** Where it answers unless the settings say otherwise; empty where the program or the SDK knows. */
  base: string;
  /** Empty where only the user knows what is installed. */
  model: string;
  /** Variable that usually holds its key; empty if it needs none. */
  key: string;
}

const FACTS: Record<ModelProviderName, Facts> = {
  anthropic: { label: 'Anthropic', base: '', model: DEFAULT_ANTHROPIC_MODEL, key: 'ANTHROPIC_API_KEY' },
  gemini: {
    label: 'Gemini',
    base: 'https://generativelanguage.googleapis.com/v1beta',
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

type HostProgramName = 'claude-cli' | 'codex-cli' | 'gemini-cli';

/** The hosts' own command lines, on the logged-in user's subscription. */
export const HOST_PROGRAMS: Record<HostProgramName, HostProgram> = {
  'claude-cli': CLAUDE,
  'codex-cli': CODEX,
  'gemini-cli': GEMINI,
};

/** All of them, with the names that users know. */
export function hostPrograms(): { name: HostProgramName; label: string; program: string }[] {
  const names = Object.keys(HOST_PROGRAMS) as HostProgramName[];
  return names.map((name) => ({ name, label: FACTS[name].label, program: HOST_PROGRAMS[name].program }));
}

/** Tells whether a provider is a host's own command line. */
export function isHostProgram(name: ProviderName): name is HostProgramName {
  return name in HOST_PROGRAMS;
}

/** Providers whose usual key is in the environment. */
export function keyedProviders(env: Environment): { name: ModelProviderName; label: string; variable: string }[] {
  const names = Object.keys(FACTS) as ModelProviderName[];
  return names.flatMap((name) => {
    const { label, key } = FACTS[name];
    return key !== '' && env[key]?.trim() ? [{ name, label, variable: key }] : [];
  });
}

/** Where the key comes from. */
export type KeySource =
  | { from: 'nowhere' }
  | { from: 'command'; command: string }
  | { from: 'variable'; name: string; value: string };

/** A provider that asks a model, with everything that the settings say about it. */
export interface ChosenProvider extends Omit<Facts, 'key'> {
  name: ModelProviderName;
  /** Where in the settings it is, such as `extract` or `extract.fallback.0`. */
  place: string;
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

/** Who is asked about a turn, in order. */
export interface Chain {
  providers: ChosenProvider[];
  /** The chain names `rules`, or no provider at all: no turn waits for a provider. */
  endsInRules: boolean;
}

/** Every provider in the settings, ready to be asked or described. Sends and runs nothing. */
export function chainOf(settings: Settings, env: Environment): Chain {
  const first = { ...settings, provider: providerOf(settings, env), place: 'extract' };
  const others = settings.fallback.map((further, index) => entryOf(further, index, settings));
  // If `auto` found no key, nobody chose the rules.
  const entries = first.provider === 'rules' && settings.provider === 'auto' ? others : [first, ...others];
  const end = entries.findIndex(({ provider }) => provider === 'rules');
  const providers = (end < 0 ? entries : entries.slice(0, end)).flatMap((entry) => chosen(entry, env) ?? []);
  return { providers, endsInRules: end >= 0 || providers.length === 0 };
}

/** Which provider `extract.provider` means: `auto` is Anthropic where a key is set, else the rules. */
export function providerOf(settings: Settings, env: Environment): ProviderName {
  if (settings.provider !== 'auto') return settings.provider;
  const key = keySourceOf('anthropic', settings, env);
  return key.from === 'command' || (key.from === 'variable' && key.value !== '') ? 'anthropic' : 'rules';
}

/** A further provider shares only the cap with the first: the address and the key belong to the first alone. */
function entryOf(further: Further, index: number, { daily_tokens }: Settings): Entry {
  const own = typeof further === 'string' ? { provider: further } : further;
  const blank = { model: '', base_url: '', api_key_env: '', api_key_command: '', daily_tokens };
  return { ...blank, ...own, place: `extract.fallback.${index}` };
}

function chosen(entry: Entry, env: Environment): ChosenProvider | undefined {
  const { provider: name, place } = entry;
  if (name === 'rules') return undefined;
  const facts = FACTS[name];
  const isElsewhere = entry.base_url !== '' && facts.base !== '';
  const base = entry.base_url || (name === 'anthropic' ? (env.ANTHROPIC_BASE_URL ?? '') : facts.base);
  // A different server has different models.
  const model = entry.model || (isElsewhere && name === 'openai' ? '' : facts.model);
  const key = keySourceOf(name, entry, env);
  const isFree = (name === 'ollama' || name === 'lmstudio') && isLoopback(base);
  const missing =
    (facts.base === '' ? '' : addressProblem(base, `${place}.base_url`)) ||
    (key.from === 'variable' && key.value === ''
      ? `${key.name} is not set.`
      : model === ''
        ? `${place}.model is not set, and no model is the usual one there.`
        : '');
  const id = idOf(name, base, model, JSON.stringify(key), String(entry.daily_tokens));
  const account = [name, hostOf(entry.base_url), key.from === 'variable' ? key.name : key.from]
    .filter(Boolean)
    .join(' ');
  const facet = { place, id, account, dailyTokens: entry.daily_tokens };
  return { name, label: facts.label, base, model, key, isFree, missing, ...facet };
}

function keySourceOf(
  name: ModelProviderName,
  settings: Pick<Settings, 'base_url' | 'api_key_env' | 'api_key_command'>,
  env: Environment,
): KeySource {
  const { base, key } = FACTS[name];
  if (isHostProgram(name)) return { from: 'nowhere' };
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

/** The folder that a host's program runs in: always the same, because hosts remember every folder they ran in. */
export function programFolder(name: HostProgramName, env: Environment): string {
  return join(stateFolder(env) ?? '/nonexistent', name);
}
