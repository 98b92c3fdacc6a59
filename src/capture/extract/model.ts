import type { Budget, Tokens } from './budget.ts';
import { type Clean, cleanReply } from './clean-reply.ts';
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
