import { describe, expect, it } from 'vitest';
import { ProviderError, REPLY_SCHEMA } from '../../../../src/capture/extract/provider.ts';
import {
  createAnthropicProvider,
  DEFAULT_ANTHROPIC_MODEL,
} from '../../../../src/capture/extract/providers/anthropic.ts';
import { apiError, prose, startMessagesApi, toolCall } from '../../../support/messages-api.ts';
import { REQUEST } from '../../../support/turns.ts';

const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');

function provider(baseUrl: string | undefined, overrides: Partial<Parameters<typeof createAnthropicProvider>[0]> = {}) {
  return createAnthropicProvider({ apiKey: KEY, baseUrl, ...overrides });
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
    const { url, calls } = await startMessagesApi([
      toolCall({ skip: 'a greeting' }, 'tool_use', { cache_read_input_tokens: 50 }),
    ]);
    const reply = await provider(url).complete(REQUEST);
    expect(reply).toEqual({
      output: { skip: 'a greeting' },
      text: '',
      stopReason: 'tool_use',
      tokens: { input: 1250, output: 300 },
    });
    const [seen] = calls;
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
    expect(seen?.body.tools[0]?.input_schema).toEqual(REPLY_SCHEMA);
  });

  it('returns text where the model wrote instead of calling the tool', async () => {
    const { url, calls } = await startMessagesApi([prose('Nothing much.', 'max_tokens')]);
    const reply = await provider(url, { model: 'claude-sonnet-5-5' }).complete(REQUEST);
    expect(reply).toMatchObject({ output: undefined, text: 'Nothing much.', stopReason: 'max_tokens' });
    expect(calls[0]?.body.model).toBe('claude-sonnet-5-5');
  });

  it('finds the server through ANTHROPIC_BASE_URL', async () => {
    const { url, calls } = await startMessagesApi([toolCall({ skip: 'x' })]);
    const before = process.env.ANTHROPIC_BASE_URL;
    process.env.ANTHROPIC_BASE_URL = url;
    try {
      await provider(undefined).complete(REQUEST);
    } finally {
      if (before === undefined) delete process.env.ANTHROPIC_BASE_URL;
      else process.env.ANTHROPIC_BASE_URL = before;
    }
    expect(calls).toHaveLength(1);
  });

  // The contract test has what a status says by itself.
  it.each([
    [400, 'billing_error', 'quota'],
    [500, 'overloaded_error', 'overloaded'],
  ])('goes by the type of an error: %i with %s is %s', async (status, type, expected) => {
    const { url, calls } = await startMessagesApi([apiError(status, type, 'No.')]);
    expect((await failure(provider(url).complete(REQUEST))).class).toBe(expected);
    expect(calls).toHaveLength(1);
  });

  it('sends nothing without a key', async () => {
    const { url, calls } = await startMessagesApi([toolCall({})]);
    expect((await failure(provider(url, { apiKey: ' \n' }).complete(REQUEST))).class).toBe('auth');
    expect(calls).toHaveLength(0);
  });
});
