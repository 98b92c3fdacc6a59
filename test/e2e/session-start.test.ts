import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { saveRequest } from '../../src/capture/by-hand/save-request.ts';
import { idOf } from '../../src/memory/id.ts';
import { openProject } from '../../src/project.ts';
import { gitMem } from '../support/command-line.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { initialised, preparedRepository } from '../support/prepared-repository.ts';
import { setModel } from '../support/recording-model.ts';
import type { TestRepository } from '../support/repository.ts';
import { observationOf, put, summaryOf } from '../support/written-records.ts';

const it = test.extend('repository', () => worked());

const EMPTY = "git-mem: this repository's memory is empty so far; there is nothing to search.";
const SESSION = '65939976-74e7-49bb-921b-c8315e7665e8';

describe('SessionStart through the committed launcher', () => {
  it.each(['startup', 'resume', 'compact', 'clear'])('prints what `git mem context` shows: %s', async (source) => {
    const repository = await worked();
    const { status, stdout } = hook(repository, 'SessionStart', { source });
    expect(status).toBe(0);
    const context = await repository.call('context', '--source', source, '--session', SESSION);
    expect(context).toContain('News from somebody else');
    const additionalContext = context.replace(/\n$/, '');
    // The host drops what it does not know, and injects what it cannot parse: exactly this, byte for byte.
    const reply = JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } });
    expect(stdout.replace(/"systemMessage":"[^"]*",/, '')).toBe(reply);
  });

  it('gives each kind of start what it needs', async ({ repository }) => {
    const told = async (source: string): Promise<string> => {
      const stdout = await start(repository, { source });
      return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
    };
    const [resume, startup, compact] = [await told('resume'), await told('startup'), await told('compact')];
    // What it was told at its last start is no news.
    expect(await told('resume')).not.toContain('News from somebody else');
    for (const title of ['News from somebody else', 'Old knowledge', 'Row 40']) expect(startup).toContain(title);
    expect(resume).toContain('News from somebody else');
    expect(resume).not.toMatch(/Old knowledge|Row 40/);
    expect(compact.indexOf('Row 40')).toBeLessThan(compact.indexOf('News from somebody else'));
    expect(await told('clear')).toBe(startup);
    expect(await told('a kind of some later version')).toBe(startup);
  });

  it('prints only that nothing is remembered yet, and nothing in a session that was told', async () => {
    const repository = await initialised();
    for (const source of ['startup', 'resume', 'compact', 'clear']) {
      const stdout = await start(repository, { source }, { GIT_MEM_CAPTURE_ASK: 'off' });
      const text = stdout && JSON.parse(stdout).hookSpecificOutput.additionalContext;
      expect(text).toBe(source === 'resume' ? '' : EMPTY);
    }
    expect(hook(repository, 'SessionStart', { source: 'resume' }, { GIT_MEM_CAPTURE_ASK: 'off' })).toEqual({
      status: 0,
      stdout: '',
    });
  });

  it('tells of the user even where nothing is remembered yet', async () => {
    const repository = await initialised();
    await repository.call('personal', 'init');
    await repository.call('add', '--personal', '--title', 'Answers in two sentences, without a summary');
    const stdout = await start(repository, { source: 'startup' }, { GIT_MEM_CAPTURE_ASK: 'off' });
    const { additionalContext } = JSON.parse(stdout).hookSpecificOutput;
    expect(additionalContext).toMatch(
      /^<git-mem-personal>[\s\S]*preference: Answers in two sentences[^<]*<\/git-mem-personal>\ngit-mem: [^\n]*$/,
    );
  });

  it('ends with the line that asks to save, even where nothing is remembered yet, but not in a session that has it', async () => {
    const line = saveRequest('start', 'tool', true);
    for (const repository of [await worked(), await initialised()]) {
      for (const source of ['startup', 'compact', 'clear']) {
        const { additionalContext } = JSON.parse(await start(repository, { source })).hookSpecificOutput;
        expect(additionalContext.split('\n').at(-1)).toBe(line);
        expect(additionalContext.split(line)).toHaveLength(2);
      }
      expect(await start(repository, { source: 'resume' })).not.toContain(line);
    }
  });

  it('counts that line within the budget, and explains it', async ({ repository }) => {
    const { text, tokens, request } = JSON.parse(await repository.call('context', '--json'));
    expect(text.endsWith(`</git-mem-memory>\n${request}`)).toBe(true);
    expect(tokens).toBe(Math.ceil(text.length / 4));
    const within = async (tokens: string) => {
      const { stdout } = await gitMem(repository, ['context', '--json'], { env: { GIT_MEM_BRIEFING_TOKENS: tokens } });
      return JSON.parse(stdout);
    };
    const small = await within('300');
    expect(small.tokens).toBeLessThanOrEqual(300);
    expect(small.request).toBe(request);
    expect((await within('0')).text).toBe('');
    expect(await repository.call('context', '--receipt')).toMatch(
      /^in {3}the line that asks the agent to save \(\d+t/m,
    );
  });

  it('names the command where no MCP server is connected', async () => {
    const repository = await initialised();
    rmSync(join(repository.root, '.mcp.json'));
    expect(await start(repository, {})).toContain('save with `git mem add` what');
    expect(await repository.call('context')).toBe(`${EMPTY}\n${saveRequest('start', 'command', true)}\n`);
    await repository.call('init', '--yes', '--host', 'codex');
    expect(await repository.call('context', '--host', 'codex')).toBe(
      `${EMPTY}\n${saveRequest('start', 'tool', true)}\n`,
    );
  });

  it('prints nothing for events that expect no answer', async ({ repository }) => {
    const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' }, tool_response: { stdout: '' } };
    for (const [event, payload] of Object.entries({
      UserPromptSubmit: { prompt: 'hello' },
      PostToolUse: call,
      PostToolUseFailure: { ...call, error: 'Exit code 1' },
      SubagentStop: { agent_type: 'x', last_assistant_message: 'Done.' },
      Stop: { last_assistant_message: 'Hello.' },
      StopFailure: {},
      PostCompact: { compact_summary: 'So far.' },
      SessionEnd: { reason: 'other' },
    })) {
      const off = { GIT_MEM_CAPTURE_ASK: 'off' };
      expect({ event, ...hook(repository, event, payload, off) }).toMatchObject({ event, status: 0, stdout: '' });
    }
  });

  it('prints nothing with GIT_MEM=0, in a damaged repository, or with damaged settings that it can do without', async () => {
    const repository = await worked();
    expect(hook(repository, 'SessionStart', {}, { GIT_MEM: '0' })).toMatchObject({ status: 0, stdout: '' });
    repository.write('.memory/config.yaml', 'briefing: {tokens: [');
    expect(await start(repository, {})).toContain('News from somebody else');
    const head = join(repository.root, '.git/HEAD');
    rmSync(head);
    expect(hook(repository, 'SessionStart', {})).toMatchObject({ status: 0, stdout: '' });
    writeFileSync(head, 'ref: refs/heads/main\n');
  });

  it('still answers where it cannot write', async ({ repository }) => {
    // Root may write anywhere, but not below a file.
    rmSync(join(repository.root, '.git/git-mem/sessions'), { recursive: true });
    writeFileSync(join(repository.root, '.git/git-mem/injected'), 'in the way');
    expect(await start(repository, {})).toContain('News from somebody else');
  });
});

