import { describe, expect, test } from 'vitest';
import { cleaning, embedderOf, httpEmbedder } from '../../src/index/embed/embedder.ts';
import {
  type EmbeddingAnswer,
  embeddingError,
  startEmbeddingsApi,
  toyVector,
  vectorsBy,
} from '../support/embeddings-api.ts';
import { hangUp, loginPage } from '../support/loopback.ts';

const it = test.extend('api', () => startEmbeddingsApi());

const settings = (base_url: string, changes: { model?: string; api_key_env?: string } = {}) => ({
  model: 'm',
  base_url,
  api_key_env: '',
  ...changes,
});

describe('embedders over HTTP', () => {
  it("speak the OpenAI protocol, in batches, with unit vectors in the texts' order", async () => {
    const api = await startEmbeddingsApi(vectorsBy((text) => [text.length, 3, 4]));
    const embedder = httpEmbedder('openai', settings(`${api.base}/`, { api_key_env: 'MY_KEY' }), { MY_KEY: 'abc' });
    expect(embedder).toMatchObject({ name: 'openai/m', place: api.base });
    const vectors = await embedder.embed(
      Array.from({ length: 100 }, (_, i) => 'x'.repeat(i)),
      'document',
    );
    expect(api.calls.map(({ body }) => body.input.length)).toEqual([64, 36]);
    expect(api.calls[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer abc' },
      body: { model: 'm' },
    });
    expect(api.calls[0]?.body.input_type).toBeUndefined();
    expect(vectors).toHaveLength(100);
    expect(Math.hypot(...(vectors[70] ?? []))).toBeCloseTo(1);
    expect((vectors[70]?.[0] ?? 0) / (vectors[70]?.[1] ?? 1)).toBeCloseTo(70 / 3);
  });

  it("speak Voyage's protocol, which distinguishes queries from documents", async ({ api }) => {
    const embedder = httpEmbedder('voyage', settings(api.base, { model: '' }), {});
    await embedder.embed(['why'], 'query');
    await embedder.embed(['because'], 'document');
    expect(api.calls.map(({ body }) => [body.model, body.input_type])).toEqual([
      ['voyage-code-3', 'query'],
      ['voyage-code-3', 'document'],
    ]);
  });

  it('tell the models that need it whether a text is a question or a document', async ({ api }) => {
    await httpEmbedder('ollama', settings(api.base, { model: '' }), {}).embed(['why'], 'query');
    await httpEmbedder('openai', settings(api.base, { model: 'multilingual-e5-small' }), {}).embed(['a'], 'document');
    await httpEmbedder('openai', settings(api.base), {}).embed(['a'], 'document');
    expect(api.texts()).toEqual(['search_query: why', 'passage: a', 'a']);
  });

  it('keep requests below the providers’ limits', async ({ api }) => {
    const texts = Array.from({ length: 40 }, () => 'word '.repeat(2000));
    expect(await httpEmbedder('openai', settings(api.base), {}).embed(texts, 'document')).toHaveLength(40);
    for (const { body } of api.calls) expect(body.input.join('').length).toBeLessThanOrEqual(100_000);
  });

  it('send the beginning of texts that are too long for a server', async () => {
    const api = await startEmbeddingsApi((response, request) => {
      const isLong = request.body.input.some((text) => text.length > 2000);
      (isLong ? embeddingError(400, 'input is too long') : vectorsBy(toyVector))(response, request);
    });
    const embedder = httpEmbedder('openai', settings(api.base), {});
    expect(await embedder.embed(['short', 'long '.repeat(1000)], 'document')).toHaveLength(2);
    expect(api.calls).toHaveLength(2);
    api.answer = embeddingError(400, 'no such model');
    await expect(embedder.embed(['short'], 'document')).rejects.toThrow('no such model');
    expect(api.calls).toHaveLength(3);
  });

  it('send a default key to no other server, and nothing where a key is missing', async ({ api }) => {
    await httpEmbedder('openai', settings(api.base), { OPENAI_API_KEY: 'private' }).embed(['a'], 'query');
    expect(api.calls[0]?.headers.authorization).toBeUndefined();
    const keyless = httpEmbedder('openai', settings(api.base, { api_key_env: 'MY_KEY' }), {});
    await expect(keyless.embed(['a'], 'query')).rejects.toThrow('MY_KEY is not set.');
    await expect(httpEmbedder('voyage', settings(''), {}).embed(['a'], 'query')).rejects.toThrow('VOYAGE_API_KEY');
    expect(api.calls).toHaveLength(1);
  });

  it('show neither the key nor a password in an address', async () => {
    const key = ['k', '9'.repeat(20)].join('-');
    const api = await startEmbeddingsApi(embeddingError(401, `Incorrect API key provided: ${key}`));
    const embedder = httpEmbedder('openai', settings(api.base, { api_key_env: 'MY_KEY' }), { MY_KEY: key });
    const error = await embedder.embed(['a'], 'query').catch(String);
    expect(error).toContain('it answers 401');
    expect(error).not.toContain(key);
    const secret = httpEmbedder('openai', settings(api.base.replace('//', '//me:hidden@')), {});
    expect(secret.place).toBe(api.base);
    const refusal = await secret.embed(['a'], 'query').catch(String);
    expect(refusal).toContain('embed.base_url holds a password');
    expect(refusal).not.toContain('hidden');
  });

  it.each<[string, EmbeddingAnswer, RegExp]>([
    ['refuses the key', embeddingError(401, 'no such key'), /it answers 401: .*no such key/],
    ['is out of patience', embeddingError(429, 'slow down'), /it answers 429/],
    ['has an error of its own', (response) => response.writeHead(500).end(), /it answers 500\.$/],
    ['answers nonsense', loginPage(), /without a usable vector/],
    ['answers too little', (response) => response.end('{"data":[]}'), /without a usable vector/],
    ['answers no numbers', (response) => response.end('{"data":[{"embedding":["x"]}]}'), /without a usable vector/],
    ['answers null vectors', vectorsBy(() => [0, 0]), /without a usable vector/],
    ['answers vectors of two lengths', vectorsBy((text) => (text === 'a' ? [1] : [1, 2])), /without a usable vector/],
    ['hangs up', hangUp, /gives no vectors: /],
    [
      'sends everything elsewhere',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      /redirect/,
    ],
  ])('throw a provider error where the server %s', async (_, answer, message) => {
    const api = await startEmbeddingsApi(answer);
    const embedder = httpEmbedder('openai', settings(api.base), {});
    const refusal = { code: 'provider', message: expect.stringMatching(message), hint: expect.any(String) };
    await expect(embedder.embed(['a', 'b'], 'document')).rejects.toMatchObject(refusal);
    expect(api.calls).toHaveLength(1);
  });

  it('say why a server cannot be asked', async ({ api }) => {
    api.close();
    await expect(httpEmbedder('ollama', settings(api.base), {}).embed(['a'], 'query')).rejects.toThrow('ECONNREFUSED');
    const embedder = httpEmbedder('ollama', settings('file:///etc'), {});
    await expect(embedder.embed(['a'], 'query')).rejects.toThrow('embed.base_url is not an http or https address.');
  });

  it('probe without sending any memory', async ({ api }) => {
    await httpEmbedder('openai', settings(api.base), {}).probe(AbortSignal.timeout(5000));
    expect(api.calls.map(({ body }) => body.input)).toEqual([['git-mem']]);
  });
});

