import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../src/capture/agents/agents.ts';
import { kimiCode } from '../../src/capture/agents/kimi-code.ts';
import { wayToSave } from '../../src/capture/by-hand/save-request.ts';
import { takeIn } from '../../src/capture/drain/intake.ts';
import { pending, readEvent } from '../../src/capture/spool/spool.ts';
import { idOf } from '../../src/memory/id.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { payloadOf } from '../support/payloads.ts';
import { initialised } from '../support/prepared-repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const SILENCE = { status: 0, stdout: '', stderr: '' };

/** As a host runs it, through the committed launcher. */
function hook(repository: TestRepository, host: string, event: string, payload: unknown) {
  return launched(repository, host, event, typeof payload === 'string' ? payload : JSON.stringify(payload));
}

/** What each host sends at a start, a prompt and a read, and where its answer has the text. */
const STARTS: Record<string, [event: string, payload: Record<string, unknown>]> = {
  codex: ['SessionStart', payloadOf('codex-0.169.0/SessionStart-startup')],
  opencode: ['session.created', payloadOf('opencode-1.18.33/event-session.created')],
  cursor: ['sessionStart', { session_id: 's' }],
  copilot: ['sessionStart', { sessionId: 's', source: 'new' }],
  'factory-droid': ['SessionStart', { session_id: 's', source: 'startup' }],
  cline: ['TaskStart', { taskId: 's' }],
};

describe.each(Object.entries(STARTS))('%s through the committed launcher', (host, [event, payload]) => {
  it('gets the memory at session start, in its own JSON and nothing else', async () => {
    const repository = await remembering(host);
    const { status, stdout, stderr } = hook(repository, host, event, { ...payload, cwd: repository.root });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Sessions live in Redis');
    const text: unknown = Object.values(JSON.parse(stdout))
      .map((value) =>
        typeof value === 'object' && value !== null && 'additionalContext' in value ? value.additionalContext : value,
      )
      .find((value) => typeof value === 'string' && value.includes('Sessions live in Redis'));
    // Clients that can show no line to the person leave it out.
    const notice = 'git-mem: 1 record injected, 1 not committed.';
    expect(stdout).toBe(AGENTS.find(({ name }) => name === host)?.toReply(event, String(text), { notice }));
  });
});

it('gives Gemini CLI the line for the person at session start, and the memory with the first prompt', async () => {
  const repository = await remembering('gemini-cli');
  const send = (event: string, name: string) =>
    hook(repository, 'gemini-cli', event, { ...payloadOf(`gemini-0.61.0/${name}`), cwd: repository.root });
  const notice = 'git-mem: 1 record injected, 1 not committed.';
  const begun = JSON.stringify({ systemMessage: notice });
  expect(send('SessionStart', 'SessionStart-startup')).toEqual({ status: 0, stdout: begun, stderr: '' });
  const { hookSpecificOutput, ...others } = JSON.parse(send('BeforeAgent', 'BeforeAgent').stdout);
  expect(others).toEqual({});
  expect(hookSpecificOutput.additionalContext).toContain('Sessions live in Redis');
});

/** A repository that remembers something, set up for some hosts. */
async function remembering(hosts: string): Promise<TestRepository> {
  const repository = await initialised('--host', hosts);
  put(repository, observationOf({ id: idOf('redis'), title: 'Sessions live in Redis' }));
  return repository;
}

