import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { documentOf } from '../../src/cache/document.ts';
import { spell } from '../../src/cache/embed/grams.ts';
import { httpEmbedder } from '../../src/cache/embed/http.ts';
import { foldIn, LATENT, learnTerms } from '../../src/cache/embed/latent.ts';
import { orthonormalise, principalAxes, randomSigns } from '../../src/cache/embed/linear.ts';
import { LOCAL_MODELS, latentOf, learn } from '../../src/cache/embed/local.ts';
import { embedMissing, embedQuery } from '../../src/cache/embed/neural.ts';
import { fromNibbles, fromScaledBytes, toNibbles, toScaledBytes } from '../../src/cache/embed/quantised.ts';
import { embedderOf } from '../../src/cache/embed/select.ts';
import { sqliteIndex } from '../../src/cache/sqlite/index.ts';
import { blobOf, observation } from './scratch.ts';

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('linear algebra', () => {
  it('makes columns orthonormal, and null beyond the rank', () => {
    const rows = 40;
    const matrix = randomSigns(rows * 4, 1);
    for (let r = 0; r < rows; r++) matrix[r * 4 + 3] = (matrix[r * 4] ?? 0) + (matrix[r * 4 + 1] ?? 0);
    orthonormalise(matrix, rows, 4);
    const column = (c: number) => Array.from({ length: rows }, (_, r) => matrix[r * 4 + c] ?? 0);
    const lengths = [0, 1, 2, 3].map((c) => Math.round(dot(column(c), column(c)) * 1e4) / 1e4).sort();
    expect(lengths).toEqual([0, 1, 1, 1]);
    expect(Math.abs(dot(column(0), column(1)))).toBeLessThan(1e-4);
  });

  it('finds the direction that a matrix stretches most', () => {
    // Two directions of lengths 10 and 1.
    const matrix = Float32Array.from(
      { length: 200 },
      (_, i) => (i % 2 === 0 ? 10 : 1) * ((i * 7919) % 13 > 6 ? 1 : -1),
    );
    const axes = principalAxes(matrix, 100, 2, 1);
    const first = Array.from({ length: 100 }, (_, r) => matrix[r * 2] ?? 0);
    expect(Math.abs(dot(axes, first)) / Math.sqrt(dot(first, first))).toBeGreaterThan(0.99);
  });
});

/** Records about two subjects of a hundred words each. */
const subjects = Array.from({ length: 300 }, (_, i) => {
  const subject = i % 2 === 0 ? 'auth' : 'sql';
  const words = Array.from(
    { length: 9 },
    (__, w) => `${subject}${((i * 7919 + w * 104_729 + i * w * 31) % 1009) % 100}`,
  );
  const name = subject === 'sql' ? 'vacuum' : i % 4 === 0 ? 'signin' : 'authenticate';
  return [name, ...words, `only${i}`];
});

describe('latent semantic analysis', () => {
  it('puts words of the same company near each other, always in the same place', () => {
    const terms = learnTerms(subjects);
    const again = learnTerms(subjects);
    const vector = (word: string) => foldIn([word], (term) => terms?.get(term)) ?? [];
    const pairs = Array.from({ length: 400 }, (_, i) => [i % 20, 20 + Math.floor(i / 20)] as const);
    const mean = (a: string, b: string) =>
      pairs.reduce((sum, [x, y]) => sum + dot(vector(`${a}${x}`), vector(`${b}${y}`)), 0) / pairs.length;
    expect(mean('auth', 'auth')).toBeGreaterThan(mean('auth', 'sql') + 0.02);
    expect(mean('sql', 'sql')).toBeGreaterThan(mean('auth', 'sql') + 0.02);
    expect(terms?.get('signin')).toEqual(again?.get('signin'));
    expect(terms?.has('only3')).toBe(false);
  });

  it('says nothing about few records, or about unknown words', () => {
    expect(learnTerms(subjects.slice(0, LATENT.fewestDocuments - 1))).toBeUndefined();
    expect(foldIn(['unheard'], () => undefined)).toBeUndefined();
    expect(learnTerms(Array.from({ length: 60 }, (_, i) => [`w${i}`]))).toBeUndefined();
  });

  it('survives a store of equal records and of empty ones', () => {
    const equal = learnTerms(Array.from({ length: 60 }, () => ['same', 'words']));
    for (const vector of equal?.values() ?? []) expect(vector.every(Number.isFinite)).toBe(true);
    expect(learnTerms(Array.from({ length: 60 }, () => []))).toBeUndefined();
  });
});

