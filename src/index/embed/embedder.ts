import type { Config } from '../../config.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { isObject, jsonIn } from '../../json.ts';
import { withoutEndSlashes } from '../../slashes.ts';
import type { Environment } from '../../user-folders.ts';
import { unit } from './latent.ts';
/** A model that turns texts into vectors. Optional: without one the store's own vectors are used. */
export interface Embedder {
  /** Provider and model; stored with the vectors. A different name means re-embedding. */
  name: string;
  /** Where texts are sent; undefined if the address in the settings is invalid. */
  place?: string;
  /** Vectors of length one, in the texts' order; throws GitMemError 'provider'. */
  embed(texts: string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Tests whether it would work without sending any memory; throws GitMemError 'provider'. */
  probe(signal: AbortSignal): Promise<void>;
}

export type Purpose = 'document' | 'query';

/** The same embedder behind a filter that every text passes first, so that no caller can forget to remove secrets. */
export function cleaning(embedder: Embedder, clean: (text: string) => Promise<string>): Embedder {
  return {
    ...embedder,
    embed: async (texts, purpose, signal) => embedder.embed(await Promise.all(texts.map(clean)), purpose, signal),
  };
}

/** Prefixes that some model families expect before a text, by its purpose, according to their model cards. */
const PREFIXES: [family: RegExp, words: Record<Purpose, string>][] = [
  [/nomic-embed-text/i, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-/i, { document: 'passage: ', query: 'query: ' }],
];

/** The text with the prefix that the model expects for a purpose. */
export function purposed(model: string, purpose: Purpose, text: string): string {
  const words = PREFIXES.find(([family]) => family.test(model))?.[1];
  return words === undefined ? text : words[purpose] + text;
}

/** The usual address, model and API key of each provider; all of them speak OpenAI's protocol. */
const PRESETS = {
  ollama: { base: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text', key: '' },
  lmstudio: { base: 'http://127.0.0.1:1234/v1', model: 'text-embedding-nomic-embed-text-v1.5', key: '' },
  openai: { base: 'https://api.openai.com/v1', model: 'text-embedding-3-small', key: 'OPENAI_API_KEY' },
  voyage: { base: 'https://api.voyageai.com/v1', model: 'voyage-code-3', key: 'VOYAGE_API_KEY' },
} as const;

/**
 * Texts in one request, and the longest text sent, in characters: within the limits of all providers. What git-mem
 * writes is less than half as long; larger batches would save requests, but repeat more after a failure.
 */
const BATCH = 64;
const LONGEST = 8000;

/** Characters in one request: Voyage's larger models take 120,000 tokens, in some scripts one per character. */
const BATCH_CHARS = 100_000;

/** What models with the smallest windows (512 tokens) take, in characters; tried after a server refuses. */
const SHORT = 1500;

/**
 * Longest wait for one request, in milliseconds: a compromise between a slow local model and a waiting person. Largest
 * response, in bytes: ten times that of 64 vectors of 4,096 numbers with 20 characters each.
 */
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64_000_000;

/** Statuses that do not depend on the text's length: wrong key, wrong path or too many requests. */
const NOT_FOR_LENGTH = [401, 403, 404, 429];

/** The configured embedder; undefined for the local vectors. Sends nothing. */
export function embedderOf({ provider, ...settings }: Config['embed'], env: Environment): Embedder | undefined {
  return provider === 'local' ? undefined : httpEmbedder(provider, settings, env);
}

/** An embedder behind `POST {base}/embeddings`. Voyage also distinguishes questions from documents. */
export function httpEmbedder(
  provider: keyof typeof PRESETS,
  settings: Omit<Config['embed'], 'provider'>,
  env: Environment,
): Embedder {
  const defaults = PRESETS[provider];
  const base = withoutEndSlashes(settings.base_url || defaults.base);
  const model = settings.model || defaults.model;
  // The default key goes to the default address only: no other server should receive it.
  const keyName = settings.api_key_env || (settings.base_url ? '' : defaults.key);
  const key = keyName ? env[keyName]?.trim() : undefined;
  const place = placeOf(base);

  async function request(input: string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]> {
    if (place === undefined) throw refused('embed.base_url is not an http or https address.');
    // fetch rejects such URLs, and would print the credentials.
    if (new URL(base).username + new URL(base).password)
      throw refused('embed.base_url holds a password: name a variable in embed.api_key_env.');
    if (keyName && !key) throw refused(`${keyName} is not set.`);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    let answer: { status: number; text: string };
    try {
      const response = await fetch(`${base}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input, ...(provider === 'voyage' && { input_type: purpose }) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // A redirect would lead to a place that the user did not name.
        redirect: 'error',
      });
      answer = { status: response.status, text: await textOf(response) };
    } catch (error) {
      throw refused(`${place} gives no vectors: ${withoutKey(reasonOf(error))}.`, error);
    }
    const { status, text } = answer;
    if (status >= 200 && status < 300) return vectorsIn(text, input.length, place);
    const said = withoutKey(text.slice(0, 2000)).replace(/\s+/g, ' ').slice(0, 200).trim();
    const isLong = !NOT_FOR_LENGTH.includes(status) && input.some((one) => one.length > SHORT);
    if (!isLong) throw refused(`${place} gives no vectors: it answers ${status}${said && `: ${said}`}.`);
    // Servers of small models refuse long texts, each with its own message; the beginning carries most of the meaning
    // anyway.
    const short = input.map((one) => one.slice(0, SHORT));
    return request(short, purpose, signal);
  }

  // Some servers quote the key that they refuse.
  const withoutKey = (text: string) => (key ? text.replaceAll(key, '[key]') : text);

  return {
    name: `${provider}/${model}`,
    ...(place !== undefined && { place }),
    async embed(texts, purpose, signal) {
      // Providers refuse an empty text, which a record without words could be.
      const whole = texts.map((text) => purposed(model, purpose, text.slice(0, LONGEST).trim() || '-'));
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(whole)) vectors.push(...(await request(batch, purpose, signal)));
      return vectors;
    },
    async probe(signal) {
      await request(['git-mem'], 'query', signal);
    },
  };
}

function batchesOf(texts: string[]): string[][] {
  const batches: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length === BATCH || chars + text.length > BATCH_CHARS) {
      batches.push([text]);
      chars = 0;
    } else last.push(text);
    chars += text.length;
  }
  return batches;
}

/** The address as it may be shown; undefined if it is invalid. A password in it must never be displayed. */
function placeOf(base: string): string | undefined {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin + url.pathname.replace(/\/$/, '');
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('its answer does not end');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The reason for a failed `fetch`, which only its cause names. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return messageOf(error);
  return cause.message || ('code' in cause ? String(cause.code) : messageOf(error));
}

/** Reads `{data: [{index, embedding}]}` and trusts nothing in it. */
function vectorsIn(text: string, count: number, place: string): Float32Array[] {
  const body = jsonIn(text);
  const data = isObject(body) && Array.isArray(body.data) ? body.data : [];
  const vectors: Float32Array[] = [];
  data.forEach((item: unknown, i) => {
    if (!isObject(item) || !Array.isArray(item.embedding)) return;
    const numbers = item.embedding.map(Number);
    const vector = numbers.every(Number.isFinite) ? unit(Float32Array.from(numbers)) : undefined;
    const at = typeof item.index === 'number' ? item.index : i;
    if (vector !== undefined && Number.isInteger(at) && at >= 0 && at < count) vectors[at] = vector;
  });
  const [first] = vectors;
  for (let at = 0; at < count; at++) {
    if (first === undefined || vectors[at]?.length !== first.length) {
      throw refused(`${place} answers without a usable vector for each text.`);
    }
  }
  return vectors;
}

function refused(message: string, cause?: unknown): GitMemError {
  return new GitMemError('provider', message, {
    hint: 'Search goes on without it; check embed.base_url, embed.model and the key, or set embed.provider to local.',
    ...(cause !== undefined && { cause }),
  });
}
