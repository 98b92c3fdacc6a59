import type { Budget, Tokens } from './budget.ts';
import { filesOf } from './cited-files.ts';
import { type Clean, cleanReply } from './clean-reply.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { buildPrompt, buildRepair, type PromptSources, type SessionPrompt } from './prompt.ts';
import { isRefusal, isTruncated, type Provider, ProviderError, type ProviderReply } from './provider.ts';
import { REACTIONS } from './reactions.ts';
import { parseReply, type Reply, type ReplyScope } from './reply.ts';
import { REPLY_SCHEMA, WHOLE_REPLY_SCHEMA } from './reply-schema.ts';
import type { Turn } from './turn.ts';

export interface ModelExtractorOptions {
  provider: Provider;
  budget: Budget;
  sources: PromptSources;
  /** Upper bound of one answer. */
  maxTokens?: number;
  /** Without it, answers are used as they come. */
  clean?: Clean;
  log?: (line: string) => void;
}

/**
 * An extractor that asks a model: one call for a part of a session, and one more to have an unusable answer corrected.
 * Rejects with ProviderError if there is no usable answer, for whatever reason.
 */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { provider, budget, sources, maxTokens = 2_000, clean = async (text) => text, log = () => {} } = options;
  const extractor = `${provider.name}/${provider.model}`;

  const ask = async (prompt: SessionPrompt, signal: AbortSignal, spent: Tokens): Promise<ProviderReply> => {
    budget.reserve(estimateTokens(prompt) + maxTokens);
    const { system, user } = prompt;
    const schemas = { schema: REPLY_SCHEMA, wholeSchema: WHOLE_REPLY_SCHEMA };
    const reply = await provider.complete({ system, user, ...schemas, maxTokens, signal });
    budget.spend(reply.tokens, extractor);
    spent.input += reply.tokens.input;
    spent.output += reply.tokens.output;
    return reply;
  };

  const askTwice = async (turns: Turn[], context: ExtractionContext, spent: Tokens): Promise<Reply> => {
    const prompt = await buildPrompt(turns, context, sources);
    const open = turns.map((turn) => (turn.saved ? undefined : turn.key));
    const scope: ReplyScope = { types: context.types, ids: prompt.ids, files: filesOf(turns), turns: open };
    const attempt = async (question: SessionPrompt, name: 'first' | 'second'): Promise<Reply> => {
      let answer = '';
      try {
        const reply = await cleanReply(await ask(question, context.signal, spent), clean);
        answer = reply.text || (JSON.stringify(reply.output) ?? '');
        if (isRefusal(reply.stopReason)) throw new ProviderError('declined', `${extractor} declined the session.`);
        return parseReply(reply.output, reply.text, scope, isTruncated(reply.stopReason));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const { again, next } = REACTIONS[error.class];
        // The caller, which keeps the turns, reports the other errors.
        if (error.class === 'declined') log(error.message);
        else if (next === 'wait') log(`${extractor}, ${name} answer: ${error.message}`);
        if (again !== 'corrected' || name === 'second') throw error;
        return attempt(buildRepair(prompt, { problem: error.message, answer }, sources), 'second');
      }
    };
    return attempt(prompt, 'first');
  };

  return {
    async extract(turns, context): Promise<Extraction> {
      const spent: Tokens = { input: 0, output: 0 };
      const { observations, summary, skip } = await askTwice(turns, context, spent);
      if (skip !== undefined) log(`${extractor} found nothing to keep: ${skip}`);
      return { observations, summary: summary ?? context.summary, extractor, spent };
    },
  };
}

/** Four characters a token is within a few percent for prose and code. */
function estimateTokens({ system, user }: SessionPrompt): number {
  return Math.ceil((system.length + user.length + JSON.stringify(REPLY_SCHEMA).length) / 4);
}
