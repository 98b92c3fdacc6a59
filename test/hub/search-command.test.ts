import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { BATCH, PROXY, SALARY, startTestHub } from '../support/hub-server.ts';
import { loginPage, startLoopback } from '../support/loopback.ts';
import { createRepository } from '../support/repository.ts';
import { useSettings } from '../support/team-settings.ts';

async function setUp() {
  const hub = await startTestHub();
  const repository = createRepository();
  const env = { GIT_MEM_HUB_URL: hub.url, GIT_MEM_HUB_TOKEN: await hub.token('service:ci') };
  const search = (...args: string[]) => gitMem(repository, ['search', ...args, '--hub'], { env });
  return { hub, repository, env, search };
}

describe('git mem search --hub', () => {
  it('prints what the hub finds for this user, with the repository of each', async () => {
    const { search } = await setUp();
    const { stdout, code } = await search('proxy');
    expect(code).toBe(0);
    expect(stdout).toContain(`acme/platform:${PROXY.id} 2026-11-03 08:00 bugfix    ${PROXY.title}`);
    expect(stdout).toContain(`acme/importer:${BATCH.id}`);
    expect(stdout).not.toContain(SALARY.id);
  });

  it('has the JSON of a search, with the origin of each hit', async () => {
    const { search } = await setUp();
    const { query, total, hits } = JSON.parse((await search('proxy', '--type', 'bugfix', '--json')).stdout);
    expect({ query, total }).toEqual({ query: 'proxy', total: 1 });
    expect(hits).toEqual([expect.objectContaining({ id: PROXY.id, origin: 'acme/platform', trust: 'reviewed' })]);
    expect((await search('nothing-like-it')).stderr).toBe('Nothing found.\n');
  });

  it('takes address and token from the user alone', async () => {
    const { hub, repository, env } = await setUp();
    useSettings(repository, `hub: {url: "${hub.url}"}\n`);
    const { GIT_MEM_HUB_TOKEN } = env;
    const team = await gitMem(repository, ['search', 'proxy', '--hub'], { env: { GIT_MEM_HUB_TOKEN } });
    expect(team).toMatchObject({ code: 1, stderr: expect.stringContaining('No hub is set.') });
    const bare = await gitMem(repository, ['search', 'proxy', '--hub'], { env: { GIT_MEM_HUB_URL: hub.url } });
    expect(bare.stderr).toContain('GIT_MEM_HUB_TOKEN holds no hub token');
    await gitMem(repository, ['config', 'hub.url', hub.url]);
    expect((await gitMem(repository, ['search', 'proxy', '--hub'], { env: { GIT_MEM_HUB_TOKEN } })).code).toBe(0);
  });

  it('says what is wrong', async () => {
    const { repository, env, search } = await setUp();
    const at = (more: Record<string, string>) =>
      gitMem(repository, ['search', 'x', '--hub'], { env: { ...env, ...more } });
    expect((await at({ GIT_MEM_HUB_TOKEN: 'revoked' })).stderr).toContain('The hub: The token is unknown');
    expect((await at({ GIT_MEM_HUB_URL: 'http://hub.example' })).stderr).toContain('begins with https');
    expect((await at({ GIT_MEM_HUB_URL: 'http://127.0.0.1:1' })).stderr).toContain('was not reached');
    expect((await at({ GIT_MEM_HUB_URL: (await startLoopback(loginPage())).url })).stderr).toContain(
      "which is not a hub's response",
    );
    expect((await search('x', '--branch', 'main')).code).toBe(2);
  });
});
