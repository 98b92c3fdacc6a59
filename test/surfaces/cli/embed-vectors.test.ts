import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { remember, runAlongside } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { embeddingError, startEmbeddingsApi } from '../../support/embeddings-api.ts';
import { nothing } from '../../support/loopback.ts';
import { PROGRAM } from '../../support/program.ts';
import { itSqlite } from '../../support/sqlite.ts';
import { configure, createMemory, embedderCheck, json, SIGN_IN, slowDown } from './embedded-memory.ts';

slowDown();

it('the team file sends nothing anywhere', async () => {
  const api = await startEmbeddingsApi();
  const repository = createMemory(api);
  configure(repository, '');
  repository.write('.memory/config.yaml', `embed: {provider: openai, model: m, base_url: "${api.base}"}\n`);
  expect(await json(repository, 'sync')).not.toHaveProperty('vectors');
  expect(await json(repository, 'search', 'green')).not.toHaveProperty('embedder');
  await gitMem(repository, ['drain', '--wait']);
  expect(await embedderCheck(repository)).toMatchObject({ status: 'ok', message: 'Local vectors, offline.' });
  expect(api.calls).toEqual([]);
});

describe('vectors of records', () => {
  itSqlite('are made by sync only where they are missing', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    const vectors = { model: 'openai/toy', embedded: 2, missing: 0, problem: null };
    expect(await json(repository, 'sync')).toMatchObject({ vectors });
    expect(await json(repository, 'sync')).toMatchObject({ vectors: { ...vectors, embedded: 0 } });
    expect(api.texts()).toHaveLength(2);
    expect((await gitMem(repository, ['sync'])).stdout).toContain('Every record has its vector by openai/toy.\n');
  });

  itSqlite('are made by sync as far as possible, with the reason for stopping', async () => {
    const api = await startEmbeddingsApi(embeddingError(429, 'slow down'));
    const { stdout, stderr, code } = await gitMem(createMemory(api), ['sync']);
    expect(stdout).toContain('0 vectors made by openai/toy, 2 records without.\n');
    expect(stderr).toContain('it answers 429');
    expect(code).toBe(0);
  });

  itSqlite('are made by a drain, a bounded number at a time', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    const id = (i: number) => `${'c'.repeat(7)}${String(i).padStart(3, '0')}`;
    remember(
      repository,
      Array.from({ length: 148 }, (_, i) => ({ id: id(i) })),
    );
    await gitMem(repository, ['drain', '--wait']);
    expect(api.texts()).toHaveLength(128);
    await gitMem(repository, ['drain', '--wait']);
    expect(new Set(api.texts()).size).toBe(150);
    await gitMem(repository, ['drain', '--wait']);
    expect(api.texts()).toHaveLength(150);
  });

  itSqlite('do not make a drain fail', async () => {
    const api = await startEmbeddingsApi(embeddingError(500, 'down'));
    const repository = createMemory(api);
    expect((await gitMem(repository, ['drain', '--wait'])).code).toBe(0);
    expect((await gitMem(repository, ['doctor'])).stdout).toMatch(/trouble in the last day, .*it answers 500/);
  });

  itSqlite('are made by watch as records are added', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    const { root: cwd, env } = repository;
    const child = spawn(process.execPath, [PROGRAM, 'watch'], { cwd, env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const patience = { timeout: 60_000, interval: 50 };
    await vi.waitFor(() => expect(api.texts()).toHaveLength(2), patience);
    remember(repository, [{ id: 'cccccccccc', title: 'One more' }]);
    await vi.waitFor(() => expect(api.texts().at(2)).toBe('One more'), patience);
    api.answer = nothing;
    remember(repository, [{ id: 'dddddddddd', title: 'And one' }]);
    await vi.waitFor(() => expect(api.texts()).toHaveLength(4), patience);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

it('hooks query no model', async () => {
  const api = await startEmbeddingsApi();
  const repository = createMemory(api);
  await json(repository, 'sync');
  const asked = api.calls.length;
  const prompt = 'why is sign-in refused after a deployment, do the nodes disagree about keys?';
  const payload = { session_id: 's1', prompt_id: 'p1', cwd: repository.root, prompt };
  const { stdout, status } = await runAlongside(repository, ['hook', 'claude-code', 'UserPromptSubmit'], {
    input: JSON.stringify({ ...payload, hook_event_name: 'UserPromptSubmit' }),
  });
  expect(status).toBe(0);
  expect(stdout).toContain(SIGN_IN);
  expect(api.calls).toHaveLength(asked);
});

describe('doctor', () => {
  itSqlite('reports the model, whether it answers and how many vectors are missing, and sends no memory', async () => {
    const api = await startEmbeddingsApi();
    const repository = createMemory(api);
    expect(await embedderCheck(repository)).toEqual({
      name: 'embedder',
      status: 'warn',
      message: `openai/toy at ${api.base} answers; 2 of 2 records have no vector yet and are ranked by local ones.`,
      hint: 'Each drain makes some of them; `git mem sync` makes all.',
    });
    expect(api.texts()).toEqual(['git-mem']);
    await json(repository, 'sync');
    expect(await embedderCheck(repository)).toMatchObject({
      status: 'ok',
      message: `openai/toy at ${api.base} answers; every record has its vector.`,
    });
    api.answer = nothing;
    vi.restoreAllMocks();
    expect(await embedderCheck(repository)).toMatchObject({
      status: 'warn',
      message: `openai/toy at ${api.base} does not work, so search uses local vectors. ${api.base} gives no vectors: no answer in time.`,
      hint: expect.stringContaining('embed.base_url'),
    });
  });

  it('says which key is missing', async () => {
    const repository = createMemory({ base: '' });
    configure(repository, 'embed: {provider: voyage}\n');
    expect(await embedderCheck(repository)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('VOYAGE_API_KEY is not set.'),
    });
  });
});