describe('spelling vectors', () => {
  it('bring misspelt words near their like', () => {
    const likeness = (a: string, b: string) => dot(spell([a]) ?? [], spell([b]) ?? []);
    expect(likeness('authentication', 'authentcation')).toBeGreaterThan(0.6);
    expect(likeness('authentication', 'database')).toBeLessThan(0.3);
    expect(spell([])).toBeUndefined();
  });

  it('are kept in few bytes', () => {
    const vector = spell(['authentication', 'login']) ?? new Float32Array();
    const kept = fromNibbles(toNibbles(vector));
    expect(dot(vector, kept) / Math.sqrt(dot(kept, kept))).toBeGreaterThan(0.97);
    const scaled = fromScaledBytes(toScaledBytes(vector));
    expect(dot(vector, scaled)).toBeCloseTo(1, 2);
  });
});

describe('learning', () => {
  function filled(count: number) {
    const index = sqliteIndex(new Sqlite(':memory:'), { team: 'team', private: 'private' });
    const add = (from: number, to: number) => {
      const documents = subjects.slice(from, to).map((words, i) => {
        const record = observation(words.join(' '), { narrative: `number ${from + i}` });
        return documentOf(record, blobOf(record));
      });
      const seen = documents.map(({ blob }, i) => ({
        store: 'team' as const,
        path: `${from + i}`,
        blob,
        size: 1,
        modifiedMs: 1,
        changedMs: 1,
      }));
      index.apply({ documents, seen, gone: [], folders: [] });
    };
    add(0, count);
    return { index, add };
  }

  it('starts with fifty records, folds new ones in, and starts anew after a fifth more', () => {
    const { index, add } = filled(40);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBeUndefined();
    expect(latentOf(index, ['auth0', 'auth1', 'auth2', 'auth3', 'signin'])).toBeUndefined();
    add(40, 60);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBe('60');
    expect(latentOf(index, ['auth0', 'auth1', 'auth2', 'auth3', 'signin'])).toHaveLength(LATENT.dimensions);
    add(60, 70);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBe('60');
    add(70, 80);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBe('80');
    for (const model of Object.values(LOCAL_MODELS)) expect([...index.vectors(model)]).toHaveLength(80);
  });

  it('forgets its model when the store shrinks below', () => {
    const { index } = filled(60);
    learn(index);
    index.apply({
      ...{ documents: [], seen: [], folders: [] },
      gone: Array.from({ length: 30 }, (_, i) => ({ store: 'team', path: String(i) })),
    });
    learn(index);
    expect(latentOf(index, ['auth0', 'auth1', 'auth2', 'auth3', 'signin'])).toBeUndefined();
  });
});

