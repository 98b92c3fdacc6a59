import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { remember, runAlongside } from '../support/command.ts';
import { gitMem } from '../support/command-line.ts';
import { type EmbeddingsApi, embeddingError, startEmbeddingsApi, vectorsBy } from '../support/embeddings-api.ts';
import { hangUp, loginPage, nothing } from '../support/loopback.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { itSqlite } from '../support/sqlite.ts';

/**
 * Waits of the program take this many times as long here, so that no answer depends on how busy the machine is. Where a
 * wait has to end, a test goes back to the real clock.
 */
const SLOWER = 100;

beforeEach(() => {
  const [wait, abort] = [globalThis.setTimeout, AbortSignal.timeout];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => wait(run, ms * SLOWER)) as never);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => abort.call(AbortSignal, ms * SLOWER));
});
afterEach(() => vi.restoreAllMocks());

const SIGN_IN = 'Sign-in is refused after a deployment';

/** A repository whose user has a model at that server, with two records. */
function createMemory(api: Pick<EmbeddingsApi, 'base'>): TestRepository {
  const repository = createRepository();
  configure(repository, `embed: {provider: openai, model: toy, base_url: "${api.base}"}\n`);
  remember(repository, [
    { id: 'aaaaaaaaaa', title: SIGN_IN, narrative: 'The nodes disagreed about keys.' },
    { id: 'bbbbbbbbbb', title: 'Buttons of the page are green', narrative: 'For the contrast.' },
  ]);
  return repository;
}

function configure({ env }: TestRepository, yaml: string): void {
  const folder = join(env.HOME ?? '', '.config', 'git-mem');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), yaml);
}

async function json(repository: TestRepository, ...args: string[]) {
  const { stdout, stderr, code } = await gitMem(repository, [...args, '--json']);
  expect(code).toBe(0);
  return { ...JSON.parse(stdout), stderr };
}

const QUESTIONS = 'green\nkeys\nnodes\n';

function expectLocalAnswers(stdout: string): void {
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ embedder }) => embedder)).toEqual(['local', 'local', 'local']);
  expect(answers.map(({ hits }) => hits.length)).toEqual([1, 1, 1]);
}

const idsOf = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => id);

const embedderCheck = async (repository: TestRepository) => {
  const { stdout } = await gitMem(repository, ['doctor', '--json']);
  const checks: { name: string }[] = JSON.parse(stdout).checks;
  return checks.find(({ name }) => name === 'embedder');
};

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
    expect(stderr).toBe('1 more: --limit 2 shows them all.\n');

    const off = { GIT_MEM_EMBED_PROVIDER: 'local' };
    const asked = api.calls.length;
    const plain = JSON.parse((await gitMem(repository, ['search', '--json', 'authentication'], { env: off })).stdout);
    expect(Object.keys(plain)).toEqual(['query', 'took_ms', 'total', 'hits']);
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
      note: expect.stringContaining('have another length than before'),
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

  itSqlite('works without transformers.js where that is not installed', async () => {
    const repository = createMemory({ base: '' });
    configure(repository, 'embed: {provider: transformers}\n');
    const result = await json(repository, 'search', 'green');
    expect(idsOf(result)).toEqual(['bbbbbbbbbb']);
    expect(result.note).toContain('transformers.js does not load');
    expect(await json(repository, 'sync')).toMatchObject({
      vectors: { embedded: 0, missing: 2, problem: expect.stringContaining('transformers.js does not load') },
    });
    expect(await embedderCheck(repository)).toMatchObject({
      status: 'warn',
      hint: expect.stringContaining('npm install @huggingface/transformers'),
    });
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

describe('the team file', () => {
  it('sends nothing anywhere', async () => {
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

describe('hooks', () => {
  it('query no model', async () => {
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
