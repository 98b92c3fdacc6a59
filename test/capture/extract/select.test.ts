import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chosenProviders } from '../../../src/capture/extract/chosen-provider.ts';
import { extractorOf as selected } from '../../../src/capture/extract/select.ts';
import type { Turn } from '../../../src/capture/extract/turn.ts';
import { loadConfig } from '../../../src/config.ts';
import { answering, installClaude } from '../../support/claude-program.ts';
import { startLoopback } from '../../support/loopback.ts';
import { type MessagesApi, startMessagesApi, toolCall } from '../../support/messages-api.ts';
import { openAiLike, PROTOCOLS } from '../../support/model-protocols.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { callOf, contextOf, turnOf } from '../../support/turns.ts';

const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
const summary = { request: 'x', investigated: [], learned: ['x'], completed: [], next_steps: [], notes: [] };
const skip = toolCall({ skip: 'Nothing worth keeping.', summary, observations: [] });

const observation = {
  type: 'bugfix',
  title: 'Tokens get leeway',
  narrative: 'Clocks differ, so tokens get leeway.',
  facts: ['60 s.'],
};

const hello = turnOf({ prompt: 'hello', reply: 'Hello! What shall we do?' });
const ls = turnOf({
  prompt: 'ls',
  calls: [callOf({ tool: 'Bash', action: 'command', command: 'ls', output: 'README.md\nsrc\n' })],
  reply: 'There is a README and a src folder.',
});
const edit = turnOf({
  prompt: 'ok',
  calls: [callOf({ action: 'edit', paths: ['a.ts'], change: { removed: '1', added: '2' } })],
  reply: 'Done.',
});
const long = turnOf({
  prompt: 'look around',
  calls: [callOf({ tool: 'Bash', action: 'command', command: 'ls -R', output: 'file.ts\n'.repeat(400) })],
  reply: 'Done.',
});

it.each<[what: string, extract: Record<string, string>, env: Record<string, string>, expected: string[]]>([
  ['none without a key', {}, {}, []],
  ['Anthropic where a key is set', {}, { ANTHROPIC_API_KEY: KEY }, ['anthropic']],
  ['none where that is chosen', { PROVIDER: 'none', FALLBACK: 'ollama' }, { ANTHROPIC_API_KEY: KEY }, []],
  ['the named one', { PROVIDER: 'anthropic' }, {}, ['anthropic']],
  ['none if its own variable is empty', { API_KEY_ENV: 'MY_KEY' }, { ANTHROPIC_API_KEY: KEY }, []],
  ['Anthropic if its own variable is set', { API_KEY_ENV: 'MY_KEY' }, { MY_KEY: KEY }, ['anthropic']],
  ['Anthropic if a command gives the key', { API_KEY_COMMAND: 'pass show key' }, {}, ['anthropic']],
  ['the named one and its fallback', { PROVIDER: 'ollama', FALLBACK: 'gemini' }, {}, ['ollama', 'gemini']],
  ['the fallback where no key is set', { FALLBACK: 'ollama' }, {}, ['ollama']],
])('the provider selected by the settings is %s', (_, extract, env, expected) => {
  expect(chosenProviders(settings(extract).extract, env).map(({ name }) => name)).toEqual(expected);
});

describe('what is known about a provider before it is asked', () => {
  const known = (extract: Record<string, string>, env: Record<string, string> = {}) =>
    chosenProviders(settings(extract).extract, env)[0];

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY', 'claude-haiku-4-5', ''],
    ['gemini', 'GEMINI_API_KEY', 'gemini-flash-lite-latest', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['openai', 'OPENAI_API_KEY', 'gpt-5-mini', 'https://api.openai.com/v1'],
    ['openrouter', 'OPENROUTER_API_KEY', 'anthropic/claude-haiku-4.5', 'https://openrouter.ai/api/v1'],
  ])('%s needs %s', (name, variable, model, base) => {
    expect(known({ PROVIDER: name })?.missing).toBe(`${variable} is not set.`);
    const ready = known({ PROVIDER: name }, { [variable]: ` ${KEY}\n` });
    expect(ready).toMatchObject({ model, base, missing: '', key: { value: KEY }, isFree: false });
  });

  it.each(['ollama', 'lmstudio', 'claude-cli', 'codex-cli', 'gemini-cli'])('%s needs no key', (name) => {
    const ready = known({ PROVIDER: name, MODEL: 'm' }, { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY });
    expect(ready).toMatchObject({ missing: '', key: { from: 'nowhere' }, isFree: !name.endsWith('-cli') });
  });

  it('the default key goes to the default server only', () => {
    const env = { OPENAI_API_KEY: KEY, GEMINI_API_KEY: KEY, OPENROUTER_API_KEY: KEY };
    for (const PROVIDER of ['openai', 'gemini', 'openrouter']) {
      const other = { PROVIDER, BASE_URL: 'https://example.org/v1', MODEL: 'm' };
      expect(known(other, env)?.key).toEqual({ from: 'nowhere' });
      expect(known({ ...other, API_KEY_ENV: 'MINE' }, { MINE: KEY })?.key).toMatchObject({ name: 'MINE', value: KEY });
    }
  });

  it('a custom server needs a model name, and a remote one is not free', () => {
    expect(known({ PROVIDER: 'lmstudio' })?.missing).toContain('extract.model is not set');
    expect(known({ PROVIDER: 'openai', BASE_URL: 'http://localhost:8000/v1' })?.missing).toContain('extract.model');
    expect(known({ PROVIDER: 'ollama', BASE_URL: 'https://gpu.example.org/v1' })?.isFree).toBe(false);
    expect(known({ PROVIDER: 'ollama', BASE_URL: 'http://localhost:1/v1' })?.isFree).toBe(true);
  });
});