it('gives Kiro plain text, which it takes verbatim', async () => {
  const { stdout, status } = hook(await remembering('kiro'), 'kiro', 'SessionStart', { session_id: 's' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^<git-mem-memory>\n[\s\S]*Sessions live in Redis[\s\S]*<\/git-mem-memory>\ngit-mem: [^\n]*$/);
});

/** Where the launcher finds the program that PATH has no longer. */
function noteOf({ root }: TestRepository): string {
  return join(root, '.git/git-mem/program');
}

it('Cline gets memory through the programs that it runs, and may continue whatever their input is', async () => {
  const repository = await remembering('cline');
  const run = (event: string, payload: unknown) => {
    const program = join(repository.root, '.clinerules', 'hooks', event);
    const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const { status, stdout, stderr } = spawnSync(program, { cwd: '/', env: repository.env, input, encoding: 'utf8' });
    expect({ status, stderr }, event).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  const told = JSON.parse(run('TaskStart', { taskId: 's', workspaceRoots: [repository.root] }));
  expect(told).toEqual({ cancel: false, contextModification: expect.stringContaining('Sessions live in Redis') });
  const pass = '{"cancel":false}\n';
  expect(run('TaskStart', 'no json')).toBe(pass);
  expect(run('PostToolUse', { taskId: 's', postToolUse: { toolName: 'read_file' } })).toBe(pass);
  rmSync(join(repository.folder, 'bin', 'git-mem'));
  rmSync(noteOf(repository));
  for (const event of ['TaskStart', 'PostToolUse', 'TaskCancel']) expect(run(event, { taskId: 's' })).toBe(pass);
});

it("ends at once in Copilot's command line, which runs the VS Code file as well as its own", async () => {
  const repository = await remembering('copilot');
  const path = join(repository.root, '.github/hooks/git-mem-vscode.json');
  const { hooks } = JSON.parse(readFileSync(path, 'utf8'));
  const [{ linux: command }] = hooks.UserPromptSubmit;
  const run = (more: Record<string, string>) => {
    const env = { ...repository.env, ...more };
    const input = JSON.stringify({ session_id: 's', prompt: 'why?', cwd: repository.root });
    spawnSync('sh', ['-c', command], { cwd: repository.root, env, input });
    return pending(join(repository.root, '.git/git-mem')).length;
  };
  expect(run({ COPILOT_CLI: '1' })).toBe(0);
  expect(run({})).toBe(1);
});

describe('Kimi Code', () => {
  const [add = ''] = kimiCode.setup.next;

  /** The hooks that a person adds to the settings as `init` says. */
  function added({ env, root }: TestRepository): { event: string; command: string }[] {
    const line = add.slice(add.indexOf('for event in'));
    const path = join(env.HOME ?? '', '.kimi-code/config.toml');
    mkdirSync(dirname(path));
    writeFileSync(path, 'telemetry = false');
    spawnSync('sh', ['-c', line], { cwd: root, env });
    const [before, ...hooks] = readFileSync(path, 'utf8').split('\n[[hooks]]\n');
    expect(before).toBe('telemetry = false');
    return hooks.map((hook) => {
      const [, event = '', command = ''] = /^event = "(\w+)"\ncommand = "([^"]+)"\ntimeout = 10\n$/.exec(hook) ?? [];
      return { event, command };
    });
  }

  it('gets the memory with the first prompt, by hooks in the settings of the person', async () => {
    const repository = await remembering('kimi-code');
    const { root, env } = repository;
    const hooks = added(repository);
    expect(hooks.map(({ event }) => event)).toEqual(kimiCode.events);
    const send = (name: string) => {
      const payload = { ...payloadOf(`kimi-2.1.0/${name}`), cwd: root };
      const { command = '' } = hooks.find(({ event }) => event === name.split('-')[0]) ?? {};
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: root,
        env,
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    };
    expect(send('SessionStart-startup')).toEqual(SILENCE);
    expect(JSON.parse(send('UserPromptSubmit').stdout)).toEqual({
      message: expect.stringContaining('Sessions live in Redis'),
    });
    expect(send('UserPromptSubmit').stdout).not.toContain('Sessions live in Redis');
    expect(send('PostCompact')).toEqual(SILENCE);
    expect(send('UserPromptSubmit').stdout).toContain('Sessions live in Redis');
  });

  it('runs nothing that a repository brings, and does nothing where there is no memory', async () => {
    const repository = await remembering('kimi-code');
    const [hook] = added(repository);
    const run = () => {
      const input = JSON.stringify({ ...payloadOf('kimi-2.1.0/SessionStart-startup'), cwd: repository.root });
      spawnSync('sh', ['-c', hook?.command ?? ''], { cwd: repository.root, env: repository.env, input });
      return pending(join(repository.root, '.git/git-mem')).length;
    };
    writeFileSync(join(repository.root, '.memory/hook'), 'touch run\n');
    expect(run()).toBe(1);
    rmSync(join(repository.root, '.memory'), { recursive: true });
    expect(run()).toBe(1);
    expect(existsSync(join(repository.root, 'run'))).toBe(false);
  });
});