/** A repository in which the session worked, and before and after it somebody else. */
function worked(): Promise<TestRepository> {
  return preparedRepository('worked', work);
}

async function work(repository: TestRepository): Promise<void> {
  await repository.call('init', '--yes');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  const ago = (minutes: number) => `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const generated = (minutes: number) => ({ by: 'test', at: ago(minutes) });
  put(repository, observationOf({ id: idOf('old'), title: 'Old knowledge', generated: generated(600) }));
  put(
    repository,
    summaryOf({ id: idOf('summary'), title: 'An older session', generated: generated(590), completed: 'It was done.' }),
  );
  await setModel(repository);
  hookedSession(repository.root, { id: SESSION, at: new Date(Date.now() - 20 * 60_000) }).work('p1', 40);
  await openProject(repository.root, repository.env).drain({
    all: true,
    now: true,
    signal: new AbortController().signal,
  });
  put(repository, observationOf({ id: idOf('news'), title: 'News from somebody else', generated: generated(1) }));
}

/** The reply to a start, within this process. */
function start(
  { root, env }: TestRepository,
  payload: Record<string, unknown>,
  more: Record<string, string> = {},
): Promise<string> {
  const whole = { session_id: SESSION, prompt_id: 'p9', cwd: root, hook_event_name: 'SessionStart', ...payload };
  return hookCall({ root, env: { ...env, ...more } }, 'claude-code', 'SessionStart', whole);
}

/** The same of any event, through the launcher. */
function hook(
  { root, env }: TestRepository,
  event: string,
  payload: Record<string, unknown>,
  more: Record<string, string> = {},
): { status: number | null; stdout: string } {
  const { status, stdout } = launched({ root, env: { ...env, ...more } }, 'claude-code', event, {
    session_id: SESSION,
    prompt_id: 'p9',
    ...payload,
  });
  return { status, stdout };
}