it('a cleaned embedder sends no unredacted text', async ({ api }) => {
  const plain = httpEmbedder('openai', settings(api.base), {});
  const embedder = cleaning(plain, async (text) => text.replace('secret', '***'));
  await embedder.embed(['a secret', 'none'], 'document');
  await embedder.embed(['secret?'], 'query');
  expect(api.texts()).toEqual(['a ***', 'none', '***?']);
  expect(embedder).toMatchObject({ name: plain.name, place: plain.place });
});

describe('the embedder of the settings', () => {
  const none = { model: '', base_url: '', api_key_env: '' };

  it('is absent for local vectors', () => {
    expect(embedderOf({ provider: 'local', ...none }, {})).toBeUndefined();
  });

  it.each([
    ['ollama', 'ollama/nomic-embed-text', 'http://127.0.0.1:11434/v1'],
    ['lmstudio', 'lmstudio/text-embedding-nomic-embed-text-v1.5', 'http://127.0.0.1:1234/v1'],
    ['openai', 'openai/text-embedding-3-small', 'https://api.openai.com/v1'],
    ['voyage', 'voyage/voyage-code-3', 'https://api.voyageai.com/v1'],
  ] as const)('%s has its own model and place', (provider, name, place) => {
    const embedder = embedderOf({ provider, ...none }, {});
    expect([embedder?.name, embedder?.place]).toEqual([name, place]);
  });
});