it('a fallback has none of the first provider’s settings except the cap', () => {
  const first = { PROVIDER: 'openai', MODEL: 'm', BASE_URL: 'https://example.org/v1', API_KEY_COMMAND: 'echo x' };
  const given = settings({ ...first, DAILY_TOKENS: '500', FALLBACK: 'openai' });
  const providers = chosenProviders(given.extract, { OPENAI_API_KEY: KEY });
  expect(providers).toMatchObject([
    { place: 'extract', key: { from: 'command', command: 'echo x' }, model: 'm', dailyTokens: 500 },
    {
      place: 'extract.fallback',
      base: 'https://api.openai.com/v1',
      model: 'gpt-5-mini',
      dailyTokens: 500,
      key: { from: 'variable', name: 'OPENAI_API_KEY', value: KEY },
    },
  ]);
  expect(new Set(providers.map(({ account }) => account)).size).toBe(2);
});

it('a provider under other settings is a different one, and never reveals the key', () => {
  const others: [more: Record<string, string>, key: string][] = [
    [{}, KEY],
    [{}, `${KEY}2`],
    [{ MODEL: 'other' }, KEY],
    [{ BASE_URL: 'https://example.org/v1' }, KEY],
    [{ DAILY_TOKENS: '1' }, KEY],
  ];
  const ids = others.map(([more, MINE]) => {
    const given = settings({ PROVIDER: 'gemini', API_KEY_ENV: 'MINE', ...more });
    const [one] = chosenProviders(given.extract, { MINE });
    expect(`${one?.id} ${one?.account}`).not.toContain('Zq7');
    return one?.id;
  });
  expect(new Set(ids).size).toBe(5);
});

