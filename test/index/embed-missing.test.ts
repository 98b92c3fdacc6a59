import { describe, expect, it, onTestFinished } from 'vitest';
import { type Cache, openCache } from '../../src/index/cache.ts';
import { httpEmbedder } from '../../src/index/embed/embedder.ts';
import { countMissing, embedMissing } from '../../src/index/neural.ts';
import { embeddingError, startEmbeddingsApi, toyVector, vectorsBy } from '../support/embeddings-api.ts';
import { nothing } from '../support/loopback.ts';
import { itSqlite } from '../support/sqlite.ts';
import { observation, type Scratch, scratch } from './scratch.ts';

function filled(count: number, env: Record<string, string> = {}): Scratch & { cache: Cache } {
  const place = scratch(env);
  const cache = openCache(place.workspace);
  onTestFinished(() => {
    cache.close();
    place.remove();
  });
  for (let i = 0; i < count; i++) place.write(observation(`Record ${i}`, { narrative: `Told of ${i}.` }));
  return { ...place, cache };
}

const embedderAt = (base_url: string, model = 'm') => httpEmbedder('openai', { model, base_url, api_key_env: '' }, {});
const vectorsIn = (cache: Cache, model: string) => cache.query((index) => [...index.vectors(model)].length);

describe('embedding records that have no vector', () => {
  // Vectors are kept in SQLite alone; what becomes of them elsewhere is the last test.
  itSqlite('sends each record once, newest first, and keeps the vectors it has when the server fails', async () => {
    const { workspace, cache } = filled(200);
    const api = await startEmbeddingsApi((response, request) =>
      (api.calls.length === 3 ? embeddingError(500, 'down') : vectorsBy(toyVector))(response, request),
    );
    const embedder = embedderAt(api.base);
    const problem = expect.stringContaining('it answers 500');
    expect(await embedMissing(workspace, cache, embedder)).toEqual({ embedded: 128, missing: 72, problem });
    expect(api.texts()[0]).toBe('Record 199\nTold of 199.');
    expect(await embedMissing(workspace, cache, embedder)).toEqual({ embedded: 72, missing: 0 });
    const asked = api.calls.length;
    expect(await embedMissing(workspace, cache, embedder)).toEqual({ embedded: 0, missing: 0 });
    expect(api.calls).toHaveLength(asked);
    expect(await vectorsIn(cache, embedder.name)).toBe(200);
  });

  itSqlite('sends only new records, however files are named', async () => {
    const { workspace, cache, write } = filled(3);
    const api = await startEmbeddingsApi();
    await embedMissing(workspace, cache, embedderAt(api.base));
    write(observation('One more'));
    expect(await embedMissing(workspace, cache, embedderAt(api.base))).toEqual({ embedded: 1, missing: 0 });
    expect(api.texts().slice(3)).toEqual(['One more']);
  });

  itSqlite('sends neither prompts nor marks, and does not count their vectors as missing', async () => {
    const { workspace, cache, write } = filled(1);
    const generated = { by: 'test', at: '2026-11-20T12:00:00Z' };
    write({ kind: 'prompt', id: 'pppppppppp', text: 'my own words', generated }, 'private');
    write({ kind: 'mark', id: 'mmmmmmmmmm', type: 'pin', targets: ['pppppppppp'], reason: 'Mine.', generated });
    const api = await startEmbeddingsApi();
    const embedder = embedderAt(api.base);
    expect(await cache.query((index) => countMissing(index, embedder.name))).toEqual({ missing: 1, records: 1 });
    expect(await embedMissing(workspace, cache, embedder)).toEqual({ embedded: 1, missing: 0 });
    expect(api.texts()).toHaveLength(1);
    expect(await cache.query((index) => countMissing(index, embedder.name))).toEqual({ missing: 0, records: 1 });
  });

  itSqlite('stops at a limit, and continues from there', async () => {
    const { workspace, cache } = filled(100);
    const api = await startEmbeddingsApi();
    const seen: number[][] = [];
    const onProgress = (...given: number[]) => void seen.push(given);
    const embedder = embedderAt(api.base);
    expect(await embedMissing(workspace, cache, embedder, { limit: 70, onProgress })).toEqual({
      embedded: 70,
      missing: 30,
    });
    expect(seen).toEqual([
      [64, 70],
      [70, 70],
    ]);
    expect(await embedMissing(workspace, cache, embedder, { limit: 70 })).toEqual({ embedded: 30, missing: 0 });
  });

  itSqlite('makes all vectors again for another model, and drops the old ones with the first new ones', async () => {
    const { workspace, cache } = filled(3);
    const api = await startEmbeddingsApi();
    await embedMissing(workspace, cache, embedderAt(api.base, 'old'));
    api.answer = embeddingError(500, 'down');
    await embedMissing(workspace, cache, embedderAt(api.base, 'new'));
    expect([await vectorsIn(cache, 'openai/old'), await vectorsIn(cache, 'openai/new')]).toEqual([3, 0]);
    api.answer = vectorsBy(toyVector);
    expect(await embedMissing(workspace, cache, embedderAt(api.base, 'new'))).toEqual({ embedded: 3, missing: 0 });
    expect([await vectorsIn(cache, 'openai/old'), await vectorsIn(cache, 'openai/new')]).toEqual([0, 3]);
  });

  itSqlite('makes all vectors again where the model of that name returns another length', async () => {
    const { workspace, cache, write } = filled(3);
    const api = await startEmbeddingsApi();
    await embedMissing(workspace, cache, embedderAt(api.base));
    write(observation('One more'));
    api.answer = vectorsBy(() => [1, 2]);
    expect(await embedMissing(workspace, cache, embedderAt(api.base))).toMatchObject({ missing: 0 });
    const lengths = await cache.query((index) => [...index.vectors('openai/m')].map(([, { length }]) => length));
    expect(lengths).toEqual([8, 8, 8, 8]);
  });

  itSqlite('stops when its time has run out, and says so', async () => {
    const { workspace, cache } = filled(1);
    const api = await startEmbeddingsApi(nothing);
    const options = { signal: AbortSignal.timeout(100) };
    const problem = expect.stringContaining('no answer in time');
    expect(await embedMissing(workspace, cache, embedderAt(api.base), options)).toMatchObject({ embedded: 0, problem });
  });

  itSqlite('stops quietly when it is interrupted', async () => {
    const { workspace, cache } = filled(1);
    const controller = new AbortController();
    const api = await startEmbeddingsApi(() => controller.abort());
    expect(await embedMissing(workspace, cache, embedderAt(api.base), { signal: controller.signal })).toEqual({
      embedded: 0,
      missing: 1,
    });
  });

  it.each(['memory', 'minisearch'])('sends nothing that a cache of kind %s would forget', async (kind) => {
    const { workspace, cache } = filled(2, { GIT_MEM_CACHE: kind });
    const api = await startEmbeddingsApi();
    const problem = 'The cache is in memory only, which keeps no vectors.';
    expect(await embedMissing(workspace, cache, embedderAt(api.base))).toEqual({ embedded: 0, missing: 2, problem });
    expect(api.calls).toEqual([]);
  });
});
