import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { log } from '../repo/log.ts';
import { readTemplate } from '../templates.ts';
import { createBudget } from './budget.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { createModelExtractor } from './model-extractor.ts';
import { ProviderError } from './provider.ts';
import { createAnthropicProvider } from './providers/anthropic.ts';
import { createRulesExtractor } from './rules/rules.ts';
import type { Turn } from './turn.ts';
import { workOf } from './work.ts';

type Environment = Record<string, string | undefined>;
type Settings = Config['extract'];

/** Which provider the settings mean: `auto` is Anthropic where a key is set, else the rules. */
export function providerOf(settings: Settings, env: Environment): 'anthropic' | 'rules' {
  if (settings.provider !== 'auto') return settings.provider;
  return settings.api_key_command !== '' || keyInEnvironment(settings, env) !== '' ? 'anthropic' : 'rules';
}

/** The extractor that the settings name. Nothing is sent, run or loaded before its first turn. */
export function extractorOf(settings: Settings, { state, env }: { state: string; env: Environment }): Extractor {
  if (providerOf(settings, env) === 'rules') return rulesExtractor();
  const rules = rulesExtractor();
  let extractor: Extractor | undefined;
  return {
    async extract(turn, context) {
      const nothing = await triviality(turn, context, rules);
      if (nothing !== undefined) return nothing;
      extractor ??= createModelExtractor({
        provider: createAnthropicProvider({
          apiKey: keyOf(settings, env),
          model: settings.model || undefined,
          baseUrl: settings.base_url || env.ANTHROPIC_BASE_URL || undefined,
        }),
        budget: createBudget({
          file: join(state, 'spending.json'),
          dailyTokens: settings.daily_tokens,
          now: () => new Date(),
        }),
        loadTemplate: readTemplate,
        fallback: rules,
        log: (line) => log(state, line, new Date()),
      });
      return extractor.extract(turn, context);
    },
  };
}

/** A turn with less work than this, in tokens, is not worth a paid question where the rules find nothing in it. */
const SMALL = 600;

/** What the rules make of a greeting or an `ls`, which is nothing; undefined for a turn that a model should see. */
async function triviality(turn: Turn, context: ExtractionContext, rules: Extractor): Promise<Extraction | undefined> {
  const edits = turn.calls.some(({ action }) => action === 'edit' || action === 'write' || action === 'delete');
  if (edits || workOf(turn) >= SMALL) return undefined;
  const extraction = await rules.extract(turn, context);
  return extraction.observations.length === 0 ? extraction : undefined;
}

/** The offline extractor. */
export function rulesExtractor(): Extractor {
  return createRulesExtractor();
}

function keyOf(settings: Settings, env: Environment): string {
  if (settings.api_key_command === '') return keyInEnvironment(settings, env);
  try {
    // The user's own command, from the user's own file: the team file cannot set it.
    const [shell, flag] = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
    return execFileSync(shell, [flag, settings.api_key_command], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // The command's own words may hold the key: only the fact is told.
    throw new ProviderError('auth', 'extract.api_key_command gave no key.');
  }
}

function keyInEnvironment(settings: Settings, env: Environment): string {
  return env[settings.api_key_env || 'ANTHROPIC_API_KEY'] ?? '';
}
