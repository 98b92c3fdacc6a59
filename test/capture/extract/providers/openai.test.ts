import { describe, expect, it } from 'vitest';
import { REPLY_SCHEMA, WHOLE_REPLY_SCHEMA } from '../../../../src/capture/extract/provider.ts';
import { createOpenAiProvider } from '../../../../src/capture/extract/providers/openai.ts';
import { json, type Reaction, startLoopback } from '../../../support/loopback.ts';
import { REQUEST } from '../../../support/turns.ts';

const said = (content: unknown, more = {}) =>
  json(200, { choices: [{ finish_reason: 'stop', message: { content }, ...more }] });
const refusal = (status: number, message: string) => json(status, { error: { message } });

async function serve(...script: Reaction[]) {
  const { url, calls } = await startLoopback(...script);
  const options = { name: 'openai', label: 'OpenAI', model: 'm', baseUrl: `${url}/v1`, apiKey: '' };
  return { provider: createOpenAiProvider(options), calls };
}

describe('a server that speaks OpenAI’s protocol', () => {
  it('gets no key where none is set', async () => {
    const { provider, calls } = await serve(said('{}'));
    await provider.complete(REQUEST);
    expect(calls[0]?.headers).not.toHaveProperty('authorization');
    expect(calls[0]?.body).toMatchObject({ model: 'm', max_tokens: 500, response_format: { type: 'json_schema' } });
  });

  it('is asked in words when it supports neither schemas nor JSON mode, and directly so the next time', async () => {
    const { provider, calls } = await serve(
      refusal(400, 'This response_format type is unavailable now'),
      refusal(422, "'response_format.type' must be 'text'"),
      said('{}'),
    );
    await provider.complete(REQUEST);
    await provider.complete(REQUEST);
    const formats = calls.map(({ body }) => body.response_format);
    expect(formats).toEqual([
      expect.objectContaining({ type: 'json_schema' }),
      { type: 'json_object' },
      undefined,
      undefined,
    ]);
    // The plain JSON mode is refused where no message speaks of JSON.
    expect(JSON.stringify(calls[1]?.body.messages)).toMatch(/JSON object/);
  });

  it('gets its limit under the newer name where it wants that, with room for reasoning', async () => {
    const { provider, calls } = await serve(
      refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      said('{}'),
    );
    await provider.complete(REQUEST);
    expect(calls[1]?.body).toMatchObject({ max_completion_tokens: 4500 });
    expect(calls[1]?.body).not.toHaveProperty('max_tokens');
  });

  it('is not asked again when it refuses for another reason', async () => {
    const { provider, calls } = await serve(refusal(400, 'The prompt is too long.'));
    await expect(provider.complete(REQUEST)).rejects.toMatchObject({ class: 'bad-request' });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['rate-limit', { error: { message: 'Slow.', code: 429 } }],
    ['auth', { error: { message: 'No.', code: 401 } }],
    ['overloaded', { choices: [{ message: { content: '' }, error: { message: 'Provider is down.', code: 503 } }] }],
    ['transient', { error: 'It broke.' }],
    ['transient', { choices: [] }],
  ])('fails when it reports a failure as a success: %s', async (expected, body) => {
    const { provider } = await serve(json(200, body));
    await expect(provider.complete(REQUEST)).rejects.toMatchObject({ class: expected });
  });

  it('may think aloud, and may omit token counts', async () => {
    const { provider } = await serve(said('<think>{"skip": "no"}</think>\n{"skip":"yes"}'));
    const reply = await provider.complete(REQUEST);
    expect(reply).toMatchObject({ text: '\n{"skip":"yes"}', tokens: { input: 0, output: 0 } });
  });

  it('gets a schema in which every list declares its items', () => {
    const bare = JSON.stringify(WHOLE_REPLY_SCHEMA).match(/\{"type":"(?:array|object)"\}/g);
    expect(bare).toBeNull();
    expect(JSON.stringify(REPLY_SCHEMA)).toContain('{"type":"array"}');
  });
});
