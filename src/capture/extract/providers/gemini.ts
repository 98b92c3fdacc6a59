import * as z from 'zod/mini';
import { isObject } from '../../../json.ts';
import { given, looseCounts } from '../loose-values.ts';
import type { JsonSchema, Provider, ProviderReply } from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import type { Refusal } from './connection.ts';
import { createRestProvider, type RestOptions } from './rest.ts';

const answerShape = z.object({
  candidates: z.catch(
    z.array(
      z.object({
        finishReason: given,
        content: z.catch(
          z.object({
            parts: z.array(z.object({ text: given, thought: z.catch(z.boolean(), false) })),
          }),
          { parts: [] },
        ),
      }),
    ),
    [],
  ),
  promptFeedback: z.optional(z.object({ blockReason: given })),
  usageMetadata: looseCounts('promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'),
});

const errorShape = z.object({
  error: z.object({
    message: given,
    status: given,
    details: z.catch(z.array(z.unknown()), []),
  }),
});

/** Thinking counts as output: tokens in addition, twice an answer's own, so that it is not cut off in mid-thought. */
const THINKING_ROOM = 4_000;

/** Google's `POST {base}/models/{model}:generateContent`. */
export function createGeminiProvider(options: RestOptions): Provider {
  return createRestProvider(options, {
    path: `/models/${encodeURIComponent(options.model.replace(/^models\//, ''))}:generateContent`,
    // Never in the address, as in many examples: addresses end up in logs.
    headers: { 'x-goog-api-key': options.apiKey },
    toBody: ({ system, user, wholeSchema, maxTokens }) => ({
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: {
        maxOutputTokens: maxTokens + THINKING_ROOM,
        responseMimeType: 'application/json',
        responseSchema: toGeminiSchema(wholeSchema),
      },
    }),
    toReply,
    toRefusal,
  });
}

/** The same schema in the API's own dialect, which writes types in capitals. */
function toGeminiSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'type') return [key, String(value).toUpperCase()];
      if (key === 'items' && isObject(value)) return [key, toGeminiSchema(value)];
      if (key !== 'properties' || !isObject(value)) return [key, value];
      const properties = Object.entries(value).map(([name, one]) => [name, isObject(one) ? toGeminiSchema(one) : one]);
      return [key, Object.fromEntries(properties)];
    }),
  );
}

function toReply(body: unknown): ProviderReply | undefined {
  const parsed = answerShape.safeParse(body);
  const [candidate] = parsed.data?.candidates ?? [];
  const blocked = parsed.data?.promptFeedback?.blockReason ?? '';
  if (!parsed.success || (candidate === undefined && blocked === '')) return undefined;
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = parsed.data.usageMetadata;
  const spoken = candidate?.content.parts.filter(({ thought }) => !thought) ?? [];
  return {
    output: undefined,
    text: spoken.map(({ text }) => text).join(''),
    // A blocked prompt, whatever the reason, has no candidate.
    stopReason: candidate === undefined ? 'refusal' : candidate.finishReason,
    tokens: { input: promptTokenCount, output: candidatesTokenCount + thoughtsTokenCount },
  };
}

function toRefusal(_status: number, body: unknown): Refusal {
  const parsed = errorShape.safeParse(body);
  if (!parsed.success) return { said: '' };
  const { message, status, details } = parsed.data.error;
  // Google's error details are a list of typed objects; the strings below occur in no other field.
  const words = JSON.stringify(details);
  const seconds = /"retryDelay":"(\d+(?:\.\d+)?)s"/.exec(words)?.[1];
  return {
    said: message,
    class: classOf(status, words),
    ...(seconds !== undefined && { retryAfterMs: Math.round(Number(seconds) * 1000) }),
  };
}

function classOf(status: string, details: string): ProviderErrorClass | undefined {
  // A wrong key is an INVALID_ARGUMENT, like a bad prompt.
  if (details.includes('API_KEY_INVALID') || status === 'UNAUTHENTICATED') return 'auth';
  // Both limits are RESOURCE_EXHAUSTED with 429: one passes within a minute, the other at midnight.
  if (/"quotaId":"[^"]*PerDay/.test(details)) return 'quota';
  return undefined;
}
