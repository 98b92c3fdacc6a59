import { describe, expect, it, vi } from 'vitest';
import { openCache } from '../../src/index/cache.ts';
import { type Embedder, httpEmbedder } from '../../src/index/embed/embedder.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { questionVector } from '../../src/search/question-vector.ts';
import { startEmbeddingsApi } from '../support/embeddings-api.ts';
import { nothing } from '../support/loopback.ts';
import { createRepository } from '../support/repository.ts';

function createCache() {
  const { root, env } = createRepository();
  return openCache(openWorkspace(root, env));
}

const embedderAt = (base_url: string) => httpEmbedder('openai', { model: 'm', base_url, api_key_env: '' }, {});

describe('the vector of a question', () => {
  it('comes from the model', async () => {
    const api = await startEmbeddingsApi();
    const asked = await questionVector(createCache(), embedderAt(api.base), 'login');
    expect(asked).toMatchObject({ model: 'openai/m', vector: expect.any(Float32Array) });
  });

  it('is abandoned when the server is slow, and not requested again at once', async () => {
    const api = await startEmbeddingsApi(nothing);
    const embedder = embedderAt(api.base);
    // On a busy machine a question is given up before it reaches the server, so it is counted here.
    const embed = vi.spyOn(embedder, 'embed');
    const cache = createCache();
    const problem = 'no answer within 0.05 s';
    expect(await questionVector(cache, embedder, 'login', 50)).toEqual({ problem });
    expect(await questionVector(cache, embedder, 'again', 50)).toEqual({ problem });
    expect(embed).toHaveBeenCalledTimes(1);
    expect(await questionVector(createCache(), embedder, 'of another', 50)).toEqual({ problem });
    expect(embed).toHaveBeenCalledTimes(2);
  });

  it('is abandoned when the model ignores the signal', async () => {
    const deaf: Embedder = { name: 'deaf', embed: () => new Promise(() => {}), probe: async () => {} };
    expect(await questionVector(createCache(), deaf, 'login', 50)).toEqual({ problem: 'no answer within 0.05 s' });
  });
});
