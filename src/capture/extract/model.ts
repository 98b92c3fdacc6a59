import { jsonIn } from '../../json.ts';
import type { Budget, Tokens } from './budget.ts';
import type { Extractor } from './extractor.ts';
import type { Mode } from './mode.ts';
import { buildPrompt, buildRepair, type SessionPrompt } from './prompt.ts';
import {
  isRefusal,
  isTruncated,
  type Provider,
  ProviderError,
  type ProviderReply,
  REACTIONS,
  REPLY_SCHEMA,
} from './provider.ts';
import { filesOf, parseReply, type Reply, type ReplyScope } from './reply.ts';

/** Upper bound of one answer. */
const MAX_TOKENS = 2_000;

export interface ModelExtractorOptions {
  provider: Provider;
  budget: Budget;
  mode: Mode;
  clean: Clean;
  log: (line: string) => void;
}

/**
 * An extractor that asks a model about a part of a session: one call, and one more to have an unusable answer corrected.
 * Rejects with ProviderError if there is no usable answer, for whatever reason.
 */
export function createModelExtractor({ provider, budget, mode, clean, log }: ModelExtractorOptions): Extractor {
  const model = `${provider.name}/${provider.model}`;
  return {
    async extract(turns, context) {
      const spent: Tokens = { input: 0, output: 0 };
      const prompt = await buildPrompt(turns, context, mode);
      const open = turns.map((turn) => (turn.saved ? undefined : turn.key));
      const scope: ReplyScope = { types: context.types, ids: prompt.ids, files: filesOf(turns), turns: open };

      const ask = async ({ system, user }: SessionPrompt, name: 'first' | 'second'): Promise<Reply> => {
        let answer = '';
        try {
          budget.reserve(estimateTokens([system, user, JSON.stringify(REPLY_SCHEMA)]) + MAX_TOKENS);
          const given = await provider.complete({ system, user, maxTokens: MAX_TOKENS, signal: context.signal });
          budget.spend(given.tokens, model);
          spent.input += given.tokens.input;
          spent.output += given.tokens.output;
          const { output, text, stopReason } = await cleanReply(given, clean);
          answer = text || (JSON.stringify(output) ?? '');
          if (isRefusal(stopReason)) throw new ProviderError('declined', `${model} declined to answer.`);
          return parseReply(output, text, scope, isTruncated(stopReason));
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          // The caller reports the other errors.
          if (error.class === 'declined') log(error.message);
          else if (REACTIONS[error.class].next === 'wait') log(`${model}, ${name} answer: ${error.message}`);
          if (error.class !== 'invalid-output' || name === 'second') throw error;
          return ask(buildRepair(prompt, { problem: error.message, answer }), 'second');
        }
      };

      const { observations, summary } = await ask(prompt, 'first');
      return { observations, summary: summary ?? context.summary, extractor: model, spent };
    },
  };
}

/** Four characters per token is within a few percent for prose and code. */
function estimateTokens(texts: string[]): number {
  return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / 4);
}

/** Removes secrets from a text. */
export type Clean = (text: string) => Promise<string>;

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/**
 * Removes secrets from a model's raw answer, text by text: a secret that spans lines is no longer recognised once a
 * record's rules have joined the lines, nor while a line break is written `\n`.
 */
export async function cleanReply(reply: ProviderReply, clean: Clean): Promise<ProviderReply> {
  const output = await mapTexts(reply.output, clean);
  return { ...reply, output, text: await clean(await mapQuoted(reply.text, clean)) };
}

async function mapTexts(value: unknown, map: Clean): Promise<unknown> {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return Promise.all(value.map((one) => mapTexts(one, map)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, one]) => [key, await mapTexts(one, map)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Maps the JSON strings in a text that may hold other text too; the rest stays as it is. */
async function mapQuoted(text: string, map: Clean): Promise<string> {
  let result = '';
  let end = 0;
  for (const { 0: quoted, index } of text.matchAll(QUOTED)) {
    result += text.slice(end, index) + (await mapLiteral(quoted, map));
    end = index + quoted.length;
  }
  return result + text.slice(end);
}

async function mapLiteral(quoted: string, map: Clean): Promise<string> {
  const value = jsonIn(quoted);
  return typeof value === 'string' ? JSON.stringify(await map(value)) : quoted;
}
