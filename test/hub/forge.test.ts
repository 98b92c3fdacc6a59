import { describe, expect, it } from 'vitest';
import { type ForgeKind, openForge } from '../../src/hub/forge/open.ts';
import { hangUp, json, loginPage, openLoopback, type Reaction, type SeenCall } from '../support/loopback.ts';

/** A page of people, with what a host says beside their names. */
const gitHubUser = (login: string, pull = true) => ({
  login,
  id: login.length * 1000,
  type: 'User',
  site_admin: false,
  permissions: { admin: false, maintain: false, push: false, triage: false, pull },
  role_name: 'read',
});
const gitLabMember = (username: string, access_level: number, state = 'active') => ({
  id: username.length,
  username,
  name: username,
  state,
  membership_state: 'active',
  access_level,
  expires_at: null,
});

/** A code host that answers by path; a value that is a function answers by itself. */
async function hostWith(kind: ForgeKind, answers: Record<string, unknown>, internalForAll = false) {
  const answer: Reaction = (response, call) => {
    const found = answers[decodeURI(call.path)] ?? answers[call.path];
    if (typeof found === 'function') found(response, call);
    else if (found === undefined) json(404, { message: 'Not Found' })(response, call);
    else json(200, found)(response, call);
  };
  const host = await openLoopback([answer]);
  const forge = openForge(kind, { api: `${host.url}/api`, token: 's3cret', internalForAll });
  return { forge, host };
}

/** A list in pages that name the next one, as the hosts do it. */
function pages(path: string, ...lists: unknown[][]): Record<string, Reaction> {
  const at = (i: number) => (i === 0 ? path : `${path}&page=${i + 1}`);
  return Object.fromEntries(
    lists.map((list, i): [string, Reaction] => [
      at(i),
      (response, call: SeenCall) => {
        const url = (path: string) => `http://${call.headers.host}${path}`;
        const link = `<${url(at(i + 1))}>; rel="next", <${url(at(lists.length - 1))}>; rel="last"`;
        json(200, list, i + 1 < lists.length ? { link } : {})(response, call);
      },
    ]),
  );
}

