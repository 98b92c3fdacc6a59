import { readFileSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import { note } from '../../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const it = test.extend('world', () => setUp());

const PROXY = observationOf({ id: 'k3v9x2qd7m', title: 'The proxy drops connections that idle for a minute' });
const SKEW = observationOf({ id: 'p8w2m4ta1c', title: 'The clock of the proxy is thirty seconds late' });
const OWN = observationOf({ id: '7h2c9d4e1f', title: 'Log lines of the proxy carry a request id' });

/** A server in a repository with one record, beside two others of the user. */
async function setUp() {
  const own = createRepository('own');
  const platform: TestRepository = { ...createRepository('platform'), env: own.env };
  const lib: TestRepository = { ...createRepository('lib'), env: own.env };
  for (const one of [own, platform, lib]) note(one);
  put(own, OWN);
  drop(platform, PROXY);
  drop(lib, SKEW);
  for (const { git } of [platform, lib]) {
    git('add', '--all');
    git('commit', '--quiet', '-m', 'memory');
  }
  const server = await connectMcpHere({ cwd: own.root, env: own.env });
  return { own, platform, lib, server };
}

/** The hits of a search by id, with the repository of each. */
async function hitsOf({ call }: Awaited<ReturnType<typeof setUp>>['server'], given: Record<string, unknown>) {
  const { data } = await call('search', given);
  const hits = data.hits.map(({ id, repository }: { id: string; repository?: string }) => [id, repository]);
  return Object.fromEntries(hits);
}

describe('the personal store, for an agent', () => {
  async function withStore() {
    const own = createRepository('own');
    await gitMem(own, ['init', '--yes', '--json']);
    await gitMem(own, ['personal', 'init']);
    const server = await connectMcpHere({ cwd: own.root, env: own.env });
    return { own, server };
  }
  const savingOf = async ({ client }: Awaited<ReturnType<typeof withStore>>['server']) =>
    (await client.listTools()).tools.find(({ name }) => name === 'save_observation');

  it('is offered only to those who have one', async ({ world: { server: without } }) => {
    const { server } = await withStore();
    expect((await savingOf(without))?.description).not.toContain('personal');
    expect((await savingOf(without))?.inputSchema.properties).not.toHaveProperty('scope');
    const saving = await savingOf(server);
    expect(saving?.description).toMatch(/a habit of their own .* goes with scope personal; what holds for this code/);
    expect(saving?.inputSchema.properties).toHaveProperty('scope');
    const { tools } = await server.client.listTools();
    expect(JSON.stringify(tools).length / 4).toBeLessThan(1200);
    const { isError, text } = await without.call('save_observation', {
      title: 'Short answers',
      scope: 'personal',
    });
    expect([isError, text]).toEqual([true, expect.stringContaining('git mem personal init')]);
  });

  it('takes what the user said about themselves, without anything of the project', async () => {
    const { own, server } = await withStore();
    const title = 'Answers in two sentences, without a summary';
    const { data, text } = await server.call('save_observation', {
      title,
      scope: 'personal',
      type: 'decision',
      files_modified: ['src/secret.ts'],
      narrative: 'The key is ghp_a8F3kL9mN2pQ5rS7tU1vW4xY6zB0cD3eF5gH.',
    });
    expect(text).toMatch(/^Saved personal:.*\nSaved as type preference\./);
    expect(readFileSync(data.path, 'utf8')).toContain('type: preference');
    expect(readFileSync(data.path, 'utf8')).not.toMatch(/secret\.ts|ghp_/);
    expect(own.git('status', '--porcelain', '-uall')).not.toContain('answers-in-two');
    const again = await server.call('save_observation', {
      title: 'Answers in three sentences, without a summary',
      scope: 'personal',
      supersedes: [data.id],
    });
    const list = JSON.parse((await gitMem(own, ['list', '--store', 'personal', '--json'])).stdout);
    expect(list.records.map(({ id }: { id: string }) => `personal:${id}`)).toEqual([again.data.id]);
    await server.call('mark', { type: 'retire', ids: [again.data.id] });
    expect(JSON.parse((await gitMem(own, ['list', '--store', 'personal', '--json'])).stdout).total).toBe(0);
  });
});

describe('other repositories, for an agent', () => {
  it('are searched only with a scope, and each hit says where it is from', async ({ world: { server, platform } }) => {
    const query = 'proxy';
    const here = { [OWN.id]: undefined };
    expect(await hitsOf(server, { query })).toEqual(here);
    const all = { ...here, [SKEW.id]: 'lib', [PROXY.id]: 'platform' };
    expect(await hitsOf(server, { query, scope: 'all' })).toEqual(all);
    const { text, data } = await server.call('search', { query: 'proxy idle connections', scope: 'all', limit: 1 });
    expect(text).toMatch(/^platform:k3v9/);
    expect(data.hits[0].path).toContain(platform.root);
    expect((await server.call('search', { query, scope: 'team' })).text).toContain('scope');
  });

  it('are read by name, with ids of this one in the same call', async ({ world: { server } }) => {
    const ids = ['platform:k3v9', OWN.id, `lib:${SKEW.id}`, 'platform:zzzz', 'nowhere:k3v9'];
    const { text, data } = await server.call('get_observations', { ids });
    const records = data.records.map(({ id, repository }: { id: string; repository?: string }) => [id, repository]);
    expect(records).toEqual([
      [OWN.id, undefined],
      [PROXY.id, 'platform'],
      [SKEW.id, 'lib'],
    ]);
    expect(data.missing).toEqual(['platform:zzzz', 'nowhere:k3v9']);
    expect(text).toContain('No repository is called nowhere');
  });

  it('keep what is private, and what they retired', async ({ world: { server, platform } }) => {
    const secret = observationOf({ id: 'dddddddddd', title: 'A proxy of my own' });
    put(platform, secret, 'private');
    expect(await hitsOf(server, { query: 'proxy', scope: 'all' })).not.toHaveProperty(secret.id);
    const { text, data } = await server.call('get_observations', { ids: [`platform:${secret.id}`] });
    expect([data.records, text]).toEqual([[], expect.not.stringContaining('of my own')]);
    await platform.call('retire', PROXY.id);
    expect(await hitsOf(server, { query: 'proxy', scope: 'all' })).not.toHaveProperty(PROXY.id);
  });

  it('answer once where one is cloned twice', async ({ world: { own, server } }) => {
    const clone: TestRepository = { ...createRepository('clone'), env: own.env };
    await gitMem(clone, ['init', '--yes', '--json']);
    drop(clone, PROXY);
    const { data } = await server.call('search', { query: 'proxy idle connections', scope: 'all' });
    expect(data.hits.filter(({ id }: { id: string }) => id === PROXY.id)).toHaveLength(1);
    expect(data.total).toBe(1);
  });

  it('are told to be gone, and the answer of the others stands', async ({ world: { server, platform } }) => {
    renameSync(platform.root, `${platform.root}-moved`);
    const { text, data } = await server.call('search', { query: 'proxy', scope: 'all' });
    expect(data.hits).toHaveLength(2);
    expect(text).toContain('platform is gone');
  });
});
