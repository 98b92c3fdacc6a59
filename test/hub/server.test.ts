import { describe, expect, it, onTestFinished } from 'vitest';
import { ANSWERS } from '../support/hub-answers.ts';
import { BATCH, PROXY, SALARY, startTestHub, type TestHub } from '../support/hub-server.ts';
import { forAllTests } from '../support/set-up.ts';
import { send } from '../support/viewer-connection.ts';

const titles = (answer: { hits: { title: string }[] }) => answer.hits.map(({ title }) => title);

async function ask<N extends keyof typeof ANSWERS>(hub: TestHub, name: N, path: string, token: string) {
  const response = await hub.get(`/api/v1/${path}`, token);
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return ANSWERS[name].parse(body) as ReturnType<(typeof ANSWERS)[N]['parse']>;
}

describe('the API of a hub', () => {
  const hub = forAllTests((atEnd) => startTestHub({}, atEnd));

  it('finds what the token’s service may read, and nothing else', async () => {
    const [ci, all] = [await hub().token('service:ci'), await hub().token('service:all')];
    expect(titles(await ask(hub(), 'Search', 'search?q=proxy', ci)).sort()).toEqual([BATCH.title, PROXY.title].sort());
    expect((await ask(hub(), 'Search', 'search?q=proxy', all)).total).toBe(3);
    expect(titles(await ask(hub(), 'Search', 'search?q=salaries&repository=acme/payroll', ci))).toEqual([]);
  });

  it('answers in the shapes that programs rely on', async () => {
    const ci = await hub().token('service:ci');
    expect(await ask(hub(), 'Me', 'me', ci)).toMatchObject({ name: 'service:ci', repositories: 2, scopes: ['read'] });
    const { repositories } = await ask(hub(), 'Repositories', 'repositories', ci);
    expect(repositories.map(({ name }) => name)).toEqual(['acme/importer', 'acme/platform']);
    const feed = await ask(hub(), 'Feed', 'feed?limit=1&offset=1', ci);
    expect(feed).toMatchObject({ total: 2, offset: 1, items: [{ id: PROXY.id, repository: 'acme/platform' }] });
    const found = await ask(hub(), 'Records', `records?repository=acme/platform&id=${PROXY.id}&id=${SALARY.id}`, ci);
    expect(found.records).toEqual([expect.objectContaining({ id: PROXY.id, narrative: PROXY.narrative })]);
    expect(found.missing).toEqual([SALARY.id]);
    const facets = await ask(hub(), 'Facets', 'facets', ci);
    expect(facets.type.map(({ name }) => name).sort()).toEqual(['bugfix', 'decision']);
  });

  it('says the same of what is not there and of what is not for the asker', async () => {
    const ci = await hub().token('service:ci');
    const hidden = await hub().get(`/api/v1/records?repository=acme/payroll&id=${SALARY.id}`, ci);
    const absent = await hub().get(`/api/v1/records?repository=acme/nothing&id=${SALARY.id}`, ci);
    expect([hidden.status, await hidden.json()]).toEqual([absent.status, await absent.json()]);
    const sync = await hub().token('service:ci', ['sync']);
    const requested = async (name: string) => {
      return (await hub().get(`/api/v1/sync?repository=${name}`, sync, { method: 'POST' })).json();
    };
    expect(await requested('acme/platform')).toEqual({ repository: 'acme/platform', requested: true });
    expect(await requested('acme/payroll')).toMatchObject({ requested: false });
    expect(await requested('acme/nothing')).toMatchObject({ requested: false });
  });

  it('refuses whoever brings no token, an unknown one, or one without the scope', async () => {
    for (const path of ['/api/v1/search?q=proxy', '/api/meta', '/mcp', '/metrics', '/api/v1/me']) {
      const response = await hub().get(path);
      expect(response.status, path).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${hub().url}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
    expect((await hub().get('/api/v1/me', 'guessed')).status).toBe(401);
    expect((await hub().get('/api/v1/me', undefined, { headers: { authorization: 'Basic Z28=' } })).status).toBe(401);
    const metrics = await hub().token('service:ci', ['metrics']);
    expect((await hub().get('/api/v1/search?q=proxy', metrics)).status).toBe(403);
    expect((await hub().get('/mcp', metrics, { method: 'POST' })).status).toBe(403);
    expect((await hub().get('/metrics', await hub().token('service:ci'))).status).toBe(403);
  });

  it('refuses a revoked token at once', async () => {
    const token = await hub().token('service:ci');
    const known = await hub().hub.tokenOf(token);
    expect((await hub().get('/api/v1/me', token)).status).toBe(200);
    await hub().hub.revokeToken(known?.id ?? '');
    expect((await hub().get('/api/v1/me', token)).status).toBe(401);
  });

  it('refuses parameters that it does not know', async () => {
    const ci = await hub().token('service:ci');
    for (const path of [
      'search?q=a&repo=x',
      'search?limit=-1',
      'search?trust=maybe',
      'feed?since=someday',
      'records',
    ]) {
      const response = await hub().get(`/api/v1/${path}`, ci);
      expect(response.status, path).toBe(400);
      expect(ANSWERS.Failure.parse(await response.json()).error.code).toBe('bad-input');
    }
    expect((await hub().get('/api/v1/nothing', ci)).status).toBe(404);
  });

  it('answers probes without a token, and metrics in the text format', async () => {
    expect((await hub().get('/health')).status).toBe(200);
    expect((await hub().get('/ready')).status).toBe(200);
    const text = await (await hub().get('/metrics', await hub().token('service:ci', ['metrics']))).text();
    expect(text).toMatch(/^git_mem_hub_repositories 3$/m);
    for (const name of ['syncing', 'withheld', 'rights_age_seconds', 'database_seconds_total'])
      expect(text).toMatch(new RegExp(`^git_mem_hub_${name} [\\d.]+$`, 'm'));
    expect(text).toMatch(/^git_mem_hub_requests_total\{route="health",status="200"\} \d+$/m);
    expect(text).toMatch(/^git_mem_hub_request_seconds_bucket\{route="health",le="\+Inf"\} \d+$/m);
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^}]*\})? [\d.e+-]+)$/);
  });

  it('answers only by its own name, and no other site’s browser', async () => {
    const port = Number(new URL(hub().url).port);
    const authorization = `Bearer ${await hub().token('service:ci')}`;
    const status = async (headers: Record<string, string>, method = 'GET') => {
      return (await send(port, '/api/v1/me', { method, headers: { authorization, ...headers } })).status;
    };
    expect(await status({})).toBe(200);
    expect(await status({ host: 'rebound.example' })).toBe(403);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: hub().url })).toBe(200);
    const posted = await send(port, '/sign-out', { method: 'POST', headers: { cookie: 'git-mem=1' } });
    expect(posted.status).toBe(403);
  });

  it('lets nothing be framed, cached or loaded from elsewhere', async () => {
    for (const path of ['/', '/app.js', '/health', '/api/v1/me', '/nothing']) {
      const { headers } = await hub().get(path);
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control'), path).toBe('no-store');
    }
  });

  it('notes who searched, listed and read what, before the answer leaves', async () => {
    const token = await hub().token('service:ci');
    const all = await hub().token('service:all');
    for (const path of ['search?q=batches', 'feed?limit=1', `records?repository=acme/importer&id=${BATCH.id}`])
      expect((await hub().get(`/api/v1/${path}`, token)).status, path).toBe(200);
    const other = await hub().get('/api/v1/search?q=other', all);
    expect(await hub().hub.audit({ who: 'service:all', most: 1 })).toMatchObject([
      { subject: 'other', request: other.headers.get('x-request-id'), ms: expect.any(Number) },
    ]);
    const times = (await hub().hub.audit({ slowest: true, most: 9 })).map(({ ms }) => ms ?? -1);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const lines = await hub().hub.audit({ who: 'service:ci', most: 3 });
    expect(lines.map(({ action, subject, repositories }) => [action, subject, repositories])).toEqual([
      ['read', BATCH.id, ['acme/importer']],
      ['list', '{}', ['acme/importer']],
      ['search', 'batches', ['acme/importer']],
    ]);
  });

  it('writes a JSON line for each request, without tokens or questions', async () => {
    const token = await hub().token('service:ci');
    await hub().get('/api/v1/search?q=confidential', token);
    const line = hub()
      .log()
      .findLast(({ route }) => route === 'api search');
    expect(line).toMatchObject({
      level: 'info',
      event: 'request',
      method: 'GET',
      status: 200,
      asker: expect.stringMatching(/^token /),
    });
    const whole = JSON.stringify(hub().log());
    expect(whole).not.toContain(token);
    expect(whole).not.toContain('confidential');
  });
});

