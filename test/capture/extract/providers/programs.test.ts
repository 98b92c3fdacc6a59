import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../src/capture/extract/provider.ts';
import { createProgramProvider } from '../../../../src/capture/extract/providers/program.ts';
import { PROGRAMS as ROWS } from '../../../../src/capture/extract/providers/programs.ts';
import { answering, installProgram, type SeenRun } from '../../../support/claude-program.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { TEMPTING_REQUEST } from '../../../support/turns.ts';

/** The act of refusing with these words, as `claude -p` does. */
const claudeFails = (text: string, more = {}) =>
  `${answering(text, { is_error: true, ...more })}; process.exitCode = 1`;

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

const valueAfter = (args: string[], flag: string) => args[args.indexOf(flag) + 1] ?? '';
/** What the files say that the program found in its folder. */
const textsIn = ({ cwd }: SeenRun) => {
  const files = readdirSync(cwd).filter((name) => !name.startsWith('.'));
  return files.map((name) => readFileSync(join(cwd, name), 'utf8')).join('\n');
};

const PROGRAMS = [
  {
    program: 'claude',
    host: ROWS['claude-cli'],
    model: 'haiku',
    says: (text: string) => answering(text),
    stopReason: 'end_turn',
    instructions: ({ args }: SeenRun) => valueAfter(args, '--system-prompt'),
    keys: { ANTHROPIC_API_KEY: 'key', CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' },
  },
  {
    program: 'codex',
    host: ROWS['codex-cli'],
    model: 'gpt-5.5-mini',
    says: (text: string) => print(codexSays(text)),
    stopReason: '',
    instructions: textsIn,
    keys: { OPENAI_API_KEY: 'key', CODEX_API_KEY: 'key', CODEX_THREAD_ID: 't' },
  },
  {
    program: 'gemini',
    host: ROWS['gemini-cli'],
    model: 'flash-lite',
    says: (text: string) => print(geminiSays(text)),
    stopReason: '',
    instructions: textsIn,
    keys: { GEMINI_API_KEY: 'key', GOOGLE_API_KEY: 'key', GEMINI_CLI: '1' },
  },
];

function provider(name: string, act: string, env: Record<string, string> = {}, model = 'm') {
  const program = installProgram(name, act);
  const cwd = join(program.env.HOME ?? '', 'a', 'folder');
  const host = PROGRAMS.find((row) => row.program === name)?.host;
  if (host === undefined) throw new Error(`There is no ${name} here.`);
  const options = { name, model, cwd, env: { ...program.env, ...env } };
  return { ...program, cwd, provider: createProgramProvider(host, options) };
}

describe.each(PROGRAMS)('$program', ({ program, host, model, says, stopReason, instructions, keys }) => {
  it('gets the session on stdin, and returns its answer and cost', async () => {
    const asked = provider(program, says('{"skip":"x"}'), {}, model);
    expect(await asked.provider.complete(TEMPTING_REQUEST)).toEqual({
      output: undefined,
      text: '{"skip":"x"}',
      stopReason,
      tokens: { input: 1200, output: 300 },
    });
    const [run] = asked.runs();
    if (run === undefined) throw new Error('It was not run.');
    expect(valueAfter(run.args, '--model')).toBe(model);
    expect(run.input).toContain('/etc/passwd');
    expect(run.args.join(' ')).not.toContain('passwd');
    expect(run.cwd).toBe(asked.cwd);
    expect(textsIn(run)).not.toContain('passwd');
    expect(instructions(run)).toContain('Be brief.');
    expect(instructions(run)).toContain('observations');
  });

  it('can neither capture itself nor bill a key, and is not taken for part of the surrounding session', async () => {
    const git = { GIT_DIR: '/r/.git', GIT_INDEX_FILE: '/r/.git/index' };
    const kept = { LANG: 'C', CLAUDE_CONFIG_DIR: '/c' };
    const asked = provider(program, says('{}'), { ...keys, ...git, ...kept, GIT_MEM: '1' });
    await asked.provider.complete(TEMPTING_REQUEST);
    const seen = asked.runs()[0]?.env ?? {};
    expect(seen).toMatchObject({ ...kept, GIT_MEM: '0' });
    for (const name of Object.keys({ ...keys, ...git })) expect(seen).not.toHaveProperty(name);
  });

  it('that is not installed is reported with the next step', async () => {
    const empty = scratchFolder();
    const options = {
      name: program,
      model,
      cwd: join(empty, 'a', 'folder'),
      env: { PATH: empty, HOME: empty },
    };
    const absent = createProgramProvider(host, options);
    await expect(absent.complete(TEMPTING_REQUEST)).rejects.toMatchObject({
      class: 'auth',
      hint: expect.stringMatching(/^Install (?:Claude Code|Codex|Gemini CLI) and log in/),
    });
    expect(existsSync(join(empty, 'a', 'folder'))).toBe(true);
  });
});

const choosing = PROGRAMS.filter(({ program }) => program !== 'claude');
it.each(choosing)('$program chooses its own model where the user set none', async ({ program, says }) => {
  const asked = provider(program, says('{}'), {}, 'default');
  await asked.provider.complete(TEMPTING_REQUEST);
  expect(asked.runs()[0]?.args).not.toContain('--model');
});

describe('captured text', () => {
  it('reaches no tool, hook, server or file of Claude', async () => {
    const asked = provider('claude', answering('See ＠/etc/passwd and ＠types/node.'));
    expect((await asked.provider.complete(TEMPTING_REQUEST)).text).toBe('See @/etc/passwd and @types/node.');
    const [run] = asked.runs();
    expect(JSON.stringify(run)).not.toMatch(/@\/etc|user@/);
    const args = run?.args ?? [];
    expect(args[0]).toBe('-p');
    expect(args).toContain('--strict-mcp-config');
    expect([valueAfter(args, '--output-format'), valueAfter(args, '--tools')]).toEqual(['json', '']);
    expect(JSON.parse(valueAfter(args, '--settings'))).toEqual({ disableAllHooks: true });
    expect(readdirSync(asked.cwd)).toEqual([]);
  });

  it('reaches no tool, hook or server of Codex', async () => {
    const asked = provider('codex', print(codexSays('{}')));
    await asked.provider.complete(TEMPTING_REQUEST);
    const { args = [] } = asked.runs()[0] ?? {};
    for (const flag of ['--ephemeral', '--ignore-user-config', '--ignore-rules']) expect(args).toContain(flag);
    for (const name of ['shell_tool', 'hooks', 'code_mode_host']) expect(args).toContain(`features.${name}=false`);
    expect(args).toContain('web_search="disabled"');
    expect(valueAfter(args, '--sandbox')).toBe('read-only');
  });

  it('reaches no tool, hook, server or file of Gemini', async () => {
    const asked = provider('gemini', print(geminiSays('See ＠/etc/passwd.')));
    expect((await asked.provider.complete(TEMPTING_REQUEST)).text).toBe('See @/etc/passwd.');
    const { args = [], env = {}, input } = asked.runs()[0] ?? {};
    expect(input).not.toContain('@');
    expect([valueAfter(args, '--extensions'), valueAfter(args, '--allowed-mcp-server-names')]).toEqual([
      'none',
      'none',
    ]);
    expect(readFileSync(valueAfter(args, '--policy'), 'utf8')).toMatch(/toolName = "\*"\ndecision = "deny"/);
    expect(env.GEMINI_CLI_TRUST_WORKSPACE).toBe('true');
    expect(JSON.parse(readFileSync(join(asked.cwd, '.gemini', 'settings.json'), 'utf8'))).toMatchObject({
      hooksConfig: { enabled: false },
    });
    expect(existsSync(env.GEMINI_SYSTEM_MD ?? '')).toBe(true);
  });
});

const codexTrouble = (message: string) => fail(codexFails(message), 1, 'stdout');

it.each([
  ['claude', 'nobody is logged in', claudeFails('Invalid API key · Please run /login'), 'auth'],
  ['claude', 'the login is over', claudeFails('Failed to authenticate.', { api_error_status: 401 }), 'auth'],
  ['claude', 'the subscription is used up', claudeFails("You've hit your session limit · resets 3pm"), 'quota'],
  ['claude', 'the limit comes as a status', claudeFails("You've hit your limit", { api_error_status: 429 }), 'quota'],
  [
    'claude',
    'the service is overloaded',
    claudeFails('API Error: 529 Overloaded', { api_error_status: 529 }),
    'overloaded',
  ],
  ['claude', 'the service fails', claudeFails('API Error: 500', { api_error_status: 500 }), 'transient'],
  ['claude', 'the pace is too high', claudeFails('API Error: 429', { api_error_status: 429 }), 'rate-limit'],
  ['claude', 'the model does not exist', claudeFails('API Error: 404', { api_error_status: 404 }), 'bad-request'],
  ['claude', 'it says no JSON', 'print("Welcome to Claude Code.")', 'transient'],
  ['claude', 'it says other JSON', 'print({ hello: 1 })', 'transient'],
  ['claude', 'it says nothing', '', 'transient'],
  ['claude', 'it breaks', 'process.stderr.write("boom"); process.exitCode = 3', 'transient'],
  ['claude', 'it is killed', 'process.kill(process.pid, "SIGKILL")', 'transient'],
  [
    'claude',
    'it does not end its answer',
    'while (true) require("node:fs").writeSync(1, "x".repeat(65536))',
    'transient',
  ],
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
    .provider.complete(TEMPTING_REQUEST)
    .catch((reason: unknown) => reason);
  if (!(error instanceof ProviderError)) throw new Error(`This is no ProviderError: ${JSON.stringify(error)}`);
  expect([error.class, error.code]).toEqual([expected, 'provider']);
  expect(error.message).toMatch(new RegExp(`^${program} `));
});

it.each([
  ['claude', "error: unknown option '--tools'", 'claude update'],
  ['codex', "error: unexpected argument '--ephemeral' found", 'codex update'],
  ['gemini', 'Unknown arguments: policy', 'npm install'],
])('%s that is too old is recognised', async (program, said, hint) => {
  await expect(provider(program, fail(said, 2)).provider.complete(TEMPTING_REQUEST)).rejects.toMatchObject({
    hint: expect.stringContaining(hint),
  });
});
