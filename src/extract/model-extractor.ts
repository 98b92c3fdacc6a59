import { oneLine } from '../memory/record.ts';
import type { Budget, Tokens } from './budget.ts';
import { filesOf } from './cited-files.ts';
import { clampSentences } from './clamp.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { buildPrompt, buildRepair, type PromptSources, type TurnPrompt } from './prompt.ts';
import { isRefusal, isTruncated, type Provider, ProviderError, type ProviderReply } from './provider.ts';
import { parseReply, type Reply, type ReplyScope } from './reply.ts';
import { REPLY_SCHEMA, WHOLE_REPLY_SCHEMA } from './reply-schema.ts';
import type { Turn } from './turn.ts';

export interface ModelExtractorOptions {
  provider: Provider;
  budget: Budget;
  sources: PromptSources;
  /** Takes the turns that the model cannot make records of. */
  fallback: Extractor;
  /** Upper bound of one answer. */
  maxTokens?: number;
  log?: (line: string) => void;
}

const REQUEST_MAX = 160;

/**
 * An extractor that asks a model: one call a turn, one more to mend an unusable answer, then the fallback. Trouble that
 * may pass (no network, overload, limits, a refused key) rejects with ProviderError, so that the turn is kept for later.
 */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { provider, budget, sources, fallback, maxTokens = 2_000, log = () => {} } = options;
  const extractor = `${provider.name}/${provider.model}`;

  const ask = async (prompt: TurnPrompt, signal: AbortSignal, spent: Tokens): Promise<ProviderReply> => {
    budget.reserve(estimateTokens(prompt) + maxTokens);
    const { system, user } = prompt;
    const schemas = { schema: REPLY_SCHEMA, wholeSchema: WHOLE_REPLY_SCHEMA };
    const reply = await provider.complete({ system, user, ...schemas, maxTokens, signal });
    budget.spend(reply.tokens, extractor);
    spent.input += reply.tokens.input;
    spent.output += reply.tokens.output;
    return reply;
  };

  /** Undefined where the model cannot help with this turn, now or later. */
  const askTwice = async (turn: Turn, context: ExtractionContext, spent: Tokens): Promise<Reply | undefined> => {
    const prompt = buildPrompt(turn, context, sources);
    const scope: ReplyScope = { types: context.types, ids: prompt.ids, files: filesOf(turn) };
    let question = prompt;
    for (const attempt of ['first', 'second']) {
      let answer = '';
      try {
        const reply = await ask(question, context.signal, spent);
        answer = reply.text || (JSON.stringify(reply.output) ?? '');
        if (isRefusal(reply.stopReason)) {
          log(`${extractor} declined the turn.`);
          return undefined;
        }
        return parseReply(reply.output, reply.text, scope, isTruncated(reply.stopReason));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (error.class !== 'invalid-output' && error.class !== 'bad-request') throw error;
        log(`${extractor}, ${attempt} answer: ${error.message}`);
        if (error.class === 'bad-request') return undefined;
        question = buildRepair(prompt, { problem: error.message, answer }, sources);
      }
    }
    return undefined;
  };

  return {
    async extract(turn, context): Promise<Extraction> {
      const spent: Tokens = { input: 0, output: 0 };
      const reply = await askTwice(turn, context, spent);
      if (reply === undefined) return { ...(await fallback.extract(turn, context)), ...(isPaid(spent) && { spent }) };
      if (reply.skip !== undefined) log(`${extractor} skipped the turn: ${reply.skip}`);
      const { observations, digest } = reply;
      const request = digest.request || (reply.skip === undefined ? requestOf(turn) : '');
      return { observations, digest: { ...digest, request }, extractor, spent };
    },
  };
}

/** Four characters a token is within a few percent for prose and code. */
function estimateTokens({ system, user }: TurnPrompt): number {
  return Math.ceil((system.length + user.length + JSON.stringify(REPLY_SCHEMA).length) / 4);
}

function isPaid({ input, output }: Tokens): boolean {
  return input + output > 0;
}

function requestOf(turn: Turn): string {
  return turn.promptFrom === 'user' ? clampSentences(oneLine(turn.prompt), REQUEST_MAX) : '';
}
