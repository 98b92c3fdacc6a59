import type { default as Anthropic, APIError } from '@anthropic-ai/sdk';
import {
  classOfStatus,
  type Limits,
  type Provider,
  ProviderError,
  type ProviderErrorClass,
  type ProviderReply,
  type ProviderRequest,
  REPLY_SCHEMA,
  retryAfterMs,
} from '../provider.ts';
import { guardedFetch, refused, unreached, withLimits } from './connection.ts';

/** Cheapest model that writes good records. */
export const DEFAULT_ANTHROPIC_MODEL = 'claude-haiku-4-5';

export interface AnthropicOptions extends Limits {
  apiKey: string;
  model?: string | undefined;
  /** Without it the SDK uses ANTHROPIC_BASE_URL, then the public API. */
  baseUrl?: string | undefined;
}

const TOOL = 'remember';
const KEY_HINT = 'Set a valid ANTHROPIC_API_KEY, or extract.provider to none.';

/** Anthropic's Messages API through its SDK, which the first request loads. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const apiKey = options.apiKey.trim();
  const model = options.model || DEFAULT_ANTHROPIC_MODEL;
  // An answer of at most 2,000 tokens takes seconds; no person waits for a drain, so a busy API gets a minute.
  const timeoutMs = options.timeoutMs ?? 60_000;
  let sdk: typeof import('@anthropic-ai/sdk') | undefined;
  const ask = async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> => {
    if (apiKey === '') throw new ProviderError('auth', 'No key for Anthropic is set.', { hint: KEY_HINT });
    sdk ??= await import('@anthropic-ai/sdk');
    const client = connect(sdk.Anthropic, apiKey, options.baseUrl, timeoutMs);
    return toReply(await client.messages.create(toParams(request, model), { signal }));
  };
  const toError = (error: unknown) =>
    sdk !== undefined && error instanceof sdk.APIError ? fromApi(error, apiKey) : fromConnection(error, apiKey);
  return withLimits({ name: 'anthropic', model, label: 'Anthropic', ask, toError }, timeoutMs);
}

function connect(Client: typeof Anthropic, apiKey: string, baseUrl: string | undefined, timeout: number): Anthropic {
  return new Client({
    timeout,
    fetch: guardedFetch,
    // A key given here keeps the SDK from looking for others in the environment and in profiles on disk.
    apiKey,
    ...(baseUrl && { baseURL: baseUrl }),
    // The SDK waits as long as Retry-After says, hours included; a later drain asks again.
    maxRetries: 0,
    // ANTHROPIC_LOG=debug would print prompts on standard output, a registered tracer would export them.
    logLevel: 'off',
    openTelemetry: false,
  });
}

function toParams(request: ProviderRequest, model: string): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: request.maxTokens,
    system: request.system,
    messages: [{ role: 'user', content: request.user }],
    tools: [{ name: TOOL, input_schema: { ...REPLY_SCHEMA, type: 'object' } }],
    tool_choice: { type: 'tool', name: TOOL, disable_parallel_tool_use: true },
  };
}

/** Reads the answer field by field: a proxy may have answered in the API's place. */
function toReply(message: Partial<Anthropic.Message>): ProviderReply {
  if (!Array.isArray(message.content)) {
    throw new ProviderError('transient', 'The server that answered does not speak the Messages API.', {
      hint: 'Check extract.base_url, ANTHROPIC_BASE_URL and any proxy in between.',
    });
  }
  const call = message.content.find((part) => part.type === 'tool_use');
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const usage = message.usage;
  const cached = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
  return {
    output: call?.input,
    text: texts.join('\n'),
    stopReason: message.stop_reason ?? '',
    tokens: { input: (usage?.input_tokens ?? 0) + cached, output: usage?.output_tokens ?? 0 },
  };
}

function fromApi(error: APIError, apiKey: string): ProviderError {
  const { status } = error;
  if (status === undefined) return fromConnection(error, apiKey);
  return refused({ label: 'Anthropic', apiKey, keyHint: KEY_HINT }, status, {
    said: error.apiMessage ?? '',
    class: classOf(status, error),
    retryAfterMs: retryAfterMs(error.headers?.get('retry-after'), new Date()),
  });
}

function classOf(status: number, error: APIError): ProviderErrorClass {
  if (error.type === 'overloaded_error') return 'overloaded';
  if (error.type === 'billing_error' || error.errorCode?.includes('spend_limit')) return 'quota';
  // An empty account is a plain invalid_request_error: only the message distinguishes it from a bad prompt.
  if (status === 400 && error.apiMessage?.toLowerCase().includes('credit balance')) return 'quota';
  return classOfStatus(status);
}

function fromConnection(error: unknown, apiKey: string): ProviderError {
  const hint = 'Check the network, extract.base_url and ANTHROPIC_BASE_URL; the events are kept and tried again later.';
  return unreached('Anthropic', error, { apiKey, hint });
}