it('names Grok Build, which runs the hooks of others', async () => {
  const repository = await remembering('claude-code');
  const env = { ...repository.env, GROK_HOOK_EVENT: 'post_tool_use' };
  const payload = { ...payloadOf('grok-1.0.41/PostToolUse-read_file'), cwd: repository.root };
  for (const host of ['claude-code', 'cursor'])
    launched({ ...repository, env }, host, 'PostToolUse', JSON.stringify(payload));
  const state = join(repository.root, '.git/git-mem');
  expect(pending(state).map(({ name }) => readEvent(state, name)?.head.host)).toEqual(['grok']);
});

describe('VS Code', () => {
  const common = { session_id: 's', timestamp: '2026-02-09T10:30:00.000Z' };

  it('gets memory from the file made for it, not from that of the command line', async () => {
    const repository = await remembering('copilot');
    const start = { ...common, hook_event_name: 'SessionStart', source: 'new' };
    expect(hook(repository, 'copilot', 'sessionStart', start)).toEqual(SILENCE);
    const { stdout } = hook(repository, 'copilot', 'SessionStart', start);
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('Sessions live in Redis'),
      },
    });
  });

  it("gets memory once and is recorded once though it runs Claude Code's hooks as well", async () => {
    const repository = await remembering('claude-code,copilot');
    const fire = async (names: [host: string, event: string][], payload: object) => {
      const sent = { ...common, ...payload, hook_event_name: names[0]?.[1], cwd: repository.root };
      for (const [host, event] of names) await hookCall(repository, host, event, sent);
    };
    const both = (event: string, own = event): [string, string][] => [
      ['claude-code', event],
      ['copilot', own],
    ];
    const start = { ...common, hook_event_name: 'SessionStart', source: 'startup', cwd: repository.root };
    // Without the launcher, which wakes a drain that would take what is counted below.
    const told: string[] = [];
    for (const [host, event] of both('SessionStart')) told.push(await hookCall(repository, host, event, start));
    expect(told.filter((text) => text !== '')).toHaveLength(1);
    await fire(both('UserPromptSubmit'), { prompt: 'please raise the limit of the importer' });
    const input = { filePath: join(repository.root, 'a.ts'), oldString: 'LIMIT = 1', newString: 'LIMIT = 2' };
    const edit = { tool_name: 'replace_string_in_file', tool_input: input, tool_use_id: 't', tool_response: 'done' };
    await fire(both('PostToolUse', 'postToolUse'), edit);
    await fire(both('Stop'), { stop_hook_active: false });
    const commonDir = join(repository.root, '.git');
    const states = [join(commonDir, 'git-mem')];
    expect(pending(states[0] ?? '')).toHaveLength(8);
    const nothing = { env: {}, isSeen: () => false, hostOf: () => undefined, log: () => {} };
    const { events } = takeIn({ states, commonDir, nowMs: Date.now(), ...nothing });
    expect(events.map(({ host, event }) => `${host} ${event.kind}`).sort()).toEqual([
      'copilot prompt',
      'copilot session-start',
      'copilot tool',
      'copilot turn-end',
    ]);
  });
});

describe.each(AGENTS)('$name', (agent) => {
  it('gets silence and exit 0 for unknown events, unreadable payloads and a missing install', async () => {
    const repository = await initialised('--host', agent.name);
    const events = [...new Set([...agent.events, ...agent.replies])].slice(0, 3);
    expect(hook(repository, agent.name, 'NoSuchEvent', 'no json')).toEqual(SILENCE);
    expect(hook(repository, agent.name, events[0] ?? '', '{}')).toEqual(SILENCE);
    // The same process would be started for each of them.
    for (const event of ['NoSuchEvent', ...events]) {
      for (const payload of ['no json', '{}']) {
        expect(await hookCall(repository, agent.name, event, payload), event).toBe('');
      }
    }
    const bare = { ...repository, env: { ...repository.env, PATH: '/usr/bin:/bin' } };
    for (const event of events) expect(hook(bare, agent.name, event, '{}'), event).toEqual(SILENCE);
  });

  it('has every event that it keeps in the spool, under its name', async () => {
    const repository = await initialised('--host', agent.name);
    const state = join(repository.root, '.git', 'git-mem');
    const held = agent.events.filter((event) => !agent.wakes.includes(event));
    const [first = '', ...others] = held;
    hook(repository, agent.name, first, { session_id: 's' });
    for (const event of others) await hookCall(repository, agent.name, event, { session_id: 's' });
    const heads = pending(state).map(({ name }) => readEvent(state, name)?.head);
    expect(heads.map((head) => `${head?.host} ${head?.event}`).sort()).toEqual(
      held.map((event) => `${agent.name} ${event}`).sort(),
    );
  });
});

