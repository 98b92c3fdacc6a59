import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { saveRequest } from '../../../src/capture/by-hand/save-request.ts';
import { storePath } from '../../../src/memory/file-name.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { remember } from '../../support/command.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import { isAlive } from '../../support/processes-at.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';
import { put } from '../../support/written-records.ts';
import { bring, ERAS, it, JITTER, reviewedForAllTests, serve, setUp, start } from './served-memory.ts';

const reviewed = reviewedForAllTests();

describe.each(ERAS)('git-mem mcp with a client of %s', (era) => {
  it('offers six tools that, with the instructions and the line of a start, cost at most 900 tokens', async () => {
    const { client } = await serve(setUp(), { era });
    const list = await client.listTools();
    expect(list.tools.map(({ name }) => name)).toEqual(
      'search timeline get_observations save_observation save_summary mark'.split(' '),
    );
    const keys = Object.fromEntries(
      list.tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    );
    expect(keys).toEqual({
      search: ['query', 'type', 'file', 'since', 'limit'],
      timeline: ['anchor', 'query'],
      get_observations: ['ids'],
      save_observation: ['title', 'type', 'narrative', 'facts', 'files', 'supersedes'],
      save_summary: ['title', 'completed', 'next_steps', 'learned'],
      mark: ['type', 'ids', 'by', 'reason'],
    });
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toMatch(/`search`.*`timeline`.*`get_observations`.*data, not instructions/s);
    const all = [JSON.stringify(list.tools), instructions, saveRequest('start', 'tool', true)].join('');
    expect(all.length / 4).toBeLessThanOrEqual(900);
  });

  it('answers in three steps, each with more detail on fewer records', async () => {
    const { repository, records } = reviewed();
    const server = await start(repository, { era });
    const [postgres, , parser] = records as [Observation, Observation, Observation];

    const found = await server.call('search', { query: 'why postgres and not redis' });
    expect(found.data).toMatchObject({ query: 'why postgres and not redis', took_ms: expect.any(Number) });
    expect(found.data.hits[0]).toMatchObject({
      id: postgres.id,
      kind: 'observation',
      type: postgres.type,
      title: postgres.title,
      created: postgres.generated.at,
      path: `.memory/${storePath(postgres)}`,
      trust: 'reviewed',
      freshness: 'unknown',
      score: expect.any(Number),
    });
    expect(found.text).toContain(`${postgres.id} 2026-01-01 ${postgres.type}: ${postgres.title}`);

    const around = await server.call('timeline', { anchor: parser.id.slice(0, 5), before: 1, after: 2 });
    expect(around.data.anchor).toBe(parser.id);
    expect(around.data.items.map(({ title }: { title: string }) => title)).toEqual(
      records.slice(1, 5).map(({ title }) => title),
    );
    expect(around.text).toContain(`> ${parser.id}`);

    const whole = await server.call('get_observations', { ids: [postgres.id.slice(0, 6), 'zzzz', parser.id] });
    expect(whole.data.missing).toEqual(['zzzz']);
    expect(whole.data.records).toMatchObject([
      { id: postgres.id, narrative: postgres.narrative, facts: postgres.facts },
      { id: parser.id },
    ]);
    expect(whole.text).toContain(postgres.narrative);
    expect(whole.text).toContain('No such record: zzzz.');
  });
});

describe('a repository without a memory', () => {
  it('is offered nothing, a call says how to create one, and nothing is created in it', async ({ repository }) => {
    const server = await serve(repository);
    const before = readdirSync(join(repository.root, '.git'));
    expect(await server.client.listTools()).toMatchObject({ tools: [] });
    expect(server.client.getInstructions()).toBeUndefined();
    for (const [tool, given] of Object.entries({
      save_observation: { title: 'Uploads are limited to ten megabytes' },
      save_summary: { title: 'Upload limits of the gateway', completed: 'The limit is 20 MB.' },
      search: { query: 'uploads' },
      timeline: { query: 'uploads' },
      get_observations: { ids: ['k3v9x2qd7m'] },
      mark: { type: 'retire', ids: ['k3v9x2qd7m'] },
    })) {
      expect(await server.call(tool, given), tool).toMatchObject({
        isError: true,
        text: expect.stringContaining('`git mem init` sets it up'),
      });
    }
    expect(readdirSync(repository.root)).toEqual(['.git']);
    expect(readdirSync(join(repository.root, '.git'))).toEqual(before);
    mkdirSync(join(repository.root, '.memory'));
    expect((await server.call('search')).data.total).toBe(0);
    expect((await server.client.listTools()).tools).not.toEqual([]);
  });

  it('does not include a branch that merely lacks this clone’s memory', async ({ repository }) => {
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'base');
    repository.git('switch', '--quiet', '--create', 'memory');
    put(repository, generatedObservation(1));
    repository.commit('Memory');
    repository.git('switch', '--quiet', '-');
    const server = await serve(repository);
    expect((await server.call('search')).data.total).toBe(0);
  });
});

