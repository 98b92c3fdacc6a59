import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError, type ProviderRequest } from '../../../src/capture/extract/provider.ts';
import { createAnthropicProvider, DEFAULT_ANTHROPIC_MODEL } from '../../../src/capture/extract/providers/anthropic.ts';
import {
  type Answer,
  apiError,
  halfAnswer,
  hangUp,
  type MessagesApi,
  prose,
  silence,
  startMessagesApi,
  toolCall,
  webPage,
} from '../../support/messages-api.ts';

const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');

let api: MessagesApi | undefined;

afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function serve(...script: Answer[]): Promise<MessagesApi> {
  api = await startMessagesApi(script);
  return api;
}

function request(overrides: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    system: 'Be brief.',
    user: 'What happened?',
    schema: { type: 'object', properties: { skip: { type: 'string' } } },
    wholeSchema: { type: 'object' },
    maxTokens: 500,
    signal: new AbortController().signal,
    ...overrides,
  };
}

function provider(baseUrl: string | undefined, overrides: Partial<Parameters<typeof createAnthropicProvider>[0]> = {}) {
  return createAnthropicProvider({ apiKey: KEY, baseUrl, retryDelayMs: 1, ...overrides });
}

async function failure(answer: Promise<unknown>): Promise<ProviderError> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