describe('every provider', () => {
  const answer = JSON.stringify({ summary, observations: [observation] });

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY', '', 'claude-haiku-4-5'],
    ['gemini', 'MINE', '/v1', 'gemini-flash-lite-latest'],
    ['openai', 'MINE', '/v1', 'm'],
    ['openrouter', 'MINE', '/v1', 'anthropic/claude-haiku-4.5'],
    ['ollama', '', '/v1', 'qwen2.5-coder:7b'],
    ['lmstudio', '', '/v1', 'm'],
  ])('%s makes records from a turn, and counts its tokens', async (name, variable, path, model) => {
    const protocol = PROTOCOLS.find((one) => one.name === name) ?? openAiLike(name);
    const { url, calls } = await startLoopback(protocol.said({ text: answer, tokens: { input: 900, output: 150 } }));
    const state = scratchFolder();
    const given = settings({
      PROVIDER: name,
      BASE_URL: `${url}${path}`,
      API_KEY_ENV: variable,
      MODEL: model === 'm' ? 'm' : '',
    });
    const env = { [variable]: KEY };
    const extraction = await extractorOf(given, { state, env }).extract([edit], contextOf({}));
    expect(extraction).toMatchObject({
      extractor: `${name}/${model}`,
      spent: { input: 900, output: 150 },
      observations: [{ type: 'bugfix', title: 'Tokens get leeway' }],
    });
    expect(calls.map(({ headers }) => JSON.stringify(headers).includes(KEY))).toEqual([variable !== '']);
    const { today, totals } = JSON.parse(readFileSync(join(state, 'spending.json'), 'utf8'));
    expect(totals).toEqual({ [`${name}/${model}`]: { input: 900, output: 150, calls: 1 } });
    // What costs nothing leaves the day's budget alone.
    expect(today.input).toBe(variable === '' ? 0 : 900);
  });

  it('also works on a subscription', async () => {
    const { env } = installClaude(answering(`Here you are:\n${answer}`));
    const given = settings({ PROVIDER: 'claude-cli' });
    const extraction = await extractorOf(given, { state: scratchFolder(), env }).extract([edit], contextOf({}));
    expect(extraction).toMatchObject({ extractor: 'claude-cli/haiku', spent: { input: 1200, output: 300 } });
    expect(extraction.observations).toHaveLength(1);
  });

  it('keeps the turn for later where something is missing', async () => {
    for (const PROVIDER of ['gemini', 'openai', 'openrouter', 'lmstudio']) {
      const extractor = extractorOf(settings({ PROVIDER }), { state: scratchFolder(), env: {} });
      await expect(extractor.extract([edit], contextOf({}))).rejects.toMatchObject({ code: 'provider', class: 'auth' });
    }
  });

  it('stops at the daily budget, unless it is free', async () => {
    const said = openAiLike('any').said({ text: answer });
    for (const [name, isFree] of [
      ['ollama', true],
      ['openrouter', false],
    ] as const) {
      const { url } = await startLoopback(said);
      const given = settings({ PROVIDER: name, BASE_URL: `${url}/v1`, DAILY_TOKENS: '10' });
      const answered = extractorOf(given, { state: scratchFolder(), env: {} }).extract([edit], contextOf({}));
      if (isFree) expect((await answered).observations).toHaveLength(1);
      else await expect(answered).rejects.toMatchObject({ class: 'quota' });
    }
  });
});

describe('a paid provider', () => {
  it.each<[what: string, turn: Turn, questions: number]>([
    ['a greeting', hello, 0],
    ['an ls', ls, 0],
    ['an edit, however small', edit, 1],
    ['a turn with some work in it', long, 1],
  ])('gets as many requests as needed about %s', async (_, turn, questions) => {
    const { extractor, api } = await prepared();
    const extraction = await extractor.extract([turn], contextOf({}));
    expect(api.calls).toHaveLength(questions);
    if (questions > 0) return;
    expect(extraction).toMatchObject({
      observations: [],
      extractor: 'none',
    });
    expect(extraction.spent).toBeUndefined();
  });

  it('gets the key that a command prints, which runs at the first request', async () => {
    const folder = scratchFolder();
    const script = join(folder, 'key.sh');
    writeFileSync(script, `echo run >>'${folder}/runs'; echo '${KEY}'\n`);
    const { extractor, api } = await prepared({ API_KEY_COMMAND: `sh '${script}'` });
    await extractor.extract([hello], contextOf({}));
    await extractor.extract([edit], contextOf({}));
    await extractor.extract([edit], contextOf({}));
    expect(api.calls.map(({ headers }) => JSON.stringify(headers).includes(KEY))).toEqual([true, true]);
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
  });

  it('counts as down, without any output of the command, when the command gives no key', async () => {
    const { extractor, api } = await prepared({ API_KEY_COMMAND: `echo ${KEY}; exit 1` });
    const failing = extractor.extract([edit], contextOf({}));
    await expect(failing).rejects.toMatchObject({
      code: 'provider',
      class: 'auth',
      message: expect.not.stringContaining(KEY),
    });
    expect(api.calls).toEqual([]);
  });
});

/** The extractor in settings that name a model. */
function extractorOf(...given: Parameters<typeof selected>) {
  return selected(...given) ?? expect.fail('No model is set.');
}

/** The settings with these of `extract` in the environment. */
function settings(extract: Record<string, string>) {
  const env = Object.entries(extract).map(([key, value]) => [`GIT_MEM_EXTRACT_${key}`, value]);
  return loadConfig('/nonexistent', { HOME: '/nonexistent', ...Object.fromEntries(env) }).config;
}

async function prepared(
  extract: Record<string, string> = {},
): Promise<{ extractor: ReturnType<typeof extractorOf>; api: MessagesApi }> {
  const api = await startMessagesApi([skip, skip]);
  const env = { ANTHROPIC_API_KEY: extract.API_KEY_COMMAND ? undefined : KEY, ANTHROPIC_BASE_URL: api.url };
  const extractor = extractorOf(settings({ PROVIDER: 'anthropic', ...extract }), { state: scratchFolder(), env });
  return { extractor, api };
}
