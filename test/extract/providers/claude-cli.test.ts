import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProviderError, type ProviderRequest } from '../../../src/capture/extract/provider.ts';
import { CLAUDE } from '../../../src/capture/extract/providers/claude-cli.ts';
import type { HostProgramOptions } from '../../../src/capture/extract/providers/host-program.ts';
import { createHostProvider } from '../../../src/capture/extract/providers/host-program.ts';
import { REPLY_SCHEMA, WHOLE_REPLY_SCHEMA } from '../../../src/capture/extract/reply-schema.ts';
import { answering, type ClaudeProgram, installClaude } from '../../support/claude-program.ts';
import { scratchFolder } from '../../support/scratch.ts';

const request: ProviderRequest = {
  system: 'Be brief.',
  user: '<turn>\nWhat is in @/etc/passwd of user@example.org?\n</turn>',
  schema: REPLY_SCHEMA,
  wholeSchema: WHOLE_REPLY_SCHEMA,
  maxTokens: 500,
  signal: new AbortController().signal,
};

function provider(program: ClaudeProgram, changes: Partial<HostProgramOptions> = {}) {
  const { env } = program;
  const cwd = join(env.HOME ?? '', 'empty', 'folder');
  return createHostProvider(CLAUDE, { model: 'haiku', cwd, env, retries: 0, ...changes });
}

async function failure(...given: Parameters<typeof provider>): Promise<ProviderError> {
  const error = await provider(...given)
    .complete(request)
    .catch((reason: unknown) => reason);
  if (error instanceof ProviderError) return error;
  throw new Error(`This is no ProviderError: ${JSON.stringify(error)}`);
}

/** The act of refusing with these words, as the program does. */
const refusing = (text: string, more = {}) => `${answering(text, { is_error: true, ...more })}; process.exitCode = 1`;

