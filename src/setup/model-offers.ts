import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderName } from '../capture/extract/chosen-provider.ts';
import { chosenProviders, hostPrograms, keyedProviders } from '../capture/extract/chosen-provider.ts';
import type { LoadedConfig } from '../config.ts';
import { textOf } from '../git/locate.ts';
import { type Environment, homeOf } from '../user-folders.ts';
import { findProgram } from './program.ts';

/** One choice of the model that reads sessions, or of none. */
export interface ModelOffer {
  provider: ProviderName | 'none';
  title: string;
  cost: string;
  /** Part of a subscription that the user has. */
  isIncluded?: boolean;
}

const NONE: ModelOffer = {
  provider: 'none',
  title: 'No model',
  cost: 'Free: your agent saves what matters itself, and each session leaves a private digest.',
};

const OLLAMA: ModelOffer = {
  provider: 'ollama',
  title: 'Ollama',
  cost: 'Free, and nothing leaves this machine; it works on each session for a while.',
};

/** Measured on 24 recorded sessions: 26 questions, 2,700 tokens in the median session and 14,000 in the longest. */
const EACH_SESSION = 'about one question per session, some 3,000 tokens, up to 15,000 for a long one';

/** The programs where the user is logged in, then what else was found here, and always "none" last. Runs nothing. */
export function modelOffers(env: Environment): ModelOffer[] {
  const isFound = (program: string) => findProgram(program, env) !== undefined;
  const programs = hostPrograms().filter(({ name, program }) => isFound(program) && LOGINS[name](env));
  return [
    ...programs.map(({ name, label }) => ({
      provider: name,
      title: `${label}, where you are logged in`,
      cost: `No bill: it counts against the limits of your subscription (${EACH_SESSION}).`,
      isIncluded: true,
    })),
    ...(isFound('ollama') ? [OLLAMA] : []),
    ...keyedProviders(env).map(({ name, label, variable }) => ({
      provider: name,
      title: `${label}, with the key in ${variable}`,
      cost: `Billed to that key, within extract.daily_tokens (${EACH_SESSION}).`,
    })),
    NONE,
  ];
}

/** Without questions no model is chosen: says how to switch one on; undefined if one is on, or none was found. */
export function modelHint({ config, origins }: LoadedConfig, env: Environment): string | undefined {
  if (origins.has('extract.provider') || chosenProviders(config.extract, env).length > 0) return undefined;
  const [{ provider, cost } = NONE] = modelOffers(env);
  if (provider === 'none') return undefined;
  const command = `git mem config extract.provider ${provider}`;
  return `No model reads your sessions; this switches one on: ${command}. ${cost}`;
}

/** Tells by its files whether a program is logged in; asking the program would start it. */
const LOGINS: Record<ReturnType<typeof hostPrograms>[number]['name'], (env: Environment) => boolean> = {
  // On macOS the credentials are in the keychain, and only the settings name the account.
  'claude-cli': ({ CLAUDE_CONFIG_DIR: own, ...env }) =>
    existsSync(own ? join(own, '.credentials.json') : inHome(env, '.claude/.credentials.json')) ||
    textOf(own ? join(own, '.claude.json') : inHome(env, '.claude.json'))?.includes('"oauthAccount"') === true,
  'codex-cli': ({ CODEX_HOME: own, ...env }) =>
    existsSync(own ? join(own, 'auth.json') : inHome(env, '.codex/auth.json')),
  'gemini-cli': (env) => existsSync(inHome(env, '.gemini/oauth_creds.json')),
};

function inHome(env: Environment, path: string): string {
  return join(homeOf(env) ?? '/nonexistent', path);
}
