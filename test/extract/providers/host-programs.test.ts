import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderRequest } from '../../../src/capture/extract/provider.ts';
import { CODEX } from '../../../src/capture/extract/providers/codex-cli.ts';
import { GEMINI } from '../../../src/capture/extract/providers/gemini-cli.ts';
import { createHostProvider } from '../../../src/capture/extract/providers/host-program.ts';
import { REPLY_SCHEMA, WHOLE_REPLY_SCHEMA } from '../../../src/capture/extract/reply-schema.ts';
import { installProgram } from '../../support/claude-program.ts';
import { scratchFolder } from '../../support/scratch.ts';

const request: ProviderRequest = {
  system: 'Be brief.',
  user: '<turn>\nWhat is in @/etc/passwd of user@example.org?\n</turn>',
  schema: REPLY_SCHEMA,
  wholeSchema: WHOLE_REPLY_SCHEMA,
  maxTokens: 500,
  signal: new AbortController().signal,
};

/** Lines as `codex exec --json` of 0.169 prints them. */
const lines = (...events: unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
const BEGUN = [
  { type: 'thread.started', thread_id: '01a20559-7661-7fb1-8f9c-44bc109f68c7' },
  // It remarks on settings that it does not know, and goes on.
  {
    type: 'item.completed',
    item: { id: 'item_0', type: 'error', message: 'Codex is ignoring 1 unrecognized setting.' },
  },
  { type: 'turn.started' },
];
const codexSays = (text: string) =>
  lines(
    ...BEGUN,
    { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 1200, cached_input_tokens: 40, output_tokens: 300 } },
  );
const codexFails = (message: string) =>
  lines(...BEGUN, { type: 'error', message }, { type: 'turn.failed', error: { message } });

/** What `gemini -p --output-format json` of 0.61 prints. */
const geminiSays = (response: string) => {
  const tokens = { input: 900, prompt: 1200, candidates: 250, total: 1500, cached: 300, thoughts: 50, tool: 0 };
  return JSON.stringify(
    { session_id: 's', response, stats: { models: { 'gemini-3.5-flash-lite': { tokens } } } },
    null,
    2,
  );
};
const geminiFails = (message: string, code: number | string) =>
  `Warning: 256-color support not detected.\n${JSON.stringify({ session_id: 's', error: { type: 'Error', message, code } }, null, 2)}\n`;

const print = (text: string) => `print(${JSON.stringify(text)})`;
const fail = (text: string, code: number, stream = 'stderr') =>
  `process.${stream}.write(${JSON.stringify(text)}); process.exitCode = ${code}`;

const PROGRAMS = [
  {
    program: 'codex',
    host: CODEX,
    model: 'gpt-5.5-mini',
    says: (text: string) => print(codexSays(text)),
    keys: { OPENAI_API_KEY: 'key', CODEX_API_KEY: 'key', CODEX_THREAD_ID: 't' },
  },
  {
    program: 'gemini',
    host: GEMINI,
    model: 'flash-lite',
    says: (text: string) => print(geminiSays(text)),
    keys: { GEMINI_API_KEY: 'key', GOOGLE_API_KEY: 'key', GEMINI_CLI: '1' },
  },
];

function provider(name: string, act: string, env: Record<string, string> = {}, model = 'm') {
  const program = installProgram(name, act);
  const cwd = join(program.env.HOME ?? '', 'a', 'folder');
  const host = name === 'codex' ? CODEX : GEMINI;
  return {
    ...program,
    cwd,
    provider: createHostProvider(host, { model, cwd, env: { ...program.env, ...env }, retries: 0 }),
  };
}

describe.each(PROGRAMS)('$program', ({ program, host, model, says, keys }) => {
  it('gets the session on stdin, and returns its answer and cost', async () => {
    const asked = provider(program, says('{"skip":"x"}'), {}, model);
    expect(await asked.provider.complete(request)).toEqual({
      output: undefined,
      text: '{"skip":"x"}',
      stopReason: '',
      tokens: { input: 1200, output: 300 },
    });
    const [run] = asked.runs();
    expect(run?.args[run.args.indexOf('--model') + 1]).toBe(model);
    expect(run?.input).toContain('/etc/passwd');
    expect(run?.args.join(' ')).not.toContain('passwd');
    expect(run?.cwd).toBe(asked.cwd);
    const files = readdirSync(asked.cwd).filter((name) => !name.startsWith('.'));
    const texts = files.map((name) => readFileSync(join(asked.cwd, name), 'utf8')).join('\n');
    expect(texts).toContain('Be brief.');
    expect(texts).toContain('observations');
    expect(texts).not.toContain('passwd');
  });

  it('can neither capture itself nor bill a key, and is not taken for part of the surrounding session', async () => {
    const asked = provider(program, says('{}'), { ...keys, GIT_MEM: '1', GIT_DIR: '/r/.git', LANG: 'C' });
    await asked.provider.complete(request);
    const seen = asked.runs()[0]?.env ?? {};
    expect(seen).toMatchObject({ GIT_MEM: '0', LANG: 'C' });
    for (const name of [...Object.keys(keys), 'GIT_DIR']) expect(seen).not.toHaveProperty(name);
  });

  it('chooses its own model where the user set none', async () => {
    const asked = provider(program, says('{}'), {}, 'default');
    await asked.provider.complete(request);
    expect(asked.runs()[0]?.args).not.toContain('--model');
  });

  it('that is not installed is reported with the next step', async () => {
    const empty = scratchFolder();
    const options = { model, cwd: join(empty, 'folder'), env: { PATH: empty, HOME: empty }, retries: 0 };
    const absent = createHostProvider(host, options);
    await expect(absent.complete(request)).rejects.toMatchObject({
      class: 'auth',
      hint: expect.stringMatching(/^Install (?:Codex|Gemini CLI) and log in/),
    });
  });
});