it('leaves no trace of an unknown host except a line in the log', async () => {
  const repository = await initialised();
  expect(hook(repository, 'no-such-host', 'SessionStart', '{}')).toEqual(SILENCE);
  expect(existsSync(join(repository.root, '.git', 'git-mem', 'spool'))).toBe(false);
});

/** What OpenCode does with its plugin, in a session of one turn. */
const PLAYED = `
import { GitMem } from './plugin.mjs';
const root = process.cwd();
const hooks = await GitMem({ worktree: root, directory: root });
const properties = (more) => ({ sessionID: 's1', ...more });
const parts = [{ type: 'text', text: 'why is it slow?' }];
await hooks.event({ event: { type: 'session.created', id: 'e1', properties: properties() } });
await hooks['chat.message']({ sessionID: 's1' }, { message: { id: 'm1', role: 'user' }, parts });
await hooks.event({ event: { type: 'message.updated', properties: properties({ info: { id: 'm1', role: 'user' } }) } });
const own = { type: 'text', id: 'p1', messageID: 'm1', text: 'why is it slow?' };
await hooks.event({ event: { type: 'message.part.updated', properties: properties({ part: own }) } });
const system = [];
await hooks['experimental.chat.system.transform']({ sessionID: 's1' }, { system });
const read = { title: 'a', output: 'content', metadata: {} };
await hooks['tool.execute.after']({ tool: 'read', sessionID: 's1', callID: 'c1', args: { filePath: root + '/a' } }, read);
for (const delta of ['It is ', 'the index.'])
  await hooks.event({ event: { type: 'message.part.delta', properties: properties({ messageID: 'm2', partID: 'p2', field: 'text', delta }) } });
await hooks.event({ event: { type: 'session.idle', id: 'e2', properties: properties() } });
process.stdout.write(JSON.stringify({ system, read: read.output }));
`;

describe('the plugin of OpenCode', () => {
  /** Plays a session with a git-mem that keeps what it is given, and drains nothing. */
  async function play(before: (repository: TestRepository) => void = () => {}) {
    const repository = await remembering('opencode');
    before(repository);
    repository.write('plugin.mjs', readFileSync(join(repository.root, '.opencode/plugin/git-mem.js'), 'utf8'));
    repository.write('play.mjs', PLAYED);
    const options = { cwd: repository.root, env: repository.env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['play.mjs'], options);
    return { repository, status, stderr, told: JSON.parse(stdout) };
  }

  it('adds the memory to every request, and leaves alone what it has nothing to add to', async () => {
    const { status, stderr, told } = await play();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(told.system.join('\n')).toContain('Sessions live in Redis');
    expect(told.read).toBe('content');
  });

  it('lets OpenCode work where git-mem is missing', async () => {
    const { status, told } = await play(({ root }) => rmSync(join(root, '.memory', 'hook')));
    expect([status, told]).toEqual([0, { system: [], read: 'content' }]);
  });

  it('sends the answer at the end of the turn', async () => {
    const { repository } = await play((made) => {
      rmSync(noteOf(made));
      writeFileSync(join(made.folder, 'bin', 'git-mem'), '#!/bin/sh\n{ echo "$2 $3"; cat; echo; } >>"$HOME/sent"\n');
    });
    const sent = readFileSync(join(repository.folder, 'home', 'sent'), 'utf8')
      .trim()
      .split('\n');
    expect(sent.filter((line) => line.startsWith('opencode '))).toEqual([
      'opencode session.created',
      'opencode chat.message',
      'opencode tool.execute.after',
      'opencode session.idle',
    ]);
    expect(JSON.parse(sent.at(-1) ?? '')).toMatchObject({ text: 'It is the index.', directory: repository.root });
  });
});

