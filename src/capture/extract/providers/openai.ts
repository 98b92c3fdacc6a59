import * as z from 'zod/mini';
import { isObject } from '../../../json.ts';
import { given, looseCounts } from '../loose-values.ts';
import { classOfStatus, instructionsOf, type Provider, type ProviderReply, type ProviderRequest } from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import type { Refusal } from './connection.ts';
import { createRestProvider, type Protocol, type RestOptions } from './rest.ts';

const answerShape = z.object({
  choices: z.array(
    z.object({
      finish_reason: given,
      message: z.object({ content: given, refusal: given }),
      error: z.optional(z.unknown()),
    }),
  ),
  usage: looseCounts('prompt_tokens', 'completion_tokens'),
});

const errorShape = z.object({ message: given, code: z.catch(z.union([z.string(), z.number()]), ''), type: given });

/** Reasoning counts as output: tokens in addition, twice an answer's own, so that it is not cut off in mid-thought. */
const REASONING_ROOM = 4_000;

/** `POST {base}/chat/completions`: OpenAI, OpenRouter, Ollama, LM Studio, vLLM, DeepSeek and their like. */
export function createOpenAiProvider(options: RestOptions): Provider {
  // What servers disagree about, as learned from this server's answers.
  const isOpenAi = options.baseUrl.startsWith('https://api.openai.com/');
  const dialect = { limit: isOpenAi ? 'max_completion_tokens' : 'max_tokens', format: 'json_schema' };

  const protocol: Protocol = {
    path: '/chat/completions',
    headers: options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {},
    toBody: (request) => ({
      model: options.model,
      messages: [
        { role: 'system', content: instructionsOf(request) },
        { role: 'user', content: request.user },
      ],
      ...(dialect.limit === 'max_tokens'
        ? { max_tokens: request.maxTokens }
        : { max_completion_tokens: request.maxTokens + REASONING_ROOM }),
      ...formatOf(dialect.format, request),
    }),
    toReply,
    toRefusal,
    adapt(said) {
      if (dialect.limit === 'max_tokens' && said.includes('max_completion_tokens')) {
        dialect.limit = 'max_completion_tokens';
        return true;
      }
      // Some support only the plain JSON mode, some none; the prompt alone yields JSON most of the time.
      if (dialect.format === '' || !/response_format|json_schema|json_object|structured|grammar/i.test(said))
        return false;
      dialect.format = dialect.format === 'json_schema' ? 'json_object' : '';
      return true;
    },
  };
  return createRestProvider(options, protocol);
}

function formatOf(format: string, { wholeSchema }: ProviderRequest): Record<string, unknown> {
  if (format === '') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  return { response_format: { type: format, json_schema: { name: 'remember', schema: wholeSchema, strict: false } } };
}

function toReply(body: unknown): ProviderReply | undefined {
  const parsed = answerShape.safeParse(body);
  const [choice] = parsed.data?.choices ?? [];
  if (!parsed.success || choice === undefined || choice.error) return undefined;
  const { message, finish_reason } = choice;
  const { prompt_tokens, completion_tokens } = parsed.data.usage;
  return {
    output: undefined,
    // Models that think aloud may do so in the answer, and in JSON too.
    text: message.content.replace(/^\s*<think>[\s\S]*?<\/think>/, ''),
    stopReason: message.refusal ? 'refusal' : finish_reason,
    tokens: { input: prompt_tokens, output: completion_tokens },
  };
}

/**
 * Reads `{error: {message, code, type}}`; gateways also send it with status 200, even in a choice, the real status in
 * `code`.
 */
function toRefusal(status: number, body: unknown): Refusal {
  const error = errorIn(body) ?? errorIn(isObject(body) && Array.isArray(body.choices) ? body.choices[0] : undefined);
  if (typeof error === 'string') return { said: error };
  const parsed = errorShape.safeParse(error);
  if (!parsed.success) return { said: '' };
  const { message, code, type } = parsed.data;
  return { said: message, class: classOf(status, `${code} ${type}`, Number(code)) };
}

function errorIn(value: unknown): unknown {
  return isObject(value) ? value.error : undefined;
}

function classOf(status: number, words: string, inner: number): ProviderErrorClass | undefined {
  if (/insufficient_quota|billing|credit|balance/i.test(words)) return 'quota';
  if (status >= 400) return undefined;
  return inner >= 400 ? classOfStatus(inner) : 'transient';
}
