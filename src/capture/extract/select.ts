import { execFileSync } from 'node:child_process';
import type { Config } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { log as writeLog } from '../../memory/store/log.ts';
import { readTemplate } from '../../templates.ts';
import type { Environment } from '../../user-folders.ts';
import { isChange } from '../agents/event.ts';
import { clearBackoff, createBudget, isBackingOff, noteFailure, spendingPath, type Tokens } from './budget.ts';
import { type ChosenProvider, chosenProviders, isProgram, programFolder } from './chosen-provider.ts';
import { filesOf } from './cited-files.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { readMode } from './mode.ts';
import {
  type Clean,
  createModel,
  type ModelOptions,
  type ModelQuestion,
  REPLY_SCHEMA,
  WHOLE_REPLY_SCHEMA,
} from './model.ts';
import { buildPrompt, buildRepair, type PromptSources } from './prompt.ts';
import { isTruncated, type Provider, ProviderError, REACTIONS } from './provider.ts';
import { createAnthropicProvider } from './providers/anthropic.ts';
import { createOpenAiProvider } from './providers/openai.ts';
import { createProgramProvider } from './providers/program.ts';
import { PROGRAMS } from './providers/programs.ts';
import { parseReply, type Reply, type ReplyScope } from './reply.ts';
import { type Turn, workOf } from './turn.ts';

type Settings = Pick<Config, 'extract'>;

interface Surroundings {
  state: string;
  env: Environment;
  /** Asks providers in spite of their backoff. */
  now?: boolean;
  clock?: () => Date;
  /** Removes secrets from answers. */
  clean?: Clean;
}

/**
 * The extractor in the settings, for one drain; undefined without a model. Nothing is sent, run or loaded before its
 * first question.
 */
export function extractorOf(settings: Settings, around: Surroundings): Extractor | undefined {
  const full = inFull(around);
  const { state, clock, log } = full;
  const providers = chosenProviders(settings.extract, full.env).map((one) => ({
    id: one.id,
    name: `${one.name}/${one.model}`,
    extractor: lazily(() => modelExtractorOf(one, settings, full)),
  }));
  if (providers.length === 0) return undefined;
  const asked = withFallback(providers, { state, now: around.now ?? false, clock, log });
  return {
    ...asked,
    async extract(turns, context) {
      return isTrivial(turns) ? NOTHING : asked.extract(turns, context);
    },
  };
}

type Around = Required<Omit<Surroundings, 'now'>> & { log: (line: string) => void };

function inFull({ state, env, clock = () => new Date(), clean = async (text) => text }: Surroundings): Around {
  return { state, env, clock, clean, log: (line) => writeLog(state, line, clock()) };
}

function modelExtractorOf(chosen: ChosenProvider, { extract }: Settings, around: Around): Extractor {
  const sources = { loadTemplate: readTemplate, mode: readMode(extract.mode) };
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

/** Less work, in tokens, is not worth a question, whose fixed text costs several times as much. */
const SMALL = 200;

/** The answer about turns of which no model is asked. */
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

interface ModelExtractorOptions extends ModelOptions {
  sources: PromptSources;
}

/**
 * An extractor that asks a model about a part of a session. Rejects with ProviderError if there is no usable answer, for
 * whatever reason.
 */
export function createModelExtractor({ sources, ...options }: ModelExtractorOptions): Extractor {
  const { log = () => {} } = options;
  const model = createModel(options);
  return {
    async extract(turns, context): Promise<Extraction> {
      const spent: Tokens = { input: 0, output: 0 };
      const prompt = await buildPrompt(turns, context, sources);
      const open = turns.map((turn) => (turn.saved ? undefined : turn.key));
      const scope: ReplyScope = { types: context.types, ids: prompt.ids, files: filesOf(turns), turns: open };
      const question: ModelQuestion<Reply> = {
        ...prompt,
        schema: REPLY_SCHEMA,
        wholeSchema: WHOLE_REPLY_SCHEMA,
        read: ({ output, text, stopReason }) => parseReply(output, text, scope, isTruncated(stopReason)),
        corrected: (failure) => buildRepair(prompt, failure, sources),
      };
      const { observations, summary, skip } = await model.ask(question, context.signal, spent);
      if (skip !== undefined) log(`${model.name} found nothing to keep: ${skip}`);
      return { observations, summary: summary ?? context.summary, extractor: model.name, spent };
    },
  };
}

/** A provider that is asked about turns. */
export interface Asked {
  /** Its backoff is kept under this. */
  id: string;
  /** For the log. */
  name: string;
  /** Rejects with ProviderError only, except for our own mistakes. */
  extractor: Extractor;
}

interface FallbackOptions {
  /** Folder of the backoffs. */
  state: string;
  /** Asks providers in spite of their backoff, unless they fail in this very drain. */
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
      // An interrupted call is no failure.
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
        // The answer is paid for: the fallback is not asked the same in this drain.
        if (REACTIONS[answer.class].next === 'wait') break;
        const next = awake[index + 1];
        if (next !== undefined) log(`${one.name} failed, next is ${next.name}: ${messageOf(answer)}`);
      }
      throw trouble;
    },
  };
}

/** New characters (10,000 tokens) worth a question before the session ends: with half of it each would know less. */
const PORTION = 40_000;
