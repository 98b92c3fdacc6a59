import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saveRequest } from '../../src/capture/by-hand/save-request.ts';
import { idOf } from '../../src/memory/id.ts';
import { openProject } from '../../src/project.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put, summaryOf } from '../support/written-records.ts';

const SESSION = '65939976-74e7-49bb-921b-c8315e7665e8';

describe('SessionStart through the committed launcher', () => {
  it.each(['startup', 'resume', 'compact', 'clear'])('prints what `git mem context` shows: %s', async (source) => {
    const repository = await worked();
    const { status, stdout } = hook(repository, 'SessionStart', { source }, { GIT_MEM_BRIEFING_NOTICE: 'off' });
    expect(status).toBe(0);
    const context = await repository.call('context', '--source', source, '--session', SESSION);
    expect(context).toContain('News from somebody else');
    const additionalContext = context.replace(/\n$/, '');
    // The host drops what it does not know, and injects what it cannot parse: exactly this, byte for byte.
    expect(stdout).toBe(JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } }));
  });

  it('gives each kind of start what it needs', async () => {
    const repository = await worked();
    const told = (source: string): string => {
      const { stdout } = hook(repository, 'SessionStart', { source });
      return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
    };
    const [startup, resume, compact] = [told('startup'), told('resume'), told('compact')];
    for (const title of ['News from somebody else', 'Old knowledge', 'Row 40']) expect(startup).toContain(title);
    expect(resume).toContain('News from somebody else');
    expect(resume).not.toMatch(/Old knowledge|Row 40/);
    expect(compact.indexOf('Row 40')).toBeLessThan(compact.indexOf('News from somebody else'));
    expect(told('clear')).toBe(startup);
    expect(told('a kind of some later version')).toBe(startup);
  });

  it('prints nothing where there is nothing to say', async () => {
    const repository = createRepository();
    await repository.call('init', '--yes');
    for (const source of ['startup', 'resume', 'compact', 'clear']) {
      const off = { GIT_MEM_CAPTURE_ASK: 'off' };
      expect(hook(repository, 'SessionStart', { source }, off)).toMatchObject({ status: 0, stdout: '' });
    }
  });

  it('tells of the user even where nothing is remembered yet', async () => {
    const repository = createRepository();
    await repository.call('init', '--yes');
    await repository.call('personal', 'init');
    await repository.call('add', '--personal', '--title', 'Answers in two sentences, without a summary');
    const { stdout } = hook(repository, 'SessionStart', { source: 'startup' }, { GIT_MEM_CAPTURE_ASK: 'off' });
    const { additionalContext } = JSON.parse(stdout).hookSpecificOutput;
    expect(additionalContext).toMatch(
      /^<git-mem-personal>[\s\S]*preference: Answers in two sentences[^<]*<\/git-mem-personal>$/,
    );
  });

  it('ends with the line that asks to save, even where nothing is remembered yet, but not in a session that has it', async () => {
    const line = saveRequest('start', 'tool');
    for (const repository of [await worked(), initialised()]) {
      for (const source of ['startup', 'compact', 'clear']) {
        const { additionalContext } = JSON.parse(
          hook(repository, 'SessionStart', { source }).stdout,
        ).hookSpecificOutput;
        expect(additionalContext.split('\n').at(-1)).toBe(line);
        expect(additionalContext.split(line)).toHaveLength(2);
      }
      expect(hook(repository, 'SessionStart', { source: 'resume' }).stdout).not.toContain(line);
    }
  });

  it('counts that line within the budget, and explains it', async () => {
    const repository = await worked();
    const { text, tokens, request } = JSON.parse(repository.gitMem('context', '--json'));
    expect(text.endsWith(`</git-mem-memory>\n${request}`)).toBe(true);
    expect(tokens).toBe(Math.ceil(text.length / 4));
    const small = JSON.parse(repository.gitMem('context', '--json', '--tokens', '300'));
    expect(small.tokens).toBeLessThanOrEqual(300);
    expect(small.request).toBe(request);
    expect(JSON.parse(repository.gitMem('context', '--json', '--tokens', '0')).text).toBe('');
    expect(repository.gitMem('context', '--receipt')).toMatch(/^in {3}the line that asks the agent to save \(\d+t/m);
  });

  it('names the command where no MCP server is connected', () => {
    const repository = initialised();
    rmSync(join(repository.root, '.mcp.json'));
    expect(hook(repository, 'SessionStart', {}).stdout).toContain('save with `git mem add` what');
    expect(repository.gitMem('context')).toBe(`${saveRequest('start', 'command')}\n`);
    repository.gitMem('init', '--yes', '--host', 'codex');
    expect(repository.gitMem('context', '--host', 'codex')).toBe(`${saveRequest('start', 'tool')}\n`);
  });

  it('prints nothing for events that expect no answer', async () => {
    const repository = await worked();
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
    expect(hook(repository, 'SessionStart', {}).stdout).toContain('News from somebody else');
    const head = join(repository.root, '.git/HEAD');
    rmSync(head);
    expect(hook(repository, 'SessionStart', {})).toMatchObject({ status: 0, stdout: '' });
    writeFileSync(head, 'ref: refs/heads/main\n');
  });

  it('still answers where it cannot write', async () => {
    const repository = await worked();
    // Root may write anywhere, but not below a file.
    rmSync(join(repository.root, '.git/git-mem/sessions'), { recursive: true });
    writeFileSync(join(repository.root, '.git/git-mem/injected'), 'in the way');
    expect(hook(repository, 'SessionStart', {}).stdout).toContain('News from somebody else');
  });
});

function initialised(): TestRepository {
  const repository = createRepository();
  repository.gitMem('init', '--yes');
  return repository;
}

/** A repository in which the session worked, and before and after it somebody else. */
async function worked(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  const ago = (minutes: number) => `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const generated = (minutes: number) => ({ by: 'test', at: ago(minutes) });
  put(repository, observationOf({ id: idOf('old'), title: 'Old knowledge', generated: generated(600) }));
  put(
    repository,
    summaryOf({ id: idOf('summary'), title: 'An older session', generated: generated(590), completed: 'It was done.' }),
  );
  hookedSession(repository.root, { id: SESSION, at: new Date(Date.now() - 20 * 60_000) }).work('p1', 40);
  await openProject(repository.root, repository.env).drain({
    all: true,
    now: true,
    signal: new AbortController().signal,
  });
  put(repository, observationOf({ id: idOf('news'), title: 'News from somebody else', generated: generated(1) }));
  return repository;
}

function hook(
  { root, env }: TestRepository,
  event: string,
  payload: Record<string, unknown>,
  more: Record<string, string> = {},
): { status: number | null; stdout: string } {
  const input = `${JSON.stringify({ session_id: SESSION, prompt_id: 'p9', cwd: root, hook_event_name: event, ...payload })}\n`;
  const options = { cwd: root, env: { ...env, ...more }, input, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync('sh', ['.memory/hook', 'claude-code', event], options);
  return { status, stdout };
}