describe('embedders over HTTP', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  interface Seen {
    url: string;
    authorization: string | undefined;
    body: { model: string; input: string[]; input_type?: string };
  }

  async function serve(answer: (request: Seen, response: ServerResponse) => void) {
    const seen: Seen[] = [];
    const server = createServer(async (request: IncomingMessage, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const one = { url: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(text) };
      seen.push(one);
      answer(one, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { seen, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
  }

  const vectorsOf = ({ body }: Seen, response: ServerResponse) => {
    const data = body.input.map((text, index) => ({ index, object: 'embedding', embedding: [text.length, 3, 4] }));
    // Order is the index's business, not the list's.
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ object: 'list', data: data.reverse() }));
  };

  it("speaks the OpenAI protocol, in batches, with unit vectors in the texts' order", async () => {
    const { seen, base } = await serve(vectorsOf);
    const embedder = httpEmbedder(
      'openai',
      { model: 'nomic', base_url: `${base}/`, api_key_env: 'MY_KEY' },
      { MY_KEY: 'abc' },
    );
    expect(embedder.name).toBe('openai/nomic');
    const vectors = await embedder.embed(
      Array.from({ length: 100 }, (_, i) => 'x'.repeat(i)),
      'document',
    );
    expect(seen.map(({ body }) => body.input.length)).toEqual([64, 36]);
    expect(seen[0]).toMatchObject({ url: '/v1/embeddings', authorization: 'Bearer abc', body: { model: 'nomic' } });
    expect(seen[0]?.body.input_type).toBeUndefined();
    expect(vectors).toHaveLength(100);
    expect(dot(vectors[70] ?? [], vectors[70] ?? [])).toBeCloseTo(1);
    expect((vectors[70]?.[0] ?? 0) / (vectors[70]?.[1] ?? 1)).toBeCloseTo(70 / 3);
  });

  it("speaks Voyage's protocol, which tells questions from documents", async () => {
    const { seen, base } = await serve(vectorsOf);
    const embedder = httpEmbedder('voyage', { model: '', base_url: base, api_key_env: '' }, {});
    await embedder.embed(['why'], 'query');
    expect(seen[0]?.body).toMatchObject({ model: 'voyage-code-3', input_type: 'query' });
  });

  it('sends the default key to no other server', async () => {
    const { seen, base } = await serve(vectorsOf);
    await httpEmbedder('openai', { model: 'm', base_url: base, api_key_env: '' }, { OPENAI_API_KEY: 'private' }).embed(
      ['a'],
      'query',
    );
    expect(seen[0]?.authorization).toBeUndefined();
  });

  it.each([
    ['refuses', (_: Seen, response: ServerResponse) => response.writeHead(401).end('no such key')],
    ['answers nonsense', (_: Seen, response: ServerResponse) => response.end('<html>')],
    ['answers too little', (_: Seen, response: ServerResponse) => response.end('{"data":[]}')],
    ['answers no numbers', (_: Seen, response: ServerResponse) => response.end('{"data":[{"embedding":["x"]}]}')],
    ['hangs up', (_: Seen, response: ServerResponse) => response.destroy()],
  ])('throws a provider error where the server %s', async (_, answer) => {
    const { base } = await serve((request, response) => void answer(request, response));
    const embedder = httpEmbedder('openai', { model: 'm', base_url: base, api_key_env: '' }, {});
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ code: 'provider' });
    expect(await embedQuery(embedder, 'a')).toMatchObject({ problem: expect.stringContaining(base) });
  });

  it('gives a question up when the server is slow', async () => {
    const { base } = await serve(() => {});
    const embedder = httpEmbedder('openai', { model: 'm', base_url: base, api_key_env: '' }, {});
    expect(await embedQuery(embedder, 'a', 50)).toMatchObject({ problem: expect.any(String) });
  });

  it('embeds each record once, and keeps what was done when the server fails', async () => {
    let calls = 0;
    const { seen, base } = await serve((request, response) => {
      if (++calls === 6) response.writeHead(500).end();
      else vectorsOf(request, response);
    });
    const index = sqliteIndex(new Sqlite(':memory:'), { team: 'team', private: 'private' });
    const documents = Array.from({ length: 400 }, (_, i) => {
      const record = observation(`embedded ${i}`);
      return documentOf(record, blobOf(record));
    });
    const seenFiles = documents.map(({ blob }, i) => ({
      store: 'team' as const,
      path: `${i}`,
      blob,
      size: 1,
      modifiedMs: 1,
      changedMs: 1,
    }));
    index.apply({ documents, seen: seenFiles, gone: [], folders: [] });
    const embedder = httpEmbedder('openai', { model: 'm', base_url: base, api_key_env: '' }, {});
    const textOf = ({ card }: { card: { title: string } }) => card.title;
    expect(await embedMissing(index, embedder, textOf)).toMatchObject({
      embedded: 256,
      missing: 144,
      problem: expect.any(String),
    });
    expect(await embedMissing(index, embedder, textOf)).toEqual({ embedded: 144, missing: 0 });
    const asked = seen.length;
    expect(await embedMissing(index, embedder, textOf)).toEqual({ embedded: 0, missing: 0 });
    expect(seen).toHaveLength(asked);
    index.close();
  });

  it('says how to get transformers.js where it is not installed', async () => {
    const settings = { provider: 'transformers', model: '', base_url: '', api_key_env: '' } as const;
    await expect(embedderOf(settings, {})).rejects.toMatchObject({ code: 'provider' });
    expect(await embedderOf({ ...settings, provider: 'local' }, {})).toBeUndefined();
  });
});