describe('the readers that GitHub names', () => {
  const list = '/api/repos/acme/platform/collaborators?affiliation=all&per_page=100';

  it('are the collaborators of all pages, by lower-case login', async () => {
    const { forge, host } = await hostWith('github', {
      '/api/repos/acme/platform': { id: 1, full_name: 'acme/platform', private: true, visibility: 'private' },
      ...pages(list, [gitHubUser('Ada'), gitHubUser('grace')], [gitHubUser('linus'), gitHubUser('nobody', false)]),
    });
    expect(await forge.readersOf('acme/platform')).toEqual({ everybody: false, logins: ['ada', 'grace', 'linus'] });
    expect(host.calls.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer s3cret'));
  });

  it('are everybody where it is public, and where it is internal only if the hub says so', async () => {
    const open = { '/api/repos/acme/platform': { private: false, visibility: 'public' } };
    expect(await (await hostWith('github', open)).forge.readersOf('acme/platform')).toMatchObject({ everybody: true });
    const internal = {
      '/api/repos/acme/platform': { private: true, visibility: 'internal' },
      ...pages(list, [gitHubUser('ada')]),
    };
    const readers = async (forAll: boolean) =>
      (await hostWith('github', internal, forAll)).forge.readersOf('acme/platform');
    expect(await readers(false)).toEqual({ everybody: false, logins: ['ada'] });
    expect(await readers(true)).toMatchObject({ everybody: true });
  });

  it('are nobody where it is gone, and follow it to its new name on the same host only', async () => {
    const { forge } = await hostWith('github', {});
    expect(await forge.readersOf('acme/platform')).toEqual({ everybody: false, logins: [] });
    const moved: Reaction = (response) => void response.writeHead(301, { location: '/api/repositories/1' }).end();
    const renamed = await hostWith('github', {
      '/api/repos/acme/platform': moved,
      '/api/repositories/1': { private: false },
    });
    expect(await renamed.forge.readersOf('acme/platform')).toMatchObject({ everybody: true });
    const thief = await openLoopback([json(200, { private: false })]);
    const lured: Reaction = (response) => void response.writeHead(302, { location: thief.url }).end();
    const { forge: sent } = await hostWith('github', { '/api/repos/acme/platform': lured });
    await expect(sent.readersOf('acme/platform')).rejects.toThrow('which gets no token');
    expect(thief.calls).toEqual([]);
  });

  it('are unknown, not nobody, where the host fails', async () => {
    const about = { '/api/repos/acme/platform': { private: true } };
    const failing: [RegExp, Reaction][] = [
      [/answered 500/, json(500, {})],
      [/answered 401/, json(401, { message: 'Bad credentials' })],
      [/answered 403/, json(403, { message: 'Must have push access to view repository collaborators.' })],
      [/no JSON/, loginPage()],
      [/did not send a list/, json(200, { message: 'maintenance' })],
      [/unknown shape: login/, json(200, [{ id: 1 }])],
      [/was not reached/, hangUp],
      [
        /no more requests for \d{3,} seconds/,
        json(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' }),
      ],
      [/no more requests for 900 seconds/, json(429, {}, { 'retry-after': '900' })],
    ];
    for (const [message, reaction] of failing) {
      const { forge } = await hostWith('github', { ...about, [list]: reaction });
      await expect(forge.readersOf('acme/platform'), String(message)).rejects.toThrow(message);
    }
  });

  it('are unknown where the host sends without end, or stops in the middle', async () => {
    let sent = 0;
    const endless: Reaction = (response) => {
      const more = () => {
        // Far more than is read; without a limit the test would end by it.
        while (sent < 200_000_000 && response.write(' '.repeat(1_000_000))) sent += 1_000_000;
        if (sent >= 200_000_000) response.end();
      };
      response.on('drain', more).writeHead(200, { 'content-type': 'application/json' });
      more();
    };
    const { forge } = await hostWith('github', { '/api/repos/acme/platform': endless });
    await expect(forge.readersOf('acme/platform')).rejects.toMatchObject({
      code: 'provider',
      message: 'GitHub sent too long a response.',
    });
    expect(sent).toBeLessThan(50_000_000);
    const broken: Reaction = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    };
    const other = await hostWith('github', { '/api/repos/acme/platform': broken });
    await expect(other.forge.readersOf('acme/platform')).rejects.toMatchObject({ code: 'provider' });
  });

  it('are unknown where a later page is missing', async () => {
    const [first = ''] = Object.keys(pages(list, [], []));
    const { [first]: page } = pages(list, [gitHubUser('ada')], [gitHubUser('grace')]);
    const { forge } = await hostWith('github', { '/api/repos/acme/platform': { private: true }, [first]: page });
    await expect(forge.readersOf('acme/platform')).rejects.toThrow('broke off a list midway');
  });

  it('are asked for once more after the pause that the host wants', async () => {
    let asked = 0;
    const busy: Reaction = (response, call) => {
      const answer = asked++ === 0 ? json(429, {}, { 'retry-after': '0' }) : json(200, [gitHubUser('ada')]);
      answer(response, call);
    };
    const { forge } = await hostWith('github', { '/api/repos/acme/platform': { private: true }, [list]: busy });
    expect(await forge.readersOf('acme/platform')).toMatchObject({ logins: ['ada'] });
    expect(asked).toBe(2);
  });

  it('are asked for only by the name of a repository', async () => {
    const { forge, host } = await hostWith('github', {});
    for (const name of ['acme', 'acme/../user', '../user', 'acme/a?b=c', 'a/b/c', 'acme/..']) {
      await expect(forge.readersOf(name)).rejects.toMatchObject({ code: 'bad-config' });
    }
    expect(host.calls).toEqual([]);
  });
});

describe('the readers that GitLab names', () => {
  const path = '/api/projects/acme%2Ftools%2Fplatform';

  it('are active members from Reporter on, those of the groups above too', async () => {
    const { forge, host } = await hostWith('gitlab', {
      [path]: { id: 7, visibility: 'private', repository_access_level: 'enabled' },
      ...pages(
        `${path}/members/all?per_page=100`,
        [gitLabMember('ada', 50), gitLabMember('guest', 10)],
        [gitLabMember('grace', 20), gitLabMember('left', 40, 'blocked')],
      ),
    });
    expect(await forge.readersOf('acme/tools/platform')).toEqual({ everybody: false, logins: ['ada', 'grace'] });
    expect(host.calls[0]?.headers['private-token']).toBe('s3cret');
  });

  it('are members only where the code of a public project is, and nobody where it has none', async () => {
    const members = pages(`${path}/members/all?per_page=100`, [gitLabMember('ada', 30)]);
    const at = async (level: string, visibility = 'public') => {
      const { forge } = await hostWith('gitlab', {
        [path]: { visibility, repository_access_level: level },
        ...members,
      });
      return forge.readersOf('acme/tools/platform');
    };
    expect(await at('enabled')).toEqual({ everybody: true, logins: [] });
    expect(await at('private')).toEqual({ everybody: false, logins: ['ada'] });
    expect(await at('disabled')).toEqual({ everybody: false, logins: [] });
    expect(await at('enabled', 'internal')).toEqual({ everybody: false, logins: ['ada'] });
  });
});

describe('the readers that Gitea names', () => {
  const about = { private: true, internal: false, owner: { login: 'Acme', visibility: 'public' } };

  it('are the owner, the collaborators and the teams that reach the code', async () => {
    const { forge } = await hostWith('gitea', {
      '/api/repos/acme/platform': about,
      '/api/repos/acme/platform/teams': [
        { id: 1, name: 'Owners', permission: 'owner', units_map: {} },
        { id: 2, name: 'triage', permission: 'none', units_map: { 'repo.issues': 'write', 'repo.code': 'none' } },
        { id: 3, name: 'devs', permission: 'none', units_map: { 'repo.code': 'read' } },
        { id: 4, name: 'old', permission: 'read' },
      ],
      ...pages('/api/repos/acme/platform/collaborators?limit=50', [{ login: 'ada' }], [{ login: 'ext' }]),
      '/api/teams/1/members?limit=50': [{ login: 'root' }],
      '/api/teams/2/members?limit=50': [{ login: 'triager' }],
      '/api/teams/3/members?limit=50': [{ login: 'grace' }, { login: 'Ada' }],
      '/api/teams/4/members?limit=50': [{ login: 'elder' }],
    });
    expect((await forge.readersOf('acme/platform')).logins).toEqual(['acme', 'ada', 'ext', 'root', 'grace', 'elder']);
  });

  it('are those of a person’s repository too, which has no teams', async () => {
    const { forge } = await hostWith('gitea', {
      '/api/repos/acme/platform': about,
      '/api/repos/acme/platform/teams': json(405, { message: 'error repo is not owned by an organization' }),
      '/api/repos/acme/platform/collaborators?limit=50': [],
    });
    expect(await forge.readersOf('acme/platform')).toEqual({ everybody: false, logins: ['acme'] });
  });

  it('are everybody only where neither the repository nor its owner is closed', async () => {
    const open = async (more: object, forAll = false) => {
      const { forge } = await hostWith(
        'gitea',
        { '/api/repos/acme/platform': { ...about, private: false, ...more } },
        forAll,
      );
      return (await forge.readersOf('acme/platform')).everybody;
    };
    expect(await open({})).toBe(true);
    expect(await open({ owner: { login: 'acme', visibility: 'private' } })).toBe(false);
    expect(await open({ owner: { login: 'acme', visibility: 'limited' } })).toBe(false);
    expect(await open({ owner: { login: 'acme', visibility: 'limited' } }, true)).toBe(true);
    expect(await open({ internal: true })).toBe(false);
  });
});
