import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../src/hub/forge/open.ts';
import { startTestHub, type TestHub } from '../support/hub-server.ts';
import { json, openLoopback, type Reaction } from '../support/loopback.ts';

const SECRET = 'the webhook secret';

/** A GitHub on loopback: repositories with their collaborators, which a test may change. */
async function gitHub() {
  const readers: Record<string, string[] | 'everybody' | 'down'> = {
    'acme/platform': ['ada', 'grace'],
    'acme/importer': ['ada'],
    'acme/payroll': ['grace'],
  };
  const answer: Reaction = (response, call) => {
    const [, name = '', list] = /^\/repos\/([^/]+\/[^/?]+)(\/collaborators)?/.exec(call.path) ?? [];
    const of = readers[name];
    if (of === undefined) return json(404, {})(response, call);
    if (of === 'down') return json(502, {})(response, call);
    const people = of === 'everybody' ? [] : of;
    const body = list ? people.map((login) => ({ login })) : { private: of !== 'everybody' };
    json(200, body)(response, call);
  };
  return { readers, host: await openLoopback([answer]) };
}

async function setUp(minutesAgo = 0) {
  const { readers, host } = await gitHub();
  const forges = [
    { kind: 'github', api: host.url, host: 'forge.example', token_env: 'FORGE_TOKEN', webhook_secret_env: 'HOOK' },
  ];
  const hub = await startTestHub({
    access: [],
    server: { forges },
    env: { FORGE_TOKEN: 't', HOOK: SECRET },
    minutesAgo,
  });
  const seen = async (login: string) => {
    const response = await hub.get('/api/v1/repositories', await hub.token(`github:${login}`));
    if (response.status !== 200) return response.status;
    const { repositories } = (await response.json()) as { repositories: { name: string }[] };
    return repositories.map(({ name }) => name);
  };
  return { readers, host, hub, seen };
}

function deliver(hub: TestHub, event: string, payload: object, secret = SECRET) {
  const body = JSON.stringify(payload);
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return hub.get('/webhooks/github', undefined, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-github-event': event, 'x-hub-signature-256': signature },
    body,
  });
}

describe('the rights of a hub', () => {
  it('are those of the code host', async () => {
    const { seen } = await setUp();
    expect(await seen('ada')).toEqual(['acme/importer', 'acme/platform']);
    expect(await seen('grace')).toEqual(['acme/payroll', 'acme/platform']);
    expect(await seen('mallory')).toBe(403);
  });

  it('change with it in the next round, which a webhook about people asks for', async () => {
    const { readers, hub, seen } = await setUp();
    readers['acme/payroll'] = ['ada'];
    readers['acme/platform'] = ['ada'];
    const response = await deliver(hub, 'member', { repository: { full_name: 'acme/payroll' } });
    expect([response.status, await response.json()]).toEqual([202, { wants: 'rights', requested: true }]);
    await expect.poll(() => hub.log().filter(({ event }) => event === 'rights').length).toBe(2);
    expect(await seen('ada')).toEqual(['acme/importer', 'acme/payroll', 'acme/platform']);
    expect(await seen('grace')).toBe(403);
  });

  it('end an hour after the host was last heard, repository by repository', async () => {
    const seenAfter = async (minutes: number) => {
      const { readers, hub, seen } = await setUp(minutes);
      hub.clock.now = new Date();
      readers['acme/importer'] = 'down';
      await deliver(hub, 'member', { repository: { full_name: 'acme/platform' } });
      await expect
        .poll(() => hub.log().filter(({ event, failed }) => event === 'rights' && failed === 1).length)
        .toBe(1);
      expect(hub.log()).toContainEqual(
        expect.objectContaining({ event: 'rights', problem: 'acme/importer: GitHub answered 502.' }),
      );
      return seen('ada');
    };
    expect(await seenAfter(50)).toEqual(['acme/importer', 'acme/platform']);
    expect(await seenAfter(70)).toEqual(['acme/platform']);
    expect(await (await setUp(61)).seen('ada')).toBe(403);
  });
});

it('a webhook at the hub asks for a sync where it is signed, and nothing where it is not', async () => {
  const { hub } = await setUp();
  const push = { ref: 'refs/heads/main', repository: { full_name: 'acme/platform' } };
  const good = await deliver(hub, 'push', push);
  expect([good.status, await good.json()]).toEqual([202, { wants: 'sync', requested: true }]);
  const unknown = await deliver(hub, 'push', { repository: { full_name: 'acme/other' } });
  expect(await unknown.json()).toEqual({ wants: 'sync', requested: false });
  expect((await deliver(hub, 'push', push, 'guessed')).status).toBe(401);
  const unsigned = { method: 'POST', headers: { 'x-github-event': 'push' }, body: JSON.stringify(push) };
  expect((await hub.get('/webhooks/github', undefined, unsigned)).status).toBe(401);
  expect((await hub.get('/webhooks/gitlab', undefined, unsigned)).status).toBe(404);
  expect((await hub.get('/webhooks/github')).status).toBe(404);
});

it.each([
  ['https://github.com/acme/platform.git', 'github.com', 'acme/platform'],
  ['https://user:pass@gitlab.example:8443/a/b/c', 'gitlab.example', 'a/b/c'],
  ['ssh://git@forge.example:22/acme/platform.git', 'forge.example', 'acme/platform'],
  ['git@GitHub.com:acme/platform.git', 'github.com', 'acme/platform'],
])('the address %s is of a repository on a host', (url, host, path) => {
  expect(placeOf(url)).toEqual({ host, path });
});