describe('a hub', () => {
  it('refuses rights that nobody confirmed within the hour', async () => {
    const lately = await startTestHub({ minutesAgo: 59 });
    expect((await lately.get('/api/v1/me', await lately.token('service:ci'))).status).toBe(200);
    const hub = await startTestHub({ minutesAgo: 61 });
    const late = await hub.get('/api/v1/search?q=proxy', await hub.token('service:ci'));
    expect(late.status).toBe(403);
    expect(ANSWERS.Failure.parse(await late.json()).error.code).toBe('refused');
  });

  it('lets a token make so many requests a minute, and no other one pays for it', async () => {
    const hub = await startTestHub({ server: { requests_per_minute: 5 } });
    const [ci, all] = [await hub.token('service:ci'), await hub.token('service:all')];
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await hub.get('/api/v1/me', ci)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await hub.get('/api/v1/me', ci)).headers.get('retry-after')).toBe('12');
    expect((await hub.get('/api/v1/me', all)).status).toBe(200);
    hub.clock.now = new Date(hub.clock.now.getTime() + 12_000);
    expect((await hub.get('/api/v1/me', ci)).status).toBe(200);
    for (let i = 0; i < 7; i++) statuses[i] = (await hub.get('/api/v1/me', `guess ${i}`.replace(' ', ''))).status;
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  it('tells its log what broke, and nobody else', async () => {
    const hub = await startTestHub();
    const ci = await hub.token('service:ci');
    const { repositories, search } = hub.hub;
    onTestFinished(() => void Object.assign(hub.hub, { search, repositories }));
    hub.hub.search = () => Promise.reject(new Error('relation "record" at 10.0.0.3 is on fire'));
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'x' } } };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answers = [
      await hub.get('/api/v1/search?q=x', ci),
      await hub.get('/mcp', ci, { method: 'POST', headers, body: JSON.stringify(call) }),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).toContain('The hub failed: its log says why.');
      expect(text).not.toContain('on fire');
    }
    expect(hub.log().filter(({ event }) => event === 'bug')).toHaveLength(2);
  });

  it('answers what was begun before it ends, and takes nothing new', async () => {
    const hub = await startTestHub();
    const ci = await hub.token('service:ci');
    const answers = Array.from({ length: 5 }, () => hub.get('/api/v1/search?q=proxy', ci));
    await Promise.all(answers).then((all) => expect(all.map(({ status }) => status)).toEqual(Array(5).fill(200)));
    await hub.close();
    await expect(hub.get('/health')).rejects.toThrow();
    expect(hub.log().at(-1)).toMatchObject({ event: 'ended' });
  });

  it('says what is wrong with its settings', async () => {
    await expect(startTestHub({ server: { sign_in: { issuer: 'x' } } })).rejects.toThrow('server.sign_in');
    await expect(startTestHub({ server: { prot: 1 } })).rejects.toThrow(/server\..*prot/i);
    await expect(startTestHub({ server: { host: '0.0.0.0' } })).rejects.toThrow('server.url has to begin with https');
    await expect(startTestHub({ server: { url: 'http://hub.example' } })).rejects.toThrow('https');
    const forges = [{ kind: 'github', token_env: 'NOT_SET' }];
    await expect(startTestHub({ server: { forges } })).rejects.toThrow('NOT_SET is not set');
  });
});