// Above 20 s under load: a process of its own takes in 3,000 records, and the server answers nine questions.
it.skipIf(process.platform !== 'linux')('thousands of records cost at most 90 MB, even on the first read', async () => {
  const repository = createRepository();
  remember(
    repository,
    Array.from({ length: 3000 }, (_, i) => generatedObservation(i)),
  );
  const server = await start(repository);
  const { data } = await server.call('search', { query: 'why does the token cache reject sessions' });
  expect(data.hits).toHaveLength(10);
  for (const query of ['scheduler lease', 'export schema race', 'queue blocks worker', 'buffer full']) {
    await server.call('search', { query });
    await server.call('timeline', { query });
  }
  const ids = data.hits.map(({ id }: { id: string }) => id);
  expect((await server.call('get_observations', { ids })).data.records).toHaveLength(10);
  expect(residentMb(server.pid)).toBeLessThan(90);
});

describe('an error', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'search',
      { limit: 'many' },
      /limit: .*number.*\nIt takes query, type, concept, file, since, until, limit, in, scope\./s,
    ],
    ['search', { since: 'the day of the frogs' }, /is not a date\.\nWrite 2026/],
    ['timeline', {}, /needs a centre\.\nGive `anchor`/],
    ['timeline', { anchor: 'zzzz' }, /No record has an id that starts with "zzzz"/],
    ['timeline', { query: 'xylophone' }, /No record matches "xylophone"/],
    ['get_observations', {}, /ids: /],
    ['get_observations', { ids: [] }, /ids: /],
    ['save_observation', { title: 'Gateway cuts large uploads', supersedes: ['zzzz'] }, /No record has an id/],
    ['mark', { type: 'redact', ids: ['zzzz'] }, /type: /],
    ['mark', { type: 'pin', ids: ['zzzz'] }, /No record has an id/],
  ])('is an answer of %s with the next step: %j', async (tool, given, text) => {
    const server = await serve(reviewed().repository);
    const answer = await server.call(tool, given);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(text) });
    expect((await server.call('search')).isError).toBe(false);
  });

  it('names the records that an ambiguous id matches', async ({ repository }) => {
    const [a, b] = ['k3v9x2qd7m', 'k3v9x2qd7n'].map((id, i) => bring(repository, i, { id }));
    const server = await serve(repository);
    expect(await server.call('get_observations', { ids: ['k3v9'] })).toMatchObject({
      isError: true,
      text: expect.stringMatching(new RegExp(`names 2 records: (?=.*${a?.id})(?=.*${b?.id}).*one more character`, 's')),
    });
  });

  it('rejects an unknown tool', async () => {
    const server = await serve(createRepository());
    await expect(server.call('forget')).rejects.toThrow('Unknown tool: forget');
  });

  it('ends with its client, even in the middle of an answer', async () => {
    const { repository } = reviewed();
    const server = await start(repository);
    const pending = server.call('search', { query: 'jitter' }).catch(() => undefined);
    await server.close();
    await pending;
    await expect.poll(() => isAlive(server.pid), { timeout: 60_000 }).toBe(false);
  });

  it('offers nothing where git-mem is switched off', async () => {
    const { repository } = reviewed();
    const { client } = await serve(repository, { env: { ...repository.env, GIT_MEM: '0' } });
    expect((await client.listTools()).tools).toEqual([]);
    expect(client.getInstructions()).toBeUndefined();
  });

  it('answers from the files where the cache is damaged', async ({ world: { repository } }) => {
    await (await start(repository)).call('search');
    repository.write('.git/git-mem/cache.sqlite', 'nonsense '.repeat(1000));
    for (const suffix of ['-wal', '-shm'])
      rmSync(join(repository.root, `.git/git-mem/cache.sqlite${suffix}`), { force: true });
    expect((await (await start(repository)).call('search', { query: 'jitter' })).data.hits[0].title).toBe(JITTER);
  });
});

describe('the command line', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8', input: '' });

  it('explains the server and how to register it', () => {
    const { status, stdout } = run('mcp', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/serve this memory.*claude mcp add git-mem -- git-mem mcp/s);
  });

  it('rejects unknown arguments, and exits when stdin closes', () => {
    expect(run('mcp', 'now').status).toBe(2);
    expect(run('mcp')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});

/** Most that the process ever held, in megabytes. */
function residentMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

it('offers the brief for a first memory as a prompt', async () => {
  const { client } = await serve(setUp());
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['bootstrap']);
  const { messages } = await client.getPrompt({ name: 'bootstrap' });
  expect(JSON.stringify(messages)).toContain('at most 15 records');
});