describe('claude -p', () => {
  it('gets the turn on stdin, in an empty folder, without tools and hooks', async () => {
    const program = installClaude(answering('{"skip":"x"}'));
    expect(await provider(program).complete(request)).toEqual({
      output: undefined,
      text: '{"skip":"x"}',
      stopReason: 'end_turn',
      tokens: { input: 1200, output: 300 },
    });
    const [run] = program.runs();
    const { args = [], cwd = '', input } = run ?? {};
    expect(args[0]).toBe('-p');
    const value = (flag: string) => args[args.indexOf(flag) + 1];
    expect([value('--output-format'), value('--model'), value('--tools')]).toEqual(['json', 'haiku', '']);
    expect(JSON.parse(value('--settings') ?? '')).toEqual({ disableAllHooks: true });
    expect(args).toContain('--strict-mcp-config');
    expect(value('--system-prompt')).toContain('Be brief.');
    expect(args.join(' ')).not.toContain('passwd');
    expect(input).toContain('/etc/passwd');
    expect(cwd).toBe(join(program.env.HOME ?? '', 'empty', 'folder'));
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('can neither capture its own session, nor pass for one inside another, nor bill a key', async () => {
    const program = installClaude(answering('{}'));
    const env = {
      ...program.env,
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      GIT_DIR: '/r/.git',
      GIT_INDEX_FILE: '/r/.git/index',
      ANTHROPIC_API_KEY: 'key',
      GIT_MEM: '1',
      CLAUDE_CONFIG_DIR: '/c',
    };
    await provider(program, { env }).complete(request);
    const seen = program.runs()[0]?.env ?? {};
    expect(seen).toMatchObject({ GIT_MEM: '0', CLAUDE_CONFIG_DIR: '/c' });
    for (const name of ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'GIT_DIR', 'GIT_INDEX_FILE', 'ANTHROPIC_API_KEY']) {
      expect(seen).not.toHaveProperty(name);
    }
  });

  it('cannot be made to read a file by captured text, and answers with the text unchanged', async () => {
    const program = installClaude(answering('See ＠/etc/passwd and ＠types/node.'));
    expect((await provider(program).complete(request)).text).toBe('See @/etc/passwd and @types/node.');
    expect(JSON.stringify(program.runs()[0])).not.toMatch(/@\/etc|user@/);
  });

  it('reads the last element of a list, which a verbose setting turns the answer into', async () => {
    const act = answering('{}').replace(/^print\((.*)\)$/s, 'print([{ type: "system" }, $1])');
    expect((await provider(installClaude(act)).complete(request)).text).toBe('{}');
  });

  it.each([
    ['nobody is logged in', refusing('Invalid API key · Please run /login'), 'auth'],
    ['the login is over', refusing('Failed to authenticate.', { api_error_status: 401 }), 'auth'],
    ['the subscription is used up', refusing("You've hit your session limit · resets 3pm"), 'quota'],
    ['the limit comes as a status', refusing("You've hit your limit", { api_error_status: 429 }), 'quota'],
    ['the service is overloaded', refusing('API Error: 529 Overloaded', { api_error_status: 529 }), 'overloaded'],
    ['the service fails', refusing('API Error: 500', { api_error_status: 500 }), 'transient'],
    ['the pace is too high', refusing('API Error: 429', { api_error_status: 429 }), 'rate-limit'],
    ['the model does not exist', refusing('API Error: 404', { api_error_status: 404 }), 'bad-request'],
    ['it says no JSON', 'print("Welcome to Claude Code.")', 'transient'],
    ['it says other JSON', 'print({ hello: 1 })', 'transient'],
    ['it says nothing', '', 'transient'],
    ['it breaks', 'process.stderr.write("boom"); process.exitCode = 3', 'transient'],
    ['it is killed', 'process.kill(process.pid, "SIGKILL")', 'transient'],
    ['it does not end its answer', 'while (true) require("node:fs").writeSync(1, "x".repeat(65536))', 'transient'],
  ])('that cannot answer because %s keeps the turn for later', async (_, act, expected) => {
    const error = await failure(installClaude(act));
    expect([error.class, error.code]).toEqual([expected, 'provider']);
    expect(error.message).toMatch(/^claude /);
  });

  it('is not asked until its limit passes', async () => {
    const reset = Math.floor(Date.now() / 1000) + 7200;
    const error = await failure(installClaude(refusing(`Claude AI usage limit reached|${reset}`)));
    expect(error.class).toBe('quota');
    expect(error.retryAfterMs).toBeGreaterThan(7_100_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(7_200_000);
  });

  it('that is too old is recognised', async () => {
    const act = 'process.stderr.write("error: unknown option \'--tools\'"); process.exitCode = 1';
    expect((await failure(installClaude(act))).hint).toContain('claude update');
  });

  it('that hangs is killed with everything it started', async () => {
    const pids = join(scratchFolder(), 'pids');
    const act = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
      setInterval(() => {}, 1000)`;
    // The limit passes once the program and its child are there, however long they take to start.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const failing = failure(installClaude(act), { timeoutMs: 1500 });
    while (!existsSync(pids) || !readFileSync(pids, 'utf8').includes(' ')) await sleep(20);
    vi.advanceTimersByTime(1500);
    const error = await failing;
    vi.useRealTimers();
    expect([error.class, error.message]).toEqual(['transient', 'claude gave no whole answer within 1500 ms.']);
    const alive = () =>
      readFileSync(pids, 'utf8')
        .split(' ')
        .filter((pid) => isAlive(Number(pid)));
    await vi.waitFor(() => expect(alive()).toEqual([]), { timeout: 60_000 });
  });

  it('is killed when the drain is interrupted', async () => {
    const controller = new AbortController();
    const program = installClaude('setInterval(() => {}, 1000)');
    const answer = provider(program).complete({ ...request, signal: controller.signal });
    while (program.runs().length === 0) await sleep(20);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ class: 'transient', message: expect.stringContaining('interrupted') });
  });

  it('that is not installed is reported with the next step', async () => {
    const empty = scratchFolder();
    const error = await failure({ env: { PATH: empty, HOME: empty }, runs: () => [] });
    expect([error.class, error.hint]).toEqual(['auth', expect.stringContaining('Install Claude Code')]);
    expect(existsSync(join(empty, 'empty', 'folder'))).toBe(true);
  });

  it('is asked again once an overload passes', async () => {
    const program = installClaude(refusing('Overloaded'), answering('{}'));
    const patient = provider(program, { retries: 1, retryDelayMs: 1 });
    expect((await patient.complete(request)).text).toBe('{}');
    expect(program.runs()).toHaveLength(2);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead child that nobody has waited for yet still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
