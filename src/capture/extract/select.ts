import { execFileSync } from 'node:child_process';
import type { Config } from '../../config.ts';
import { log as writeLog } from '../../memory/store/log.ts';
import { readTemplate } from '../../templates.ts';
import type { Environment } from '../../user-folders.ts';
import { isChange } from '../agents/event.ts';
import { createBudget, spendingPath } from './budget.ts';
import { createChain } from './chain.ts';
import { type ChosenProvider, chainOf, HOST_PROGRAMS, programFolder } from './chosen-provider.ts';
import type { Clean } from './clean-reply.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { inMode, readMode } from './mode.ts';
import { createModel, type Model, type ModelOptions } from './model.ts';
import { createModelExtractor } from './model-extractor.ts';
import { type Provider, ProviderError } from './provider.ts';
import { createAnthropicProvider } from './providers/anthropic.ts';
import { createGeminiProvider } from './providers/gemini.ts';
import { createHostProvider } from './providers/host-program.ts';
import { createOpenAiProvider } from './providers/openai.ts';
import { createRulesExtractor } from './rules/rules.ts';
import type { Turn } from './turn.ts';
import { workOf } from './work.ts';

type Settings = Pick<Config, 'extract' | 'concepts'>;

interface Surroundings {
  state: string;
  env: Environment;
  /** Asks providers in spite of their backoff. */
  now?: boolean;
  clock?: () => Date;
  /** Removes secrets from answers. */
  clean?: Clean;
}

/** The extractor in the settings, for one drain. Nothing is sent, run or loaded before its first question. */
export function extractorOf(settings: Settings, around: Surroundings): Extractor {
  const full = inFull(around);
  const { state, clock, log } = full;
  const rules = rulesExtractor(settings.extract.mode);
  const { providers, endsInRules } = chainOf(settings.extract, full.env);
  if (providers.length === 0) return rules;
  const links = providers.map((one) => ({
    id: one.id,
    name: `${one.name}/${one.model}`,
    extractor: lazily(() => linkOf(one, settings, full)),
  }));
  const chain = createChain(links, { state, now: around.now ?? false, clock, rules, endsInRules, log });
  return {
    ...chain,
    async extract(turns, context) {
      return (await triviality(turns, context, rules)) ?? chain.extract(turns, context);
    },
  };
}

/** The models in the settings, in the order in which they are asked; each is made, and its key read, when it is. */
export function modelsOf({ extract }: Pick<Config, 'extract'>, around: Surroundings): (() => Model)[] {
  const full = inFull(around);
  return chainOf(extract, full.env).providers.map((one) => () => createModel(modelOptions(one, full)));
}

type Around = Required<Omit<Surroundings, 'now'>> & { log: (line: string) => void };

function inFull({ state, env, clock = () => new Date(), clean = async (text) => text }: Surroundings): Around {
  return { state, env, clock, clean, log: (line) => writeLog(state, line, clock()) };
}

function linkOf(chosen: ChosenProvider, { extract, concepts }: Settings, around: Around): Extractor {
  const sources = { loadTemplate: readTemplate, mode: readMode(extract.mode), concepts };
  return createModelExtractor({ ...modelOptions(chosen, around), sources });
}

function modelOptions(chosen: ChosenProvider, { state, env, clock, clean, log }: Around): ModelOptions {
  const { account, dailyTokens, isFree } = chosen;
  return {
    provider: createProvider(chosen, env),
    budget: createBudget({ file: spendingPath(state), account, dailyTokens, now: clock, isFree }),
    clean,
    log,
  };
}

/** Creates the extractor at its first question, and once only: a key command may ask a person. */
function lazily(create: () => Extractor): Extractor {
  let made: Extractor | undefined;
  return {
    async extract(turns, context) {
      made ??= create();
      return made.extract(turns, context);
    },
  };
}

/** Less work, in tokens, in which the rules find nothing is not worth a question, whose fixed text costs as much. */
const SMALL = 600;

/** The rules' empty answer for turns such as a greeting or an `ls`; undefined for turns that a model should see. */
async function triviality(
  turns: Turn[],
  context: ExtractionContext,
  rules: Extractor,
): Promise<Extraction | undefined> {
  const open = turns.filter(({ saved }) => !saved);
  const edits = open.some(({ calls }) => calls.some(isChange));
  if (edits || open.reduce((sum, turn) => sum + workOf(turn), 0) >= SMALL) return undefined;
  const extraction = await rules.extract(turns, context);
  return extraction.observations.length === 0 ? extraction : undefined;
}

/** The offline extractor, with the mode's names for types. */
export function rulesExtractor(mode: Settings['extract']['mode'] = 'code'): Extractor {
  return inMode(createRulesExtractor(), readMode(mode));
}

/** Throws ProviderError `auth` if something is missing. */
function createProvider(chosen: ChosenProvider, env: Environment): Provider {
  const { name, label, base, model, missing } = chosen;
  if (missing !== '') {
    throw new ProviderError('auth', `${label} cannot be asked: ${missing}`, { hint: 'See `git mem doctor`.' });
  }
  const apiKey = keyOf(chosen);
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
    case 'codex-cli':
    case 'gemini-cli':
      return createHostProvider(HOST_PROGRAMS[name], { model, env, cwd: programFolder(name, env) });
    default:
      return name satisfies never;
  }
}

function keyOf({ key, place }: ChosenProvider): string {
  if (key.from !== 'command') return key.from === 'variable' ? key.value : '';
  try {
    // The user's own command, from the user's own file: the team file cannot set it.
    const [shell, flag] = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
    const printed = execFileSync(shell, [flag, key.command], {
      encoding: 'utf8',
      // A command that asks a person who is away holds up the drain no longer.
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (printed !== '') return printed;
  } catch {
    // The command's output may hold the key: only the failure is reported.
  }
  throw new ProviderError('auth', `${place}.api_key_command gave no key.`);
}
