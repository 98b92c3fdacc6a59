import { execFileSync } from 'node:child_process';
import type { Config } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { log as writeLog } from '../../memory/store/log.ts';
import type { Environment } from '../../user-folders.ts';
import { isChange } from '../agents/event.ts';
import { clearBackoff, createBudget, isBackingOff, noteFailure, spendingPath } from './budget.ts';
import { type ChosenProvider, chosenProviders, isProgram, programFolder } from './chosen-provider.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { readMode } from './mode.ts';
import { type Clean, createModelExtractor } from './model.ts';
import { type Provider, ProviderError, REACTIONS } from './provider.ts';
import { createAnthropicProvider } from './providers/anthropic.ts';
import { createOpenAiProvider } from './providers/openai.ts';
import { createProgramProvider } from './providers/program.ts';
import { PROGRAMS } from './providers/programs.ts';
import { type Turn, workOf } from './turn.ts';

type Settings = Pick<Config, 'extract'>;

interface Surroundings {
  state: string;
  env: Environment;
  /** Asks providers despite their backoff. */
  now?: boolean;
  clock?: () => Date;
  /** Removes secrets from answers. */
  clean?: Clean;
}

/**
 * The extractor in the settings, for one drain; undefined without a model. Nothing is sent, run or loaded before its
 * first question.
 */
export function extractorOf(
  { extract }: Settings,
  { state, env, now = false, clock = () => new Date(), clean = async (text) => text }: Surroundings,
): Extractor | undefined {
  const log = (line: string) => writeLog(state, line, clock());
  const providers = chosenProviders(extract, env).map((chosen) => ({
    id: chosen.id,
    name: `${chosen.name}/${chosen.model}`,
    extractor: lazily(() => {
      const { account, dailyTokens, isFree } = chosen;
      const budget = createBudget({ file: spendingPath(state), account, dailyTokens, now: clock, isFree });
      const mode = readMode(extract.mode);
      return createModelExtractor({ provider: createProvider(chosen, env), budget, mode, clean, log });
    }),
  }));
  if (providers.length === 0) return undefined;
  const asked = withFallback(providers, { state, now, clock, log });
  return {
    ...asked,
    extract: async (turns, context) => (isTrivial(turns) ? NOTHING : asked.extract(turns, context)),
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

/** Turns with less work than this, in tokens, aren't worth a question, whose fixed text costs several times as much. */
const SMALL = 200;

/** The answer for turns that no model is asked about. */
const NOTHING: Extraction = { observations: [], extractor: 'none' };

/** Tells whether turns hold nothing but a greeting or an `ls`. */
function isTrivial(turns: Turn[]): boolean {
  const open = turns.filter(({ saved }) => !saved);
  const edits = open.some(({ calls }) => calls.some(isChange));
  return !edits && open.reduce((sum, turn) => sum + workOf(turn), 0) < SMALL;
}

/** Throws ProviderError `auth` if something is missing. */
function createProvider(chosen: ChosenProvider, env: Environment): Provider {
  const { name, label, base, model, missing } = chosen;
  if (missing !== '') {
    throw new ProviderError('auth', `${label} cannot be asked: ${missing}`, { hint: 'See `git mem doctor`.' });
  }
  const apiKey = keyOf(chosen);
  if (name === 'anthropic') return createAnthropicProvider({ apiKey, model, baseUrl: base || undefined });
  if (isProgram(name))
    return createProgramProvider(PROGRAMS[name], { name, model, env, cwd: programFolder(name, env) });
  return createOpenAiProvider({ name, label, model, baseUrl: base, apiKey });
}

function keyOf({ key, place }: ChosenProvider): string {
  if (key.from !== 'command') return key.from === 'variable' ? key.value : '';
  try {
    // The user's own command, from the user's own file: the team file cannot set it.
    const [shell, flag] = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
    const printed = execFileSync(shell, [flag, key.command], {
      encoding: 'utf8',
      // A command that waits for an absent person holds up the drain no longer than this.
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (printed !== '') return printed;
  } catch {
    // The command's output may hold the key: only the failure is reported.
  }
  throw new ProviderError('auth', `${place}.api_key_command gave no key.`);
}

/** A provider that is asked about turns. */
export interface Asked {
  /** Its backoff is kept under this. */
  id: string;
  /** For the log. */
  name: string;
  /** Rejects with ProviderError only, except for bugs. */
  extractor: Extractor;
}

interface FallbackOptions {
  /** Folder of the backoffs. */
  state: string;
  /** Asks providers despite their backoff, unless they fail in this drain. */
  now: boolean;
  clock: () => Date;
  log: (line: string) => void;
}

/**
 * Asks the first provider, and its fallback when it gives no answer; `REACTIONS` says what each failure leads to.
 * Rejects with the last ProviderError: the turns then wait for a later drain.
 */
export function withFallback(providers: Asked[], { state, now, clock, log }: FallbackOptions): Extractor {
  const failed = new Set<string>();
  const rests = ({ id }: Asked) => (now ? failed.has(id) : isBackingOff(state, id, clock()));

  /** Its answer, or why there is none. */
  const ask = async (one: Asked, turns: Turn[], context: ExtractionContext): Promise<Extraction | ProviderError> => {
    try {
      const extraction = await one.extractor.extract(turns, context);
      clearBackoff(state, one.id);
      return extraction;
    } catch (error) {
      // An interrupted call is not a failure.
      if (context.signal.aborted) throw error;
      const isProviders = error instanceof ProviderError;
      if (!isProviders || REACTIONS[error.class].rest !== undefined) {
        failed.add(one.id);
        noteFailure(state, one.id, error, clock());
      } else clearBackoff(state, one.id);
      if (!isProviders) throw error;
      return error;
    }
  };

  return {
    portion: PORTION,
    isResting: () => providers.every(rests),
    async extract(turns, context) {
      const awake = providers.filter((one) => !rests(one));
      let trouble = new ProviderError('transient', 'Every provider is backing off.');
      for (const [index, one] of awake.entries()) {
        const answer = await ask(one, turns, context);
        if (!(answer instanceof ProviderError)) return answer;
        trouble = answer;
        // The answer is paid for: the fallback is not asked the same thing in this drain.
        if (REACTIONS[answer.class].next === 'wait') break;
        const next = awake[index + 1];
        if (next !== undefined) log(`${one.name} failed, next is ${next.name}: ${messageOf(answer)}`);
      }
      throw trouble;
    },
  };
}

/** New characters (10,000 tokens) worth a question before the session ends: with half as many, each would know less. */
const PORTION = 40_000;
