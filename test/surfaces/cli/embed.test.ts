import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { remember, runAlongside } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { embeddingError, startEmbeddingsApi, vectorsBy } from '../../support/embeddings-api.ts';
import { hangUp, loginPage, nothing } from '../../support/loopback.ts';
import { connectMcp } from '../../support/mcp-client.ts';
import { itSqlite } from '../../support/sqlite.ts';
import {
  configure,
  createMemory,
  expectLocalAnswers,
  idsOf,
  json,
  QUESTIONS,
  SIGN_IN,
  slowDown,
} from './embedded-memory.ts';

slowDown();

describe('search with a model', () => {
  itSqlite('finds a record that shares no word with the query, once sync has made the vectors', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    const before = await json(repository, 'search', 'authentication');
    expect(before).toMatchObject({
      embedder: 'local',
      note: expect.stringContaining('No record has a vector'),
      hits: [],
    });
    expect(before.stderr).toBe(`${before.note}\n`);

    expect((await gitMem(repository, ['sync'])).stdout).toContain('2 vectors made by openai/toy.\n');
    expect(api.texts()).toContain(`${SIGN_IN}\nThe nodes disagreed about keys.`);
    const after = await json(repository, 'search', 'authentication');
    expect(after).toMatchObject({ embedder: 'openai/toy', stderr: '' });
    expect(after).not.toHaveProperty('note');
    expect(idsOf(after)[0]).toBe('aaaaaaaaaa');
    expect(api.texts().at(-1)).toBe('authentication');
    const { stdout, stderr } = await gitMem(repository, ['search', 'authentication', '--limit', '1']);
    expect(stdout).toContain(SIGN_IN);
    expect(stderr).toBe('');

    const off = { GIT_MEM_EMBED_PROVIDER: 'local' };
    const asked = api.calls.length;
    const plain = JSON.parse((await gitMem(repository, ['search', '--json', 'authentication'], { env: off })).stdout);
    expect(Object.keys(plain)).toEqual(['query', 'took_ms', 'total', 'hits', 'nearest']);
    expect(plain.hits).toEqual([]);
    expect(api.calls).toHaveLength(asked);
  });

  itSqlite('queries Voyage with its own protocol', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    const key = ['pa', 'k'.repeat(20)].join('-');
    Object.assign(repository.env, { MY_KEY: key });
    configure(repository, `embed: {provider: voyage, base_url: "${api.base}", api_key_env: MY_KEY}\n`);
    await json(repository, 'sync');
    expect(idsOf(await json(repository, 'search', 'authentication'))[0]).toBe('aaaaaaaaaa');
    expect(api.calls.map(({ body }) => body.input_type)).toEqual(['document', 'query']);
    expect(new Set(api.calls.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${key}`]));
  });

  it.each([
    ['refuses the key', embeddingError(401, 'no such key'), 'it answers 401'],
    ['is out of patience', embeddingError(429, 'slow down'), 'it answers 429'],
    ['has an error of its own', embeddingError(500, 'oops'), 'it answers 500'],
    ['hangs', nothing, 'no answer within 1.5 s'],
    ['hangs up', hangUp, 'gives no vectors'],
    ['answers nonsense', loginPage(), 'without a usable vector'],
  ])('answers with local vectors where the server %s, and says so', async (_, answer, reason) => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    await json(repository, 'sync');
    api.answer = answer;
    if (answer === nothing) vi.restoreAllMocks();
    const asked = api.calls.length;
    const result = await json(repository, 'search', 'deployments');
    expect(api.calls.slice(asked).map(({ body }) => body.input)).toEqual([['deployments']]);
    expect(result.took_ms).toEqual(expect.any(Number));
    expect(idsOf(result)).toEqual(['aaaaaaaaaa']);
    expect(result.embedder).toBe('local');
    expect(result.note).toMatch(/^Meaning search by openai\/toy failed \(.+\): answered with local vectors\.$/);
    expect(result.note).toContain(reason);
    expect(result.stderr).toBe(`${result.note}\n`);
  });

  it('waits once for a hanging server, however many queries come', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    await json(repository, 'sync');
    api.answer = nothing;
    vi.restoreAllMocks();
    const asked = api.calls.length;
    const { code, stdout } = await gitMem(repository, ['search', '--stdin'], { stdin: QUESTIONS });
    expect(code).toBe(0);
    expectLocalAnswers(stdout);
    expect(api.calls).toHaveLength(asked + 1);
  });

  it('exits although it asked a hanging server', async () => {
    const repository = createMemory(await startEmbeddingsApi(nothing));
    const { stdout, status } = await runAlongside(repository, ['search', '--stdin'], { input: QUESTIONS });
    expect(status).toBe(0);
    expectLocalAnswers(stdout);
  });

  itSqlite('reports vectors of another length', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    await json(repository, 'sync');
    api.answer = vectorsBy(() => [1, 2]);
    expect(await json(repository, 'search', 'green')).toMatchObject({
      embedder: 'local',
      note: expect.stringContaining('have a different length than before'),
      hits: [{ id: 'bbbbbbbbbb' }],
    });
    await json(repository, 'sync', '--rebuild');
    expect(await json(repository, 'search', 'green')).toMatchObject({ embedder: 'openai/toy' });
  });

  itSqlite('sends no secret of a record or a query', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    repository.write('.memory/config.yaml', 'privacy: {redact: ["Project Heron"]}\n');
    remember(repository, [{ id: 'cccccccccc', title: 'By hand', narrative: `Use ${token} for Project Heron.` }]);
    await json(repository, 'sync');
    await json(repository, 'search', 'what', 'is', token, 'of', '"Project Heron"');
    expect(api.texts()).toHaveLength(4);
    expect(api.texts().filter((text) => text.includes('[redacted:'))).toHaveLength(2);
    expect(api.texts().filter((text) => text.includes(token) || text.includes('Heron'))).toEqual([]);
  });

  it('sends no request where there is no query', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    await json(repository, 'search', '--type', 'discovery');
    await json(repository, 'search', '???');
    await json(repository, 'list');
    expect(api.calls).toEqual([]);
  });

  itSqlite('gives MCP clients the same', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    await json(repository, 'sync');
    const mcp = await connectMcp({ cwd: repository.root, env: repository.env });
    onTestFinished(() => mcp.close());
    // Where the machine is too busy for its second and a half, the model is asked again after half a minute.
    await vi.waitFor(
      async () => {
        const found = await mcp.call('search', { query: 'authentication' });
        expect(found.data).toMatchObject({ embedder: 'openai/toy' });
        expect(idsOf(found.data)[0]).toBe('aaaaaaaaaa');
      },
      { timeout: 120_000, interval: 1000 },
    );
    api.answer = nothing;
    const fallback = await mcp.call('search', { query: 'green' });
    expect(idsOf(fallback.data)).toEqual(['bbbbbbbbbb']);
    expect(fallback.text).toContain('failed (no answer within 1.5 s): answered with local vectors.');
    expect(fallback.data).toMatchObject({ embedder: 'local', note: expect.any(String) });
  });
});
