import { describe, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub-server.ts';
import { type Issuer, startIssuer } from '../support/oidc-issuer.ts';

const accessOf = (issuer: Issuer) => [
  { subject: `oidc:${issuer.url}#sub-ada`, name: 'ada', repositories: [], teams: ['core'], all: false },
];

async function setUp(server: object = {}, minutesAgo = 0) {
  const issuer = await startIssuer({ ada: { preferred_username: 'ada' }, mallory: {} });
  issuer.person = 'ada';
  const hub = await startTestHub({ issuer, access: accessOf(issuer), server, minutesAgo });
  return { issuer, hub };
}

/** A browser without pages: it keeps cookies and follows what it is told. */
function browser(hub: TestHub) {
  const jar = new Map<string, string>();
  const visit = async (address: string, init: RequestInit = {}) => {
    const isOurs = address.startsWith(hub.url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(isOurs && cookie !== '' && { cookie }), ...init.headers };
    const response = await fetch(address, { redirect: 'manual', ...init, headers });
    for (const line of isOurs ? response.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    jar,
    visit,
    get: (path: string) => visit(`${hub.url}${path}`),
    async signIn(change: (address: URL) => void = () => {}) {
      const begun = await visit(`${hub.url}/sign-in`);
      const asked = await visit(begun.headers.get('location') ?? '');
      const back = new URL(asked.headers.get('location') ?? '');
      change(back);
      return visit(back.href);
    },
  };
}

describe('signing in', () => {
  it('takes the person to the issuer with PKCE, and back with a session', async () => {
    const { hub, issuer } = await setUp();
    const { get, visit, jar } = browser(hub);
    expect((await get('/')).headers.get('location')).toBe('/sign-in');
    const begun = await get('/sign-in');
    const target = new URL(begun.headers.get('location') ?? '');
    expect(target.origin).toBe(issuer.url);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'git-mem-hub',
      redirect_uri: `${hub.url}/sign-in/callback`,
      code_challenge_method: 'S256',
      scope: 'openid profile',
    });
    const [attempt = ''] = begun.headers.getSetCookie();
    expect(attempt).toMatch(/^git-mem-sign-in-\d+=.+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const back = await visit((await visit(target.href)).headers.get('location') ?? '');
    expect(back.status, JSON.stringify(hub.log())).toBe(303);
    expect(back.headers.get('location')).toBe('/');
    expect(back.headers.getSetCookie()[0]).toMatch(/^git-mem-\d+=.+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
    expect([...jar.keys()]).toEqual([expect.stringMatching(/^git-mem-\d+$/)]);
    expect((await get('/')).status).toBe(200);
    expect(await (await get('/api/meta')).json()).toMatchObject({ person: 'ada', live: false });
    expect(await hub.hub.audit({ most: 5 })).toContainEqual(expect.objectContaining({ action: 'sign-in' }));
  });

  it('sets cookies for https that no other host can set', async () => {
    const { hub } = await setUp({ url: 'https://hub.example' });
    const { send } = await import('../support/viewer-connection.ts');
    const begun = await send(Number(new URL(hub.url).port), '/sign-in', { headers: { host: 'hub.example' } });
    expect(begun.headers['set-cookie']?.[0]).toMatch(/^__Host-git-mem-sign-in=.*; HttpOnly; SameSite=Lax; .*Secure$/);
    expect(begun.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(new URL(begun.headers.location ?? '').searchParams.get('redirect_uri')).toBe(
      'https://hub.example/sign-in/callback',
    );
  });

  it('ends with signing out, here and at the issuer', async () => {
    const { hub, issuer } = await setUp();
    const { get, visit, signIn, jar } = browser(hub);
    await signIn();
    const session = new Map(jar);
    const out = await visit(`${hub.url}/sign-out`, { method: 'POST', headers: { origin: hub.url } });
    const { to } = (await out.json()) as { to: string };
    expect(new URL(to).origin).toBe(issuer.url);
    expect((await visit((await fetch(to, { redirect: 'manual' })).headers.get('location') ?? '')).status).toBe(200);
    expect((await get('/api/meta')).status).toBe(401);
    // The cookie that somebody kept is worth nothing.
    for (const [name, value] of session) jar.set(name, value);
    expect((await get('/api/meta')).status).toBe(401);
  });

  it('ends after its hours', async () => {
    const status = async (minutesAgo: number) => {
      const { get, signIn } = browser((await setUp({ session_hours: 1 }, minutesAgo)).hub);
      await signIn();
      return (await get('/api/meta')).status;
    };
    expect(await status(59)).toBe(200);
    expect(await status(61)).toBe(401);
  });

  it.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'x')],
    ['no state', (back) => back.searchParams.delete('state')],
    ['a made-up code', (back) => back.searchParams.set('code', 'x')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
  ])('is refused with %s', async (_, change) => {
    const { hub } = await setUp();
    const { signIn, get } = browser(hub);
    expect((await signIn(change)).status).toBe(401);
    expect((await get('/api/meta')).status).toBe(401);
  });

  it('is refused in a browser that did not begin it', async () => {
    const { hub } = await setUp();
    const [victim, attacker] = [browser(hub), browser(hub)];
    const asked = await attacker.visit((await attacker.get('/sign-in')).headers.get('location') ?? '');
    expect((await victim.visit(asked.headers.get('location') ?? '')).status).toBe(400);
    // Nor in one that began another.
    await victim.get('/sign-in');
    expect((await victim.visit(asked.headers.get('location') ?? '')).status).toBe(401);
  });

  it.each([
    ['a nonce of another attempt', { nonce: 'x' }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an end in the past', { exp: 1000 }],
    ['no subject', { sub: undefined }],
  ])('is refused where the ID token has %s', async (_, lie) => {
    const { hub, issuer } = await setUp();
    issuer.lie = lie;
    expect((await browser(hub).signIn()).status).toBe(401);
    expect(JSON.stringify(hub.log())).toContain('"event":"sign-in"');
  });

  it('is refused where the ID token is signed by an unknown key', async () => {
    const { hub, issuer } = await setUp();
    const { signIn, get } = browser(hub);
    issuer.forges = true;
    await signIn();
    expect((await get('/api/meta')).status).toBe(401);
  });

  it('lets a person without rights in, to nothing', async () => {
    const { hub, issuer } = await setUp();
    issuer.person = 'mallory';
    const { get, signIn } = browser(hub);
    await signIn();
    const meta = await get('/api/meta');
    expect([meta.status, await meta.text()]).toEqual([403, expect.not.stringContaining('acme/')]);
  });

  it('names people as the code host does, where one says who may read', async () => {
    const issuer = await startIssuer({ ada: { preferred_username: 'Ada' } });
    issuer.person = 'ada';
    const access = [{ subject: 'github:ada', repositories: ['acme/importer'], teams: [], all: false }];
    const hub = await startTestHub({ issuer, access, server: { forges: [{ kind: 'github' }] } });
    const { get, signIn } = browser(hub);
    await signIn();
    const { repositories } = (await (await get('/api/meta')).json()) as { repositories: { name: string }[] };
    expect(repositories.map(({ name }) => name)).toEqual(['acme/importer']);
  });

  it('says that the issuer is down, and works when it is back', async () => {
    const hub = await startTestHub({ server: { sign_in: { issuer: 'http://127.0.0.1:1', client_id: 'x' } } });
    const response = await hub.get('/sign-in');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('does not answer');
  });
});
