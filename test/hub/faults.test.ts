import { describe, expect, onTestFinished, test } from 'vitest';
import { GitMemError } from '../../src/errors.ts';
import { jsonFor } from '../../src/hub/database/database.ts';
import { openQueue } from '../../src/hub/server/access.ts';
import { peerOf } from '../../src/hub/server/server.ts';
import { parseQuery } from '../../src/search/parse-query.ts';
import { startTestHub } from '../support/hub-server.ts';

const it = test.extend('hub', () => startTestHub());

const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

it('a fault of the caller is one, and no bug of the hub', async ({ hub }) => {
  const ci = await hub.token('service:ci');
  const statusOf = async (path: string, init?: RequestInit) => (await hub.get(path, ci, init)).status;
  expect(await statusOf('/api/record/%?repository=acme/platform')).toBe(400);
  expect(await statusOf('/api/record/%00?repository=acme/platform')).toBe(400);
  expect(await statusOf('/api/v1/search?q=%00')).toBe(400);
  expect(await statusOf('/api/v1/search?q=100%')).toBe(200);
  expect(await statusOf('/api/v1/search?q=%ED%A0%80')).toBe(200);
  expect(await statusOf('/api/v1/records?repository=acme/platform&id=nothing')).toBe(200);
  expect(await statusOf('/api/record/nothing?repository=acme/platform')).toBe(404);
  expect(await statusOf('/sign-out')).toBe(404);
  expect(await statusOf('/sign-out', { method: 'POST', headers: { origin: hub.url } })).toBe(200);
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'proxy \0 \ud800 \\u0000' } },
  };
  const answer = await hub.get('/mcp', ci, { method: 'POST', headers: MCP, body: JSON.stringify(call) });
  expect(await answer.text()).toContain('acme/platform:');
  expect(hub.log().filter(({ level }) => level === 'error')).toEqual([]);
});

it('takes a body in chunks, up to a length, and needs none', async ({ hub }) => {
  const ci = await hub.token('service:ci');
  const send = (text: string) =>
    hub.get('/mcp', ci, {
      method: 'POST',
      headers: MCP,
      body: new Blob([text]).stream(),
      duplex: 'half',
    } as RequestInit);
  const answer = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('get_observations')]);
  expect((await send('x'.repeat(1_000_001))).status).toBe(413);
  expect((await hub.get('/nothing', ci, { method: 'DELETE' })).status).toBe(404);
});

it('looks up a few of the times that a question names', async () => {
  const days = Array.from({ length: 20 }, (_, i) => `${i + 1} days ago`);
  expect(parseQuery('proxy yesterday yesterday', new Date()).spans).toHaveLength(1);
  expect(parseQuery(`proxy ${days.join(' ')}`, new Date()).spans).toHaveLength(8);
});

it('an outage is told with when to ask again, and its address to the log alone', async ({ hub }) => {
  const ci = await hub.token('service:ci');
  const { search } = hub.hub;
  onTestFinished(() => void Object.assign(hub.hub, { search }));
  hub.hub.search = () => {
    throw new GitMemError('busy', 'The database does not answer: connect ECONNREFUSED 10.1.2.3:5432.');
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'x' } } };
  const answer = await hub.get('/api/v1/search?q=x', ci);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  const tool = await hub.get('/mcp', ci, { method: 'POST', headers: MCP, body: JSON.stringify(call) });
  for (const text of [await answer.text(), await tool.text()]) expect(text).not.toContain('10.1.2.3');
  expect(JSON.stringify(hub.log())).toContain('10.1.2.3:5432');
});

it('shows readers no folder of the server', async ({ hub }) => {
  const ci = await hub.token('service:ci');
  for (const path of ['/api/v1/repositories', '/api/meta']) {
    const text = await (await hub.get(path, ci)).text();
    expect(text).toContain('acme/platform');
    expect(text).not.toContain('file:');
  }
});

it('limits the address that a configured proxy forwards, so that one visitor stops nobody else', async () => {
  const hub = await startTestHub({ server: { requests_per_minute: 2, proxies: ['127.0.0.1'] } });
  const from = async (address: string) =>
    (await hub.get('/sign-in', undefined, { headers: { 'x-forwarded-for': `1.1.1.1, ${address}` } })).status;
  expect([await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.1')]).toEqual([404, 404, 429]);
  expect(await from('10.0.0.2')).toBe(404);
});

it.each([
  ['1.2.3.4', undefined, [], '1.2.3.4'],
  ['1.2.3.4', '9.9.9.9', [], '1.2.3.4'],
  ['::ffff:10.0.0.1', '9.9.9.9, 8.8.8.8', ['10.0.0.1'], '8.8.8.8'],
  ['10.0.0.1', '9.9.9.9, 10.0.0.2', ['10.0.0.1', '10.0.0.2'], '9.9.9.9'],
  ['10.0.0.1', undefined, ['10.0.0.1'], '10.0.0.1'],
])('the address of a visitor of %s that forwards %s behind %j is %s', (remote, forwarded, proxies, expected) => {
  expect(peerOf(remote, forwarded, proxies)).toBe(expected);
});

it('writes JSON that a database takes, and changes nothing else', () => {
  const text = 'a\0b \ud800 c \\u0000 \\\\u0000 "\ud83d\ude00" \udfff';
  const written = JSON.parse(jsonFor({ [text]: text }));
  const clean = text.replaceAll('\0', '\ufffd').toWellFormed();
  expect(written).toEqual({ [clean]: clean });
});

describe('the queue of questions', () => {
  it('answers so many at once, lets as many wait as have patience, and refuses the others with a time', async () => {
    const queue = openQueue({ atOnce: 1, patienceMs: 60_000 });
    let finish = (): void => {};
    const first = queue(() => new Promise<void>((done) => (finish = done)));
    const waiting = Array.from({ length: 8 }, (_, i) => queue(async () => i));
    const late = queue(async () => 'late');
    await expect(late).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    finish();
    await first;
    expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await queue(async () => 'idle')).toBe('idle');
  });

  it('refuses who waited too long, and forgets them', async () => {
    const queue = openQueue({ atOnce: 1, patienceMs: 1 });
    let finish = (): void => {};
    const first = queue(() => new Promise<void>((done) => (finish = done)));
    await expect(queue(async () => {})).rejects.toMatchObject({ status: 503 });
    finish();
    await first;
    expect(await queue(async () => 'next')).toBe('next');
  });
});