describe('captured text', () => {
  it('reaches no tool, hook or server of Codex', async () => {
    const asked = provider('codex', print(codexSays('{}')));
    await asked.provider.complete(request);
    const { args = [] } = asked.runs()[0] ?? {};
    for (const flag of ['--ephemeral', '--ignore-user-config', '--ignore-rules']) expect(args).toContain(flag);
    for (const name of ['shell_tool', 'hooks', 'code_mode_host']) expect(args).toContain(`features.${name}=false`);
    expect(args).toContain('web_search="disabled"');
    expect(args[args.indexOf('--sandbox') + 1]).toBe('read-only');
  });

  it('reaches no tool, hook, server or file of Gemini', async () => {
    const asked = provider('gemini', print(geminiSays('See ＠/etc/passwd.')));
    expect((await asked.provider.complete(request)).text).toBe('See @/etc/passwd.');
    const { args = [], env = {}, input } = asked.runs()[0] ?? {};
    expect(input).not.toContain('@');
    const value = (flag: string) => args[args.indexOf(flag) + 1] ?? '';
    expect([value('--extensions'), value('--allowed-mcp-server-names')]).toEqual(['none', 'none']);
    expect(readFileSync(value('--policy'), 'utf8')).toMatch(/toolName = "\*"\ndecision = "deny"/);
    expect(env.GEMINI_CLI_TRUST_WORKSPACE).toBe('true');
    expect(JSON.parse(readFileSync(join(asked.cwd, '.gemini', 'settings.json'), 'utf8'))).toMatchObject({
      hooksConfig: { enabled: false },
    });
    expect(existsSync(env.GEMINI_SYSTEM_MD ?? '')).toBe(true);
  });
});

const codexTrouble = (message: string) => fail(codexFails(message), 1, 'stdout');

it.each([
  ['codex', 'the login is over', codexTrouble('unexpected status 401 Unauthorized: no, url: https://x'), 'auth'],
  ['codex', 'nobody is logged in', fail('Error: Not logged in. Run `codex login`.', 1), 'auth'],
  ['codex', 'the subscription is used up', codexTrouble("You've hit your usage limit. Try again in 2 hours."), 'quota'],
  [
    'codex',
    'the pace is too high',
    codexTrouble('exceeded retry limit, last status: 429 Too Many Requests'),
    'rate-limit',
  ],
  ['codex', 'the service fails', codexTrouble('unexpected status 500 Internal Server Error: x'), 'transient'],
  ['codex', 'it says no JSON', print('Welcome to Codex.'), 'transient'],
  ['codex', 'it says nothing', '', 'transient'],
  ['codex', 'it breaks after its answer', `${print(codexSays('{}'))}; process.exitCode = 3`, 'transient'],
  ['gemini', 'nobody is logged in', fail(geminiFails('Invalid auth method selected.', 41), 41), 'auth'],
  ['gemini', 'the account is used up', fail(geminiFails('You have exhausted your daily quota.', 429), 1), 'quota'],
  ['gemini', 'the pace is too high', fail(geminiFails('Too many requests.', 429), 1), 'rate-limit'],
  ['gemini', 'the model does not exist', fail(geminiFails('Requested entity was not found.', 404), 1), 'bad-request'],
  ['gemini', 'the service fails', fail(geminiFails('internal', 500), 1), 'transient'],
  [
    'gemini',
    'it answers and reports trouble',
    print('{"response":"{}","error":{"message":"x","code":500}}'),
    'transient',
  ],
  ['gemini', 'it says no JSON', print('Welcome to Gemini.'), 'transient'],
  ['gemini', 'it is killed', 'process.kill(process.pid, "SIGKILL")', 'transient'],
])('%s keeps the turn for later where %s', async (program, _, act, expected) => {
  const error = await provider(program, act)
    .provider.complete(request)
    .catch((reason: unknown) => reason);
  if (!(error instanceof ProviderError)) throw new Error(`This is no ProviderError: ${JSON.stringify(error)}`);
  expect([error.class, error.code]).toEqual([expected, 'provider']);
  expect(error.message).toMatch(new RegExp(`^${program} `));
});

it.each([
  ['codex', "error: unexpected argument '--ephemeral' found", 'codex update'],
  ['gemini', 'Unknown arguments: policy', 'npm install'],
])('%s that is too old is recognised', async (program, said, hint) => {
  await expect(provider(program, fail(said, 2)).provider.complete(request)).rejects.toMatchObject({
    hint: expect.stringContaining(hint),
  });
});
