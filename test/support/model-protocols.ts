import type { Provider } from '../../src/capture/extract/provider.ts';
import { createAnthropicProvider } from '../../src/capture/extract/providers/anthropic.ts';
import { createOpenAiProvider } from '../../src/capture/extract/providers/openai.ts';
import { json, type Reaction } from './loopback.ts';

export interface Patience {
  timeoutMs?: number;
}

/** A model's answer, whatever the protocol. */
export interface Said {
  text: string;
  isCutOff?: boolean;
  isRefused?: boolean;
  tokens?: { input: number; output: number };
}

/** One protocol, from both ends: the provider that speaks it, and how its server answers. */
export interface ModelProtocol {
  name: string;
  path: RegExp;
  create(baseUrl: string, apiKey: string, patience: Patience): Provider;
  said(answer: Said): Reaction;
  error(status: number, text: string, headers?: Record<string, string>): Reaction;
  /** An account without money or allowance. */
  broke: Reaction;
  /** A key that is none. */
  unknownKey(text: string): Reaction;
}

const USAGE = { input: 1200, output: 300 };

const ANTHROPIC: ModelProtocol = {
  name: 'anthropic',
  path: /^\/v1\/messages$/,
  create: (baseUrl, apiKey, patience) => createAnthropicProvider({ apiKey, baseUrl, ...patience }),
  said: ({ text, isCutOff, isRefused, tokens = USAGE }) =>
    json(200, {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text }],
      stop_reason: isCutOff ? 'max_tokens' : isRefused ? 'refusal' : 'end_turn',
      usage: { input_tokens: tokens.input, output_tokens: tokens.output },
    }),
  error: (status, message, headers) => json(status, { type: 'error', error: { type: 'api_error', message } }, headers),
  broke: json(400, {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'Your credit balance is too low.' },
  }),
  unknownKey: (message) => json(401, { type: 'error', error: { type: 'authentication_error', message } }),
};

/** What speaks OpenAI's protocol differs in names and addresses only. */
export function openAiLike(name: string): ModelProtocol {
  return {
    name,
    path: /^\/v1\/chat\/completions$/,
    create: (baseUrl, apiKey, patience) =>
      createOpenAiProvider({
        name,
        label: name,
        model: 'some-model',
        baseUrl: `${baseUrl}/v1/`,
        apiKey,
        ...patience,
      }),
    said: ({ text, isCutOff, isRefused, tokens = USAGE }) =>
      json(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model: 'some-model',
        choices: [
          {
            index: 0,
            finish_reason: isCutOff ? 'length' : 'stop',
            message: { role: 'assistant', content: isRefused ? null : text, refusal: isRefused ? 'No.' : null },
          },
        ],
        usage: { prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: 0 },
      }),
    error: (status, message, headers) =>
      json(status, { error: { message, type: 'server_error', param: null, code: null } }, headers),
    broke: json(429, {
      error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' },
    }),
    unknownKey: (message) => json(401, { error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } }),
  };
}

/** Gemini answers like OpenAI, and refuses like Google: in a list, with a status and typed details. */
function geminiLike(): ModelProtocol {
  const refusal = (code: number, message: string, status: string, details: unknown[]) =>
    json(code, [{ error: { code, message, status, details } }]);
  return {
    ...openAiLike('gemini'),
    error: (code, message, headers) =>
      json(code, [{ error: { code, message, status: 'UNAVAILABLE', details: [] } }], headers),
    broke: refusal(429, 'You exceeded your current quota.', 'RESOURCE_EXHAUSTED', [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
      },
    ]),
    unknownKey: (message) =>
      refusal(400, message, 'INVALID_ARGUMENT', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      ]),
  };
}

/** Every protocol that providers speak over HTTP. */
export const PROTOCOLS: ModelProtocol[] = [ANTHROPIC, geminiLike(), openAiLike('openai'), openAiLike('openrouter')];
