import { GitMemError } from '../../errors.ts';

/** One question to a model, which answers in the structure of `REPLY_SCHEMA`. */
export interface ProviderRequest {
  system: string;
  user: string;
  /** Upper bound of the answer. */
  maxTokens: number;
  signal: AbortSignal;
}

/** A model's answer, unvalidated. */
export interface ProviderReply {
  /** The answer in the requested structure; undefined if the model only wrote text. */
  output: unknown;
  text: string;
  /** The provider's own term; `isTruncated` and `isRefusal` know those that matter. */
  stopReason: string;
  tokens: { input: number; output: number };
}

/** A model that answers in a given structure. One file each in `providers/`; rejects only with ProviderError. */
export interface Provider {
  /** First half of a record's `extractor`: `anthropic`. */
  name: string;
  model: string;
  complete(request: ProviderRequest): Promise<ProviderReply>;
}

/** Why a provider gave no usable answer; `REACTIONS` says what its class leads to. */
export class ProviderError extends GitMemError {
  readonly class: ProviderErrorClass;
  /** Wait that the provider asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(errorClass: ProviderErrorClass, message: string, options: { hint?: string; retryAfterMs?: number } = {}) {
    super('provider', message, options.hint === undefined ? {} : { hint: options.hint });
    this.name = 'ProviderError';
    this.class = errorClass;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Tells whether the answer was cut off, by any provider's term for it. */
export function isTruncated(stopReason: string): boolean {
  return /^(max_tokens|max_output_tokens|length|model_context_window_exceeded)$/i.test(stopReason);
}

/** Tells whether the model declined to answer, by any provider's term for it. */
export function isRefusal(stopReason: string): boolean {
  return /^(refusal|safety|prohibited_content|content_filter|blocklist)$/i.test(stopReason);
}

/** The class for an HTTP status if the body says nothing more specific. */
export function classOfStatus(status: number): ProviderErrorClass {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429) return 'rate-limit';
  if (status === 503 || status === 529) return 'overloaded';
  if (status === 408 || status === 409 || status === 425 || status === 499 || status >= 500) return 'transient';
  return status >= 400 ? 'bad-request' : 'transient';
}

/** Milliseconds from a Retry-After header (seconds or an HTTP date); undefined where it says nothing usable. */
export function retryAfterMs(header: string | null | undefined, now: Date): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms) : undefined;
}

/** What bounds a question to a provider. */
export interface Limits {
  /** Time for one answer, from the first byte sent to the last one read. */
  timeoutMs?: number | undefined;
}

/** The system text with the schema: most servers and programs enforce it, if at all, without showing it to the model. */
export function instructionsOf({ system }: ProviderRequest): string {
  return `${system}\nThe answer is one JSON object and nothing else. The schema: ${JSON.stringify(REPLY_SCHEMA)}`;
}

const TEXT = { type: 'string' };

/** The summary comes first, so that a truncated answer loses only observations. */
function schemaOf({ list, summary }: { list: object; summary: object }) {
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
export const REPLY_SCHEMA = schemaOf({ list: { type: 'array' }, summary: { type: 'object' } });

const LIST = { type: 'array', items: TEXT };

/** The same with nothing left out, for providers that reject, or never fill, what is not spelled out. */
export const WHOLE_REPLY_SCHEMA = schemaOf({
  list: LIST,
  summary: {
    type: 'object',
    properties: { request: TEXT, learned: LIST, completed: LIST, next_steps: LIST, notes: LIST },
  },
});

/** The reaction to one class of provider failure. */
interface Reaction {
  /** Whether the next provider of the chain is asked at once, or the turns wait for a later drain. */
  next: 'ask' | 'wait';
  /** Its backoff: doubled from the first to the longest, or as long as the provider asks, if that is longer. */
  rest: { firstMs: number; longestMs: number } | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The reaction to every class of failure. The next provider is asked only if the one before gave no answer: answers are paid for,
 * so a question costs at most one answer, and one more to correct it. Turns without an answer for longer than
 * `extract.fallback_after` are left to the session digest.
 */
export const REACTIONS = {
  // Only a person can correct a key; changed settings count as another provider, which has not failed yet.
  auth: { next: 'ask', rest: { firstMs: 15 * MINUTE, longestMs: 6 * HOUR } },
  quota: { next: 'ask', rest: { firstMs: 15 * MINUTE, longestMs: HOUR } },
  'rate-limit': { next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  overloaded: { next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  transient: { next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  // Too long for this model, or no such model: another may accept these turns, and this one may accept others.
  'bad-request': { next: 'ask', rest: undefined },
  'invalid-output': { next: 'wait', rest: undefined },
  declined: { next: 'wait', rest: undefined },
} satisfies Record<string, Reaction>;

/** Why a provider gave no usable answer. */
export type ProviderErrorClass = keyof typeof REACTIONS;
