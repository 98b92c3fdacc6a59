import { describe, expect, it } from 'vitest';
import {
  isRefusal,
  isTruncated,
  ProviderError,
  type ProviderRequest,
} from '../../../../src/capture/extract/provider.ts';
import {
  elsewhere,
  half,
  hangUp,
  loginPage,
  nothing,
  type Reaction,
  startLoopback,
} from '../../../support/loopback.ts';
import { type Patience, PROTOCOLS } from '../../../support/model-protocols.ts';
import { REQUEST } from '../../../support/turns.ts';

const KEY = ['sk', 'test', 'Zq7'.repeat(20)].join('-');

describe.each(PROTOCOLS)('the provider that speaks to $name', (protocol) => {
  async function serve(script: Reaction[], patience: Patience = {}) {
    const server = await startLoopback(...script);
    const provider = protocol.create(server.url, KEY, patience);
    const failure = async (changes: Partial<ProviderRequest> = {}): Promise<ProviderError> => {
      const error = await provider.complete({ ...REQUEST, ...changes }).catch((reason: unknown) => reason);
      if (error instanceof ProviderError) return error;
      throw new Error(`This is no ProviderError: ${JSON.stringify(error)}`);
    };
    return { ...server, failure, ask: () => provider.complete(REQUEST) };
  }

  it('sends instructions, question, shape and key, and reads text and tokens', async () => {
    const { ask, calls } = await serve([protocol.said({ text: '{"skip":"x"}', tokens: { input: 70, output: 120 } })]);
    expect(await ask()).toMatchObject({ text: '{"skip":"x"}', tokens: { input: 70, output: 120 } });
    const [call] = calls;
    expect(call?.path).toMatch(protocol.path);
    expect(JSON.stringify(call?.headers)).toContain(KEY);
    const sent = JSON.stringify(call?.body);
    for (const part of ['Be brief.', 'What happened?', 'observations', 'narrative']) expect(sent).toContain(part);
    expect(sent).not.toContain(KEY);
    expect(call?.path).not.toContain(KEY);
  });

  it('distinguishes an answer that was cut off from one that was refused', async () => {
    const { ask } = await serve([
      protocol.said({ text: '{"sk', isCutOff: true }),
      protocol.said({ text: '', isRefused: true }),
    ]);
    const cut = await ask();
    expect([isTruncated(cut.stopReason), cut.text]).toEqual([true, '{"sk']);
    expect(isRefusal((await ask()).stopReason)).toBe(true);
  });

  it('passes on an answer that is not JSON', async () => {
    const { ask } = await serve([protocol.said({ text: 'Sure, I can help.' })]);
    expect(await ask()).toMatchObject({ output: undefined, text: 'Sure, I can help.' });
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [402, 'quota'],
    [400, 'bad-request'],
    [404, 'bad-request'],
    [408, 'transient'],
    [413, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'transient'],
    [502, 'transient'],
    [503, 'overloaded'],
    [529, 'overloaded'],
  ])('maps %i to %s', async (status, expected) => {
    const { failure, calls } = await serve([protocol.error(status, 'So it is.')]);
    const error = await failure();
    expect([error.class, error.code]).toEqual([expected, 'provider']);
    expect(error.message).toContain(String(status));
    expect(calls).toHaveLength(1);
  });

  it('recognises an account without credit, and an invalid key', async () => {
    const { failure, calls } = await serve([protocol.broke, protocol.unknownKey('No such key.')]);
    expect((await failure()).class).toBe('quota');
    const refused = await failure();
    // Some quote the key with stars in it: nothing they say of it is told.
    expect([refused.class, refused.message]).toEqual(['auth', expect.not.stringContaining('No such key.')]);
    expect(calls).toHaveLength(2);
  });

  it('reports a Retry-After, and asks nothing by itself', async () => {
    const limited = (after: string) => protocol.error(429, 'Slow down.', { 'retry-after': after });
    const { failure, calls } = await serve([limited('0.01'), limited('3600')]);
    expect(await failure()).toMatchObject({ class: 'rate-limit', retryAfterMs: 10 });
    expect(await failure()).toMatchObject({ class: 'rate-limit', retryAfterMs: 3_600_000 });
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['never answers', nothing],
    ['stops in the middle of its answer', half('open')],
  ])('gives up on a server that %s', async (_, reaction) => {
    const { failure } = await serve([reaction], { timeoutMs: 300 });
    const error = await failure();
    expect([error.class, error.message]).toEqual(['transient', expect.stringContaining('300 ms')]);
  });

  it.each([
    ['half an answer', half('closed'), 'transient'],
    ['a broken connection', hangUp, 'transient'],
    ['a login page', loginPage(), 'transient'],
    ['a proxy that fails in HTML', loginPage(503), 'overloaded'],
    ['a huge answer', protocol.said({ text: 'x'.repeat(6_000_000) }), 'transient'],
  ])('keeps the turn for later after %s', async (_, reaction, expected) => {
    const { failure } = await serve([reaction], { timeoutMs: 20_000 });
    const error = await failure();
    expect(error.class).toBe(expected);
    expect(error.message).not.toContain('20000 ms');
  });

  it('keeps the turn for later when nothing listens', async () => {
    const { close, failure } = await serve([], {});
    close();
    expect((await failure()).class).toBe('transient');
  });

  it('follows no redirect', async () => {
    const other = await startLoopback(protocol.said({ text: '{}' }));
    const { failure } = await serve([elsewhere(other.url)], {});
    expect((await failure()).class).toBe('transient');
    expect(other.calls).toEqual([]);
  });

  it('stops at once when it is interrupted', async () => {
    const { failure } = await serve([nothing]);
    const controller = new AbortController();
    const answer = failure({ signal: controller.signal });
    controller.abort();
    expect((await answer).message).toContain('interrupted');
  });

  it('never shows the key, even when an answer repeats it', async () => {
    const text = `The key ${KEY} is not welcome.`;
    const echoes = [400, 401, 402, 403, 404, 429, 500, 503].map((status) => protocol.error(status, text));
    const { url, failure } = await serve([...echoes, protocol.unknownKey(text)], {});
    const errors: ProviderError[] = [];
    for (let n = 0; n <= echoes.length; n += 1) errors.push(await failure());
    const others = [
      protocol.create(url, `${KEY}\n${KEY}`, {}),
      protocol.create(url.replace('//', `//user:${KEY}@`), KEY, {}),
      protocol.create('http://127.0.0.1:9', KEY, {}),
    ];
    for (const other of others) errors.push(await other.complete(REQUEST).catch((error) => error));
    for (const error of errors) {
      expect(error).toBeInstanceOf(ProviderError);
      const told = [error.message, error.hint, error.stack, JSON.stringify(error), String(error.cause)].join('\n');
      expect(told).not.toContain('Zq7Zq7');
    }
  });
});
