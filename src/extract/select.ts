import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { log } from '../repo/log.ts';
import { readTemplate } from '../templates.ts';
import { createBudget } from './budget.ts';
import { type ChosenProvider, chosenProvider, claudeFolder } from './chosen-provider.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { inMode, readMode } from './mode.ts';
import { createModelExtractor } from './model-extractor.ts';
import { type Provider, ProviderError } from './provider.ts';
import { createAnthropicProvider } from './providers/anthropic.ts';
import { createClaudeCliProvider } from './providers/claude-cli.ts';
import { createGeminiProvider } from './providers/gemini.ts';
import { createOpenAiProvider } from './providers/openai.ts';
import { createRulesExtractor } from './rules/rules.ts';
import type { Turn } from './turn.ts';
import { workOf } from './work.ts';

type Environment = Record<string, string | undefined>;
type Settings = Pick<Config, 'extract' | 'concepts'>;

/** The extractor that the settings name. Nothing is sent, run or loaded before its first turn. */
export function extractorOf(settings: Settings, { state, env }: { state: string; env: Environment }): Extractor {
  const rules = rulesExtractor(settings.extract.mode);
  const chosen = chosenProvider(settings.extract, env);
  if (chosen === undefined) return rules;
  let extractor: Extractor | undefined;
  return {
    async extract(turn, context) {
      const nothing = await triviality(turn, context, rules);
      if (nothing !== undefined) return nothing;
      extractor ??= createModelExtractor({
        provider: createProvider(chosen, settings.extract, env),
        budget: createBudget({
          file: join(state, 'spending.json'),
          dailyTokens: settings.extract.daily_tokens,
          now: () => new Date(),
          isFree: chosen.isFree,
        }),
        sources: { loadTemplate: readTemplate, mode: readMode(settings.extract.mode), concepts: settings.concepts },
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

/** The offline extractor, which names types as the mode does. */
export function rulesExtractor(mode: Settings['extract']['mode'] = 'code'): Extractor {
  return inMode(createRulesExtractor(), readMode(mode));
}

/** Throws ProviderError `auth` where something is missing: the turns wait until it is there. */
function createProvider(chosen: ChosenProvider, settings: Settings['extract'], env: Environment): Provider {
  const { name, label, base, model, missing } = chosen;
  if (missing !== '') {
    throw new ProviderError('auth', `${label} cannot be asked: ${missing}`, { hint: 'See `git mem doctor`.' });
  }
  const apiKey = keyOf(chosen, settings);
  const options = { name, label, model, baseUrl: base, apiKey };
  switch (name) {
    case 'anthropic':
      return createAnthropicProvider({ apiKey, model, baseUrl: base || undefined });
    case 'gemini':
      return createGeminiProvider(options);
    case 'openai':
    case 'openrouter':
    case 'ollama':
    case 'lmstudio':
      return createOpenAiProvider(options);
    case 'claude-cli':
      return createClaudeCliProvider({ model, env, cwd: claudeFolder(env) });
    default:
      return name satisfies never;
  }
}

function keyOf({ key }: ChosenProvider, settings: Settings['extract']): string {
  if (key.from !== 'command') return key.from === 'variable' ? key.value : '';
  try {
    // The user's own command, from the user's own file: the team file cannot set it.
    const [shell, flag] = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
    const printed = execFileSync(shell, [flag, settings.api_key_command], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (printed !== '') return printed;
  } catch {
    // The command's own words may hold the key: only the fact is told.
  }
  throw new ProviderError('auth', 'extract.api_key_command gave no key.');
}