/** What Pi does with its extension: the tools that it registers, each called with the arguments in the environment. */
const CALLED = `
import extension from './.pi/extensions/git-mem.js';
const tools = [];
extension({ on() {}, registerTool: (tool) => tools.push(tool) });
const ctx = { cwd: process.cwd(), sessionManager: { getSessionId: () => 's1' } };
const said = [];
for (const { name, execute } of tools) {
  const given = JSON.parse(process.env.GIVEN)[name];
  if (given === undefined) continue;
  const { content, isError } = await execute('c1', given, AbortSignal.timeout(Number(process.env.PATIENCE ?? 60_000)), undefined, ctx).catch((error) => {
    return { content: [{ text: error.message }], isError: true };
  });
  said.push({ text: content[0].text, isError });
}
process.stdout.write(JSON.stringify({ names: tools.map(({ name }) => name), said }));
`;

describe('the extension of Pi', () => {
  function play({ root, env }: TestRepository, given: object, more: Record<string, string> = {}) {
    writeFileSync(join(root, 'play.mjs'), CALLED);
    const options = { cwd: root, env: { ...env, ...more, GIVEN: JSON.stringify(given) }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['play.mjs'], options);
    expect({
      status,
      stderr: stderr.replace(/^.*(?:MODULE_TYPELESS|Reparsing|To eliminate|Use `node).*\n/gm, ''),
    }).toEqual({
      status: 0,
      stderr: '',
    });
    return JSON.parse(stdout);
  }
  const NAMES = ['git_mem_search', 'git_mem_save_observation'];
  const record = {
    title: 'Uploads are cut at 25 megabytes by the gateway',
    content: 'Measured.',
    tags: 'limits, size',
  };

  it('searches and saves by one call each, with the arguments that models send, in the name of the session', async () => {
    const repository = await remembering('pi');
    const { names, said } = play(repository, { git_mem_search: { query: 'Redis' }, git_mem_save_observation: record });
    expect(names).toEqual(NAMES);
    expect(said).toEqual([
      { text: expect.stringContaining('Sessions live in Redis') },
      { text: expect.stringMatching(/^Saved \w{10}: .*Taken: `content` as `narrative`/s) },
    ]);
    const { records } = JSON.parse(await repository.call('list', '--json'));
    expect(records).toContainEqual(
      expect.objectContaining({ title: record.title, generated_by: 'pi', session: 's1', author: 'agent' }),
    );
  });

  it('says what is wrong, and where git-mem is missing to go on without it', async () => {
    const repository = await remembering('pi');
    const given = { git_mem_save_observation: { ...record, title: '' } };
    expect(play(repository, given).said).toEqual([
      { text: expect.stringContaining('Nothing was saved.'), isError: true },
    ]);
    rmSync(join(repository.root, '.memory/hook'));
    expect(play(repository, given).said).toEqual([
      { text: expect.stringMatching(/^git-mem did not answer/), isError: true },
    ]);
  });

  it('ends a git-mem that hangs when Pi ends the call', async () => {
    const repository = await remembering('pi');
    const hung = join(repository.folder, 'hung');
    writeFileSync(join(repository.root, '.memory/hook'), `touch '${hung}'\nsleep 40 && echo over >'${hung}'\n`);
    const { said } = play(repository, { git_mem_search: {} }, { PATIENCE: '2000' });
    expect(said).toEqual([{ text: expect.stringMatching(/^git-mem did not answer/), isError: true }]);
    expect(readFileSync(hung, 'utf8')).toBe('');
  });

  it('has no tools without a memory, and where git-mem is off', async () => {
    const repository = await remembering('pi');
    expect(play(repository, {}, { GIT_MEM: '0' }).names).toEqual([]);
    rmSync(join(repository.root, '.memory'), { recursive: true });
    expect(play(repository, {}).names).toEqual([]);
  });

  it('is named in the request to save where it has the tools', async () => {
    const { root } = await remembering('pi');
    expect(wayToSave(root, 'pi', {})).toBe('extension');
    writeFileSync(join(root, '.pi/extensions/git-mem.js'), '// Of an older git-mem.');
    expect(wayToSave(root, 'pi', {})).toBe('command');
  });
});
