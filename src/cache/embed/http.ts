import { GitMemError, messageOf } from '../../errors.ts';
import type { Embedder, EmbedSettings } from './embedder.ts';
import { unit } from './latent.ts';

/** The two protocols; they differ in where they live by default and in how a question is told from a document. */
const PROVIDERS = {
  openai: { base: 'https://api.openai.com/v1', model: 'text-embedding-3-small', key: 'OPENAI_API_KEY' },
  voyage: { base: 'https://api.voyageai.com/v1', model: 'voyage-code-3', key: 'VOYAGE_API_KEY' },
} as const;

/** Texts in one request, and the longest text sent, in characters: about what every model takes. */
const BATCH = 64;
const LONGEST = 24_000;

/** Longest wait for one request, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** An embedder behind `POST {base}/embeddings`: OpenAI, Ollama, LM Studio and their like, or Voyage. */
export function httpEmbedder(
  provider: keyof typeof PROVIDERS,
  settings: Pick<EmbedSettings, 'model' | 'base_url' | 'api_key_env'>,
  env: Record<string, string | undefined>,
): Embedder {
  const defaults = PROVIDERS[provider];
  const base = (settings.base_url || defaults.base).replace(/\/+$/, '');
  const model = settings.model || defaults.model;
  // The default key goes to the default place only: another server has no business with it.
  const key = settings.api_key_env ? env[settings.api_key_env] : settings.base_url ? undefined : env[defaults.key];

  async function request(
    input: string[],
    purpose: 'document' | 'query',
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    let body: unknown;
    try {
      const response = await fetch(`${base}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input, ...(provider === 'voyage' && { input_type: purpose }) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        redirect: 'error',
      });
      if (!response.ok) throw new Error(`it answers ${response.status}: ${(await response.text()).slice(0, 200)}`);
      body = await response.json();
    } catch (error) {
      throw refused(`${base} gives no vectors: ${messageOf(error)}.`, error);
    }
    return vectorsIn(body, input.length, base);
  }

  return {
    name: `${provider}/${model}`,
    async embed(texts, purpose, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        // Providers refuse an empty text, which a record without words could be.
        const batch = texts.slice(at, at + BATCH).map((text) => text.slice(0, LONGEST).trim() || '-');
        vectors.push(...(await request(batch, purpose, signal)));
      }
      return vectors;
    },
  };
}

/** Reads `{data: [{index, embedding}]}`, trusting nothing of it. */
function vectorsIn(body: unknown, count: number, base: string): Float32Array[] {
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
      throw refused(`${base} answered without a usable vector for each of ${count} texts.`);
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
