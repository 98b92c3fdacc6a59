import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Config } from '../config.ts';
import { DEFAULT_ANTHROPIC_MODEL } from './providers/anthropic.ts';
import { addressProblem } from './providers/rest.ts';

type Environment = Record<string, string | undefined>;
type Settings = Config['extract'];

/** Every provider by its name in the settings. */
export type ProviderName = Exclude<Settings['provider'], 'auto'>;
type ModelProviderName = Exclude<ProviderName, 'rules'>;

interface Facts {
  label: string;
  /** Where it answers unless told otherwise; empty where the program or the SDK knows. */
  base: string;
  /** Empty where only the user can know what is installed. */
  model: string;
  /** Variable that usually holds its key; empty where it wants none. */
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
};

/** Where the key comes from. */
export type KeySource = { from: 'nowhere' } | { from: 'command' } | { from: 'variable'; name: string; value: string };

/** A provider that asks a model, with all that the settings say of it. */
export interface ChosenProvider extends Omit<Facts, 'key'> {
  name: ModelProviderName;
  key: KeySource;
  /** A model on this machine, which costs nothing. */
  isFree: boolean;
  /** What is missing or wrong before it can be asked, as a sentence; empty where nothing is. */
  missing: string;
}

/** Which provider the settings mean: `auto` is Anthropic where a key is set, else the rules. */
export function providerOf(settings: Settings, env: Environment): ProviderName {
  if (settings.provider !== 'auto') return settings.provider;
  const key = keySourceOf('anthropic', settings, env);
  return key.from === 'command' || (key.from === 'variable' && key.value !== '') ? 'anthropic' : 'rules';
}

/** The provider that the settings mean, ready to be asked or described; undefined for the rules. Sends and runs nothing. */
export function chosenProvider(settings: Settings, env: Environment): ChosenProvider | undefined {
  const name = providerOf(settings, env);
  if (name === 'rules') return undefined;
  const facts = FACTS[name];
  const isElsewhere = settings.base_url !== '' && facts.base !== '';
  const base = settings.base_url || (name === 'anthropic' ? (env.ANTHROPIC_BASE_URL ?? '') : facts.base);
  // Another server has other models.
  const model = settings.model || (isElsewhere && name === 'openai' ? '' : facts.model);
  const key = keySourceOf(name, settings, env);
  const isFree = (name === 'ollama' || name === 'lmstudio') && isLoopback(base);
  const missing =
    (facts.base === '' ? '' : addressProblem(base)) ||
    (key.from === 'variable' && key.value === ''
      ? `${key.name} is not set.`
      : model === ''
        ? 'extract.model is not set, and no model is the usual one there.'
        : '');
  return { name, label: facts.label, base, model, key, isFree, missing };
}

function keySourceOf(name: ModelProviderName, settings: Settings, env: Environment): KeySource {
  const { base, key } = FACTS[name];
  if (name === 'claude-cli') return { from: 'nowhere' };
  if (settings.api_key_command !== '') return { from: 'command' };
  // The usual key goes to the usual place only: another server has no business with it. Anthropic's own protocol is
  // spoken by proxies that pass it on.
  const usual = settings.base_url !== '' && base !== '' ? '' : key;
  const variable = settings.api_key_env || usual;
  return variable === ''
    ? { from: 'nowhere' }
    : { from: 'variable', name: variable, value: env[variable]?.trim() ?? '' };
}

function isLoopback(base: string): boolean {
  return URL.canParse(base) && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(base).hostname);
}

/** The folder that `claude -p` runs in: always the same one, because Claude Code remembers each that it ran in. */
export function claudeFolder(env: Environment): string {
  const given = env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : undefined;
  return join(given ?? join(env.HOME || homedir(), '.local', 'state'), 'git-mem', 'claude-cli');
}