describe('the Anthropic provider', () => {
  it('forces the tool and returns its input with the tokens that were counted', async () => {
    const { url, requests } = await serve(
      toolCall({ skip: 'a greeting' }, 'tool_use', { cache_read_input_tokens: 50 }),
    );
    const reply = await provider(url).complete(request());
    expect(reply).toEqual({
      output: { skip: 'a greeting' },
      text: '',
      stopReason: 'tool_use',
      tokens: { input: 1250, output: 300 },
    });
    const [seen] = requests;
    expect(seen?.path).toBe('/v1/messages');
    expect(JSON.stringify(seen?.headers)).toContain(KEY);
    expect(seen?.body).toMatchObject({
      model: DEFAULT_ANTHROPIC_MODEL,
      max_tokens: 500,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'What happened?' }],
      tool_choice: { type: 'tool', name: seen?.body.tools[0]?.name },
    });
    expect(seen?.body.tools).toHaveLength(1);
    expect(seen?.body.tools[0]?.input_schema).toEqual(request().schema);
  });

  it('returns text where the model wrote instead of calling the tool', async () => {
    const { url } = await serve(prose('Nothing much.', 'max_tokens'));
    const reply = await provider(url, { model: 'claude-sonnet-5-5' }).complete(request());
    expect(reply).toMatchObject({ output: undefined, text: 'Nothing much.', stopReason: 'max_tokens' });
    expect(api?.requests[0]?.body.model).toBe('claude-sonnet-5-5');
  });

  it('finds the server through ANTHROPIC_BASE_URL', async () => {
    const { url, requests } = await serve(toolCall({ skip: 'x' }));
    const before = process.env.ANTHROPIC_BASE_URL;
    process.env.ANTHROPIC_BASE_URL = url;
    try {
      await provider(undefined).complete(request());
    } finally {
      if (before === undefined) delete process.env.ANTHROPIC_BASE_URL;
      else process.env.ANTHROPIC_BASE_URL = before;
    }
    expect(requests).toHaveLength(1);
  });

  it.each([
    [401, 'authentication_error', 'invalid x-api-key', 'auth', 1],
    [403, 'permission_error', 'not allowed', 'auth', 1],
    [402, 'billing_error', 'no payment method', 'quota', 1],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'quota', 1],
    [400, 'invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum', 'bad-request', 1],
    [404, 'not_found_error', 'model: claude-nonsense', 'bad-request', 1],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'bad-request', 1],
    [429, 'rate_limit_error', 'slow down', 'rate-limit', 1],
    [500, 'api_error', 'Internal server error', 'transient', 2],
    [502, 'api_error', 'Bad gateway', 'transient', 2],
    [529, 'overloaded_error', 'Overloaded', 'overloaded', 2],
  ])('maps %i %s "%s" to %s', async (status, type, text, expected, attempts) => {
    const { url, requests } = await serve(apiError(status, type, text), apiError(status, type, text));
    const error = await failure(provider(url).complete(request()));
    expect(error.code).toBe('provider');
    expect(error.class).toBe(expected);
    expect(error.message).toContain(String(status));
    expect(requests).toHaveLength(attempts);
  });

  it('succeeds once an overload passes', async () => {
    const { url, requests } = await serve(apiError(529, 'overloaded_error', 'Overloaded'), toolCall({ skip: 'x' }));
    expect((await provider(url).complete(request())).output).toEqual({ skip: 'x' });
    expect(requests).toHaveLength(2);
  });

  it('waits for a short Retry-After, and reports a long one at once', async () => {
    const limited = (seconds: string) => apiError(429, 'rate_limit_error', 'slow down', { 'retry-after': seconds });
    const { url, requests } = await serve(limited('0.01'), toolCall({ skip: 'x' }), limited('3600'));
    expect((await provider(url).complete(request())).output).toEqual({ skip: 'x' });
    const error = await failure(provider(url).complete(request()));
    expect(error).toMatchObject({ class: 'rate-limit', retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['a server that never answers', silence],
    ['a server that stops in the middle of its answer', halfAnswer],
  ])('gives up on %s', async (_name, answer) => {
    const { url } = await serve(answer);
    const error = await failure(provider(url, { timeoutMs: 300, retries: 0 }).complete(request()));
    expect(error.class).toBe('transient');
    expect(error.message).toContain('300 ms');
  });

  it.each([
    ['a broken connection', hangUp],
    ['a login page in place of the API', webPage()],
    ['a proxy that fails in HTML', webPage(503)],
  ])('keeps the turn for later after %s', async (_name, answer) => {
    const { url } = await serve(answer);
    expect(['transient', 'overloaded']).toContain(
      (await failure(provider(url, { retries: 0 }).complete(request()))).class,
    );
  });

  it('keeps the turn for later when nothing listens', async () => {
    const { url, close } = await serve();
    await close();
    expect((await failure(provider(url, { retries: 0 }).complete(request()))).class).toBe('transient');
  });

  it('stops at once when the drain is interrupted', async () => {
    const { url } = await serve(silence);
    const controller = new AbortController();
    const answer = failure(provider(url).complete(request({ signal: controller.signal })));
    controller.abort();
    expect((await answer).message).toContain('interrupted');
  });

  it('sends nothing without a key', async () => {
    const { url, requests } = await serve(toolCall({}));
    expect((await failure(provider(url, { apiKey: ' \n' }).complete(request()))).class).toBe('auth');
    expect(requests).toHaveLength(0);
  });

  it('never shows the key, even when an answer repeats it', async () => {
    const echo = (status: number) => apiError(status, 'some_error', `The key ${KEY} is not welcome.`);
    const { url } = await serve(echo(401), echo(403), echo(400), echo(500), echo(529), echo(429));
    const errors: ProviderError[] = [];
    for (let n = 0; n < 6; n += 1) errors.push(await failure(provider(url, { retries: 0 }).complete(request())));
    // fetch quotes a header value that it cannot send.
    errors.push(await failure(provider(url, { apiKey: `${KEY}\n${KEY}`, retries: 0 }).complete(request())));
    const withPassword = url.replace('//', `//user:${KEY}@`);
    errors.push(await failure(provider(withPassword, { retries: 0 }).complete(request())));
    for (const error of errors) {
      const told = [error.message, error.hint, error.stack, JSON.stringify(error), String(error.cause)].join('\n');
      expect(told).not.toContain(KEY);
      expect(told).not.toContain('Zq7Zq7');
    }
  });
});
