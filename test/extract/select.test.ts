import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { extractorOf, providerOf } from '../../src/extract/select.ts';
import type { Turn } from '../../src/extract/turn.ts';
import { type MessagesApi, startMessagesApi, toolCall } from '../support/messages-api.ts';
import { scratchFolder } from '../support/scratch.ts';
import { callOf, contextOf, turnOf } from '../support/turns.ts';

const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
const digest = { request: 'x', investigated: [], learned: ['x'], completed: [], next_steps: [], notes: [] };
const skip = toolCall({ skip: 'Nothing worth keeping.', digest, observations: [] });

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
const telling = turnOf({
  prompt: 'why do sessions live in Postgres?',
  calls: [callOf({ tool: 'Read', action: 'read', paths: ['docs/adr.md'], output: 'Redis was rejected.' })],
  reply:
    'Sessions live in Postgres because Redis has no failover in this deployment: `src/session.ts` keeps them for 30 days. We decided against Redis for that reason.',
});

describe('the provider that the settings mean', () => {
  it('is Anthropic where a key is set, unless another is named', () => {
    expect(providerOf(settings({}), {})).toBe('rules');
    expect(providerOf(settings({}), { ANTHROPIC_API_KEY: KEY })).toBe('anthropic');
    expect(providerOf(settings({ PROVIDER: 'rules' }), { ANTHROPIC_API_KEY: KEY })).toBe('rules');
    expect(providerOf(settings({ PROVIDER: 'anthropic' }), {})).toBe('anthropic');
    expect(providerOf(settings({ API_KEY_ENV: 'MY_KEY' }), { ANTHROPIC_API_KEY: KEY })).toBe('rules');
    expect(providerOf(settings({ API_KEY_ENV: 'MY_KEY' }), { MY_KEY: KEY })).toBe('anthropic');
    expect(providerOf(settings({ API_KEY_COMMAND: 'pass show key' }), {})).toBe('anthropic');
  });
});

describe('a paid provider', () => {
  it.each<[what: string, turn: Turn, questions: number]>([
    ['a greeting', hello, 0],
    ['an ls', ls, 0],
    ['an edit, however small', edit, 1],
    ['a turn with some work in it', long, 1],
    ['what the rules find something in', telling, 1],
  ])('is asked as often as it takes about %s', async (_, turn, questions) => {
    const { extractor, api } = await prepared();
    const extraction = await extractor.extract(turn, contextOf({}));
    expect(api.requests).toHaveLength(questions);
    if (questions > 0) return;
    expect(extraction).toMatchObject({
      observations: [],
      extractor: 'rules/1',
      digest: { learned: [], completed: [] },
    });
    expect(extraction.spent).toBeUndefined();
  });

  it('is given the key that a command prints, which runs when the first question is asked', async () => {
    const folder = scratchFolder();
    const script = join(folder, 'key.sh');
    writeFileSync(script, `echo run >>'${folder}/runs'; echo '${KEY}'\n`);
    const { extractor, api } = await prepared({ API_KEY_COMMAND: `sh '${script}'` });
    await extractor.extract(hello, contextOf({}));
    await extractor.extract(edit, contextOf({}));
    await extractor.extract(edit, contextOf({}));
    expect(api.requests.map(({ headers }) => JSON.stringify(headers).includes(KEY))).toEqual([true, true]);
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
  });

  it('counts as down, without a word of the command’s, when the command gives no key', async () => {
    const { extractor, api } = await prepared({ API_KEY_COMMAND: `echo ${KEY}; exit 1` });
    const failing = extractor.extract(edit, contextOf({}));
    await expect(failing).rejects.toMatchObject({
      code: 'provider',
      class: 'auth',
      message: expect.not.stringContaining(KEY),
    });
    expect(api.requests).toEqual([]);
  });
});

/** The settings with these of `extract` in the environment. */
function settings(extract: Record<string, string>) {
  const env = Object.entries(extract).map(([key, value]) => [`GIT_MEM_EXTRACT_${key}`, value]);
  return loadConfig('/nonexistent', { HOME: '/nonexistent', ...Object.fromEntries(env) }).config.extract;
}

async function prepared(
  extract: Record<string, string> = {},
): Promise<{ extractor: ReturnType<typeof extractorOf>; api: MessagesApi }> {
  const api = await startMessagesApi([skip, skip]);
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_API_KEY: extract.API_KEY_COMMAND ? undefined : KEY, ANTHROPIC_BASE_URL: api.url };
  const extractor = extractorOf(settings({ PROVIDER: 'anthropic', ...extract }), { state: scratchFolder(), env });
  return { extractor, api };
}
