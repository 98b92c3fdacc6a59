import { jsonIn } from '../../json.ts';
import type { Budget, Tokens } from './budget.ts';
import { isRefusal, type JsonSchema, type Provider, ProviderError, type ProviderReply, REACTIONS } from './provider.ts';

/** What a model is asked, and how its answer is read. */
export interface ModelQuestion<Answer> {
  system: string;
  user: string;
  schema: JsonSchema;
  wholeSchema: JsonSchema;
  /** Reads an answer; throws ProviderError `invalid-output`, whose message can be sent back. */
  read(reply: ProviderReply): Answer;
  /** The question again, with what was wrong with the first answer. */
  corrected(failure: { problem: string; answer: string }): { system: string; user: string };
}

/** A provider with a budget, whose answers are cleaned and corrected once. */
export interface Model {
  /** As records name it: `anthropic/claude-haiku-4-5`. */
  name: string;
  /** Counts what the question took in `spent`. Rejects with ProviderError if there is no usable answer. */
  ask<Answer>(question: ModelQuestion<Answer>, signal: AbortSignal, spent?: Tokens): Promise<Answer>;
}

export interface ModelOptions {
  provider: Provider;
  budget: Budget;
  /** Upper bound of one answer. */
  maxTokens?: number;
  /** Without it, answers are used as they come. */
  clean?: Clean;
  log?: (line: string) => void;
}

/** A model to ask: one call for a question, and one more to have an unusable answer corrected. */
export function createModel(options: ModelOptions): Model {
  const { provider, budget, maxTokens = 2_000, clean = async (text) => text, log = () => {} } = options;
  const model = `${provider.name}/${provider.model}`;

  async function complete(
    { system, user, schema, wholeSchema }: Omit<ModelQuestion<unknown>, 'read' | 'corrected'>,
    signal: AbortSignal,
    spent: Tokens,
  ): Promise<ProviderReply> {
    budget.reserve(estimateTokens([system, user, JSON.stringify(schema)]) + maxTokens);
    const reply = await provider.complete({ system, user, schema, wholeSchema, maxTokens, signal });
    budget.spend(reply.tokens, model);
    spent.input += reply.tokens.input;
    spent.output += reply.tokens.output;
    return reply;
  }

  return {
    name: model,
    ask(question, signal, spent = { input: 0, output: 0 }) {
      const attempt = async (words: { system: string; user: string }, name: 'first' | 'second') => {
        let answer = '';
        try {
          const reply = await cleanReply(await complete({ ...question, ...words }, signal, spent), clean);
          answer = reply.text || (JSON.stringify(reply.output) ?? '');
          if (isRefusal(reply.stopReason)) throw new ProviderError('declined', `${model} declined to answer.`);
          return question.read(reply);
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          const { again, next } = REACTIONS[error.class];
          // The caller reports the other errors.
          if (error.class === 'declined') log(error.message);
          else if (next === 'wait') log(`${model}, ${name} answer: ${error.message}`);
          if (again !== 'corrected' || name === 'second') throw error;
          return attempt(question.corrected({ problem: error.message, answer }), 'second');
        }
      };
      return attempt(question, 'first');
    },
  };
}

/** Four characters a token is within a few percent for prose and code. */
function estimateTokens(texts: string[]): number {
  return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / 4);
}

const TEXT = { type: 'string' };

/** The summary comes first, so that a truncated answer loses only observations. */
function schemaOf({ list, summary }: { list: JsonSchema; summary: JsonSchema }): JsonSchema {
  return {
    type: 'object',
    properties: {
      skip: TEXT,
      summary,
      observations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            turn: TEXT,
            type: TEXT,
            title: TEXT,
            subtitle: TEXT,
            narrative: TEXT,
            facts: list,
            concepts: list,
            files_read: list,
            files_modified: list,
            supersedes: list,
          },
          required: ['type', 'title', 'narrative', 'facts'],
        },
      },
    },
  };
}

/**
 * The schema that a model is asked for. It is sent with every question, so the obvious is left out: an array without
 * items holds strings, and only the prompt names the summary's keys.
 */
export const REPLY_SCHEMA: JsonSchema = schemaOf({ list: { type: 'array' }, summary: { type: 'object' } });

const LIST = { type: 'array', items: TEXT };

/** The same with nothing left out, for providers that reject, or never fill, what is not spelled out. */
export const WHOLE_REPLY_SCHEMA: JsonSchema = schemaOf({
  list: LIST,
  summary: {
    type: 'object',
    properties: { request: TEXT, learned: LIST, completed: LIST, next_steps: LIST, notes: LIST },
  },
});

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
