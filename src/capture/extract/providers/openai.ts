import * as z from 'zod/mini';
import { isObject, jsonIn } from '../../../json.ts';
import { withoutEndSlashes } from '../../../slashes.ts';
import { given, looseCounts } from '../loose-values.ts';
import {
  classOfStatus,
  instructionsOf,
  type Limits,
  type Provider,
  ProviderError,
  type ProviderErrorClass,
  type ProviderReply,
  type ProviderRequest,
  retryAfterMs,
  WHOLE_REPLY_SCHEMA,
} from '../provider.ts';
import { guardedFetch, type Refusal, refused, unreached, withLimits } from './connection.ts';

/** Where a model answers over HTTP, and on whose account. */
export interface OpenAiOptions extends Limits {
  /** First half of a record's `extractor`: `ollama`. */
  name: string;
  /** Its product name: `Ollama`. */
  label: string;
  model: string;
  /** Address to which `/chat/completions` is appended. */
  baseUrl: string;
  /** Empty if the server needs none. */
  apiKey: string;
}

/** Longest time for one answer, twice that of Anthropic's API: models on the user's own machine are slow. */
const TIMEOUT_MS = 120_000;

/** Reasoning counts as output: extra tokens, twice an answer's own, so that it is not cut off in mid-thought. */
const REASONING_ROOM = 4_000;

/** `POST {base}/chat/completions`: OpenAI, OpenRouter, Gemini, Ollama, LM Studio, vLLM, DeepSeek and similar. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { name, label, model, apiKey } = options;
  const base = withoutEndSlashes(options.baseUrl);
  const hint = 'Check the network and extract.base_url; the events are kept and tried again later.';
  // What servers disagree about, as learned from this server's answers.
  const dialect: Dialect = {
    limit: base.startsWith('https://api.openai.com/') ? 'max_completion_tokens' : 'max_tokens',
    room: name === 'gemini' ? REASONING_ROOM : 0,
    format: 'json_schema',
  };

  const post = async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> => {
    assertAddress(base);
    const response = await guardedFetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(toBody(request, model, dialect)),
      signal,
    });
    const body = jsonIn(await response.text());
    const reply = response.ok ? toReply(body) : undefined;
    if (reply !== undefined) return reply;
    const refusal = toRefusal(response.status, body);
    const wait = refusal.retryAfterMs ?? retryAfterMs(response.headers.get('retry-after'), new Date());
    if (response.ok && refusal.class === undefined) throw strange(label);
    if ([400, 404, 422].includes(response.status) && adapt(dialect, refusal.said)) return post(request, signal);
    throw refused({ label, apiKey, keyHint: KEY_HINT }, response.status, { ...refusal, retryAfterMs: wait });
  };

  const toError = (error: unknown) => unreached(label, error, { apiKey, hint });
  return withLimits({ name, model, label, ask: post, toError }, options.timeoutMs ?? TIMEOUT_MS);
}

interface Dialect {
  limit: 'max_tokens' | 'max_completion_tokens';
  /** Tokens for reasoning, on top of `max_tokens`. */
  room: number;
  format: 'json_schema' | 'json_object' | '';
}

function toBody(request: ProviderRequest, model: string, { limit, room, format }: Dialect): Record<string, unknown> {
  return {
    model,
    messages: [
      { role: 'system', content: instructionsOf(request) },
      { role: 'user', content: request.user },
    ],
    [limit]: request.maxTokens + (limit === 'max_tokens' ? room : REASONING_ROOM),
    ...formatOf(format),
  };
}

function formatOf(format: Dialect['format']): Record<string, unknown> {
  if (format === '') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  return {
    response_format: { type: format, json_schema: { name: 'remember', schema: WHOLE_REPLY_SCHEMA, strict: false } },
  };
}

/** Adapts to a server after it refused a request; false if there is nothing to change. */
function adapt(dialect: Dialect, said: string): boolean {
  if (dialect.limit === 'max_tokens' && said.includes('max_completion_tokens')) {
    dialect.limit = 'max_completion_tokens';
    return true;
  }
  // Some support only the plain JSON mode, some none; the prompt alone yields JSON most of the time.
  if (dialect.format === '' || !/response_format|json_schema|json_object|structured|grammar/i.test(said)) return false;
  dialect.format = dialect.format === 'json_schema' ? 'json_object' : '';
  return true;
}

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

function toReply(body: unknown): ProviderReply | undefined {
  const parsed = answerShape.safeParse(body);
  const [choice] = parsed.data?.choices ?? [];
  if (!parsed.success || choice === undefined || choice.error) return undefined;
  const { message, finish_reason } = choice;
  const { prompt_tokens, completion_tokens } = parsed.data.usage;
  return {
    output: undefined,
    // Models may think aloud in the answer itself, in JSON mode too.
    text: message.content.replace(/^\s*<think>[\s\S]*?<\/think>/, ''),
    stopReason: message.refusal ? 'refusal' : finish_reason,
    tokens: { input: prompt_tokens, output: completion_tokens },
  };
}

const errorShape = z.object({
  message: given,
  code: z.catch(z.union([z.string(), z.number()]), ''),
  type: given,
  status: given,
  details: z.optional(z.unknown()),
});

/**
 * Reads `{error: {message, code, type}}`; gateways also send it with status 200, even in a choice, the real status in
 * `code`. Gemini sends a list of one, with Google's `status` and typed `details`.
 */
function toRefusal(status: number, body: unknown): Refusal {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const error =
    errorIn(whole) ?? errorIn(isObject(whole) && Array.isArray(whole.choices) ? whole.choices[0] : undefined);
  if (typeof error === 'string') return { said: error };
  const parsed = errorShape.safeParse(error);
  if (!parsed.success) return { said: '' };
  const { message, code, type } = parsed.data;
  const words = [code, type, parsed.data.status, JSON.stringify(parsed.data.details)].join(' ');
  const seconds = /"retryDelay":"(\d+(?:\.\d+)?)s"/.exec(words)?.[1];
  return {
    said: message,
    class: classOf(status, words, Number(code)),
    ...(seconds !== undefined && { retryAfterMs: Math.round(Number(seconds) * 1000) }),
  };
}

function errorIn(value: unknown): unknown {
  return isObject(value) ? value.error : undefined;
}

function classOf(status: number, words: string, inner: number): ProviderErrorClass | undefined {
  // Google: a wrong key is an INVALID_ARGUMENT like a bad prompt, and a daily limit has the same status as a short one.
  if (/API_KEY_INVALID|UNAUTHENTICATED/.test(words)) return 'auth';
  if (/insufficient_quota|billing|credit|balance|"quotaId":"[^"]*PerDay/i.test(words)) return 'quota';
  if (status >= 400) return undefined;
  return inner >= 400 ? classOfStatus(inner) : 'transient';
}

const KEY_HINT = 'Set a valid key as extract.api_key_env or extract.api_key_command says, or extract.provider to none.';

/** What is wrong with an address, as a sentence, or empty. fetch rejects a password in it, and would print it. */
export function addressProblem(base: string, setting = 'extract.base_url'): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return `${setting} is not an http or https address.`;
  return url.username + url.password === '' ? '' : `${setting} holds a password.`;
}

function assertAddress(base: string): void {
  const problem = addressProblem(base);
  if (problem === '') return;
  throw new ProviderError('auth', problem, { hint: 'Name a variable for the key in extract.api_key_env.' });
}

function strange(label: string): ProviderError {
  return new ProviderError('transient', `The server that answered does not speak the protocol of ${label}.`, {
    hint: 'Check extract.base_url and any proxy in between.',
  });
}
