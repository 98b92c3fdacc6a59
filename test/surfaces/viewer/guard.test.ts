import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openProject } from '../../../src/project.ts';
import { MOST_PAGES } from '../../../src/surfaces/viewer/audience.ts';
import { SECURITY_HEADERS } from '../../../src/surfaces/viewer/guard.ts';
import { oneMemory } from '../../../src/surfaces/viewer/served.ts';
import { startViewer as startServer } from '../../../src/surfaces/viewer/server.ts';
import { remember } from '../../support/command.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { startProgram, startViewer } from '../../support/viewer-client.ts';
import { type Answer, send } from '../../support/viewer-connection.ts';

function remembering(atEnd?: AtEnd): TestRepository {
  const repository = createRepository('repository', atEnd);
  remember(repository, [{ id: 'k3v9x2qd7m' }]);
  return repository;
}

const same = (port: number) => `http://127.0.0.1:${port}`;
const PIN = JSON.stringify({ action: 'pin', ids: ['k3v9x2qd7m'] });

function expectHeaders({ headers }: Answer): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers[name]).toBe(value);
}

describe('the guard', () => {
  // Nothing that it refuses leaves a trace.
  const viewer = forAllTests((atEnd) => startViewer(remembering(atEnd), atEnd));

  it('answers nobody without the cookie, whatever token a request carries to any address but the first', async () => {
    const { raw, url } = viewer();
    const token = new URL(url).searchParams.get('token');
    for (const path of [
      '/',
      '/api/meta',
      `/api/meta?token=${token}`,
      '/app.js',
      '/?token=',
      '/?token=wrong',
      '/api/events',
    ]) {
      const answer = await raw(path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.text).not.toContain('k3v9x2qd7m');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await raw('/api/meta', { headers: { cookie: 'git-mem-1=x; git-mem=y' } })).status).toBe(401);
  });

  it('shows a visitor without the token a page that explains how to get in, and nothing else', async () => {
    const { raw } = viewer();
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
    const { status, text, headers: answered } = await raw('/', { headers });
    expect({ status, type: answered['content-type'], cookie: answered['set-cookie'] }).toEqual({
      status: 401,
      type: 'text/html; charset=utf-8',
      cookie: undefined,
    });
    expect(text).toContain('<code>git mem ui</code>');
    expect(text).not.toContain('k3v9x2qd7m');
    expect(answered['content-security-policy']).toContain("default-src 'none'");
  });

  it('shows that page to a person who follows a link of another site or comes by another port, too', async () => {
    const { raw, port } = viewer();
    const navigation = { 'sec-fetch-mode': 'navigate' };
    for (const headers of [
      { ...navigation, 'sec-fetch-site': 'cross-site' },
      { ...navigation, 'sec-fetch-site': 'none', host: `127.0.0.1:${port + 1}` },
    ]) {
      const { status, text, headers: answered } = await raw('/', { headers });
      expect([status, answered['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
      expect(text).toContain('<code>git mem ui</code>');
    }
  });

  it('sets a cookie that no script can read and no other site can send, and that is not the token', async () => {
    const { raw, url, cookie } = viewer();
    const { pathname, search, searchParams } = new URL(url);
    const answer = await raw(pathname + search);
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(searchParams.get('token'));
  });

  it('removes the token from the address bar and the browser history', async () => {
    const { raw, url, cookie } = viewer();
    const { pathname, search } = new URL(url);
    const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
    const opened = await raw(pathname + search, { headers: browser });
    expect(opened).toMatchObject({ status: 303, text: '', headers: { location: '/' } });
    expect(opened.headers['set-cookie']?.[0]).toContain(cookie);
    expect((await raw('/', { headers: { ...browser, cookie } })).status).toBe(200);
    // It is sent no cookie with a second request; its page cleans the address itself.
    expect((await raw(pathname + search, { headers: { ...browser, 'sec-fetch-site': 'cross-site' } })).status).toBe(
      200,
    );
  });

  it('keeps a bounded number of event streams', async () => {
    const { port, cookie, raw } = await startViewer(remembering());
    const joined = Array.from({ length: MOST_PAGES }, async () => {
      const response = await fetch(`${same(port)}/api/events`, { headers: { cookie } });
      const reader = response.body?.getReader();
      await reader?.read();
      return { status: response.status, reader };
    });
    const streams = await Promise.all(joined);
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect((await raw('/api/events', { headers: { cookie } })).status).toBe(503);
    await streams[0]?.reader?.cancel();
    await vi.waitFor(async () => {
      const again = await fetch(`${same(port)}/api/events`, { headers: { cookie } });
      await again.body?.cancel();
      expect(again.status).toBe(200);
    }, 60_000);
    for (const { reader } of streams.slice(1)) await reader?.cancel();
  });

  it('answers to no host name but its own, against DNS rebinding', async () => {
    const { raw, port, cookie, url } = viewer();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `[::1]:${port}`,
    ]) {
      expect((await raw('/api/meta', { headers: { host, cookie } })).status).toBe(403);
      expect((await raw(`/${new URL(url).search}`, { headers: { host } })).status).toBe(403);
    }
    expect((await raw('/api/meta', { headers: { host: `localhost:${port}`, cookie } })).status).toBe(200);
  });

  it('does nothing for a page of another site, even with the cookie', async () => {
    const { raw, port, cookie, ask } = viewer();
    const json = { cookie, 'content-type': 'application/json' };
    const attempts: Record<string, string>[] = [
      { ...json, origin: 'http://evil.example' },
      { ...json, origin: `http://127.0.0.1:${port + 1}` },
      { ...json, origin: 'null' },
      json,
      { ...json, origin: same(port), 'sec-fetch-site': 'cross-site' },
      { ...json, origin: same(port), 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of attempts) {
      expect((await raw('/api/act', { method: 'POST', headers, body: PIN })).status).toBe(403);
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      const headers = { cookie, origin: same(port), 'content-type': type };
      expect((await raw('/api/act', { method: 'POST', headers, body: PIN })).status).toBe(400);
    }
    const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await raw('/api/meta', { headers: foreign })).status).toBe(403);
    expect(await ask('meta')).toMatchObject({ counts: { mark: 0 } });
  });

  it('takes GET, HEAD and POST only', async () => {
    const { raw, cookie, port } = viewer();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const answer = await raw('/api/act', { method, headers: { cookie, origin: same(port) } });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('serves no files but its own', async () => {
    const { raw, cookie } = viewer();
    const paths = [
      '/api/../../etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/../package.json',
      '/.git/config',
    ];
    for (const path of [
      ...paths,
      '//etc/passwd',
      '/app.js/../../bin.cjs',
      '/api/%E0%A4%A',
      '/api/record/..%2f..%2fetc',
      '/api/',
    ]) {
      const answer = await raw(path, { headers: { cookie } });
      expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
      expectHeaders(answer);
    }
    expect((await raw('//', { headers: { cookie } })).status).toBe(400);
  });

  it('reports a body that is too long or not JSON, and keeps running', async () => {
    const { raw, post, cookie, port, ask } = viewer();
    const long = await post('act', { action: 'pin', ids: ['k3v9x2qd7m'], reason: 'x'.repeat(3_000_000) });
    expect([long.status, JSON.parse(long.text).error.code]).toEqual([400, 'bad-input']);
    const headers = { cookie, origin: same(port), 'content-type': 'application/json' };
    expect((await raw('/api/act', { method: 'POST', headers, body: '{"a' })).status).toBe(400);
    expect((await raw('/api/nothing', { method: 'POST', headers, body: '{}' })).status).toBe(404);
    expect(await ask('meta')).toMatchObject({ counts: { observation: 1, mark: 0 } });
  });

  it('sends every security header with every answer, including errors', async () => {
    const { raw, post, cookie } = viewer();
    const answers = await Promise.all([
      raw('/', { headers: { cookie } }),
      raw('/app.js', { headers: { cookie } }),
      raw('/api/meta', { headers: { cookie } }),
      raw('/api/record/zzzz', { headers: { cookie } }),
      raw('/api/feed?kind=x', { headers: { cookie } }),
      raw('/nowhere', { headers: { cookie } }),
      raw('/api/meta'),
      raw('/api/meta', { headers: { host: 'evil.example' } }),
      raw('/', { method: 'PUT' }),
      post('act', {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400, 404, 401, 403, 405, 400]);
    for (const answer of answers) expectHeaders(answer);
  });

  it('listens only on the loopback interface', async () => {
    const { port } = viewer();
    const own = await new Promise<string>((resolve) => {
      const socket = connect({ host: '::1', port }, () => resolve('connected'));
      socket.on('error', () => resolve('refused'));
    });
    expect(own).toBe('refused');
  });

  it('keeps two viewers apart', async () => {
    const [one, two] = [viewer(), await startViewer(remembering())];
    expect(one.cookie.split('=')[0]).not.toBe(two.cookie.split('=')[0]);
    expect((await two.raw('/api/meta', { headers: { cookie: one.cookie } })).status).toBe(401);
    const both = `${one.cookie}; ${two.cookie}`;
    expect((await one.raw('/api/meta', { headers: { cookie: both } })).status).toBe(200);
    expect((await two.raw('/api/meta', { headers: { cookie: both } })).status).toBe(200);
  });
});

describe('the server in this process', () => {
  function start(aloneMs?: { after: number; before: number }) {
    const { root, env } = createRepository();
    const options = { port: 0, keep: false, now: () => new Date(), onError: () => {}, ...(aloneMs && { aloneMs }) };
    return startServer(oneMemory(openProject(root, env)), options);
  }

  it('opens one page per ticket', async () => {
    const viewer = await start();
    const ticket = new URL(viewer.ticket());
    const open = () => send(viewer.port, ticket.pathname + ticket.search);
    expect((await open()).status).toBe(200);
    expect((await open()).status).toBe(401);
    const { pathname, search } = new URL(viewer.url);
    for (let i = 0; i < 2; i++) expect((await send(viewer.port, pathname + search)).status).toBe(200);
    await viewer.close();
  });

  it('exits when nobody connects', async () => {
    const viewer = await start({ after: 50, before: 50 });
    await viewer.ended;
    await expect(send(viewer.port, '/')).rejects.toThrow();
  });

  it('exits when the last page is closed, and not before', async () => {
    const viewer = await start({ after: 1, before: 60_000 });
    const { pathname, search } = new URL(viewer.url);
    const [cookie = ''] = (await send(viewer.port, pathname + search)).headers['set-cookie'] ?? [];
    const [one, two] = [new AbortController(), new AbortController()];
    const join = ({ signal }: AbortController) =>
      fetch(`http://127.0.0.1:${viewer.port}/api/events`, { headers: { cookie }, signal });
    await Promise.all([join(one), join(two)]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    one.abort();
    // Who connects after that page went is answered after it was seen to go.
    await send(viewer.port, '/');
    vi.advanceTimersByTime(60_000);
    expect((await send(viewer.port, '/')).status).toBe(401);
    vi.useRealTimers();
    two.abort();
    await viewer.ended;
  });
});

describe('the program', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits on %s with open pages', async (signal) => {
    const { child, port, cookie, raw } = await startProgram(remembering());
    // What it was built with is served too.
    for (const path of ['/', '/app.js', '/style.css']) {
      expect((await raw(path, { headers: { cookie } })).text).not.toBe('');
    }
    const events = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie } });
    const over = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.on('exit', (...how) => resolve(how));
    });
    child.kill(signal);
    expect(await over).toEqual([0, null]);
    await events.text().catch(() => '');
    await expect(send(port, '/')).rejects.toThrow();
  });
});
