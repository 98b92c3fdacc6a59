import { beforeEach, describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { hookCall } from '../../support/hook-call.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import { payloadOf } from '../../support/payloads.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, put, summaryOf } from '../../support/written-records.ts';

const PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';
const TITLE = 'Tolerate clock skew between nodes';

let repository: TestRepository;
let id: string;

beforeEach(async () => {
  repository = createRepository();
  repository.write('src/auth.js', 'export const leeway = 30;\n');
  await repository.call('init', '--yes', '--host', 'claude-code');
  const narrative =
    'A token of a node whose clock runs ahead gave a 401 right after login. The `leeway` is in seconds.';
  const said = ['--title', TITLE, '--narrative', narrative, '--file-modified', 'src/auth.js'];
  id = (await repository.call('add', '--type', 'bugfix', ...said)).slice(0, 10);
  repository.commit('remember');
});

/** What Claude Code is told at an event of session s1. */
async function told(event: string, payload: object): Promise<string> {
  const reply = await hookCall(repository, 'claude-code', event, {
    session_id: 's1',
    prompt_id: 'p1',
    cwd: repository.root,
    ...payload,
  });
  return reply === '' ? '' : JSON.parse(reply).hookSpecificOutput.additionalContext;
}

const begin = (source = 'startup', more = {}) => told('SessionStart', { source, ...more });
const ask = (more = {}) => told('UserPromptSubmit', { prompt: PROMPT, ...more });
const touch = (tool_name: string, more = {}) =>
  told('PreToolUse', { tool_name, tool_input: { file_path: `${repository.root}/src/auth.js` }, ...more });

/** At every occasion after the start. */
const later = async (more = {}) => [await ask(more), await touch('Read', more), await touch('Edit', more)].join('');

/** A server that the client starts without its session's id, as most do. */
async function connect() {
  const server = await connectMcpHere({ cwd: repository.root, env: { ...repository.env, CLAUDECODE: '1' } });
  return server;
}

describe('a session is not told again', () => {
  it('what its start told, until its context is compacted or cleared', async () => {
    expect(await begin()).toContain(TITLE);
    expect(await later()).not.toContain(TITLE);
    // The answer of a start that is kept notes it too.
    expect(await begin('startup', { session_id: 's2' })).toContain(TITLE);
    expect(await later({ session_id: 's2' })).not.toContain(TITLE);
    // A compacted session is told at its start, and one that is resumed knows what it was told.
    expect(await begin('compact')).toContain(TITLE);
    expect(await begin('resume')).not.toContain(TITLE);
    expect(await later()).not.toContain(TITLE);
  });

  it('what the session told that it is a fork of', async () => {
    const fork = { session_id: 's2' };
    await begin();
    expect(await begin('fork', fork)).toBe('');
    expect(await later(fork)).not.toContain(TITLE);
  });

  it('what a prompt told', async () => {
    expect(await ask()).toContain(TITLE);
    expect(await later()).toBe('');
  });

  it('what it read whole through the server, however the client names its session', async () => {
    const server = await connect();
    await told('UserPromptSubmit', { prompt: 'go on please' });
    expect((await server.call('get_observations', { ids: [id] })).text).toContain(TITLE);
    expect(await later()).toBe('');
    // Another session was told nothing.
    expect(await ask({ session_id: 's2' })).toContain(TITLE);
  });

  it('what it read whole in its shell', async () => {
    repository.env.CLAUDE_CODE_SESSION_ID = 's1';
    await repository.call('show', id);
    expect(await later()).toBe('');
  });

  it.each(['server', 'shell'])('what it saved itself after a compaction, through the %s', async (way) => {
    await begin('compact');
    const title = 'The gateway drops tokens with a future date';
    const narrative = 'The clock skew between nodes gave users a 401 right after login; `leeway` does not help there.';
    await told('UserPromptSubmit', { prompt: 'go on please' });
    repository.env.CLAUDE_CODE_SESSION_ID = 's1';
    if (way === 'shell')
      await repository.call('add', '--title', title, '--narrative', narrative, '--file', 'src/auth.js');
    else await (await connect()).call('save_observation', { title, narrative, files: ['src/auth.js'] });
    expect(await later()).toBe('');
    expect(await later({ session_id: 's2' })).toContain(title);
  });

  it('by a guard what it read whole; a line of the start is said whole once, because now it counts', async () => {
    await repository.call('pin', id, '--guard', 'src/**');
    repository.commit('guard');
    await begin();
    expect(await touch('Edit')).toContain('A token of a node whose clock runs ahead');
    expect(await later()).toBe('');
    expect(await touch('Edit')).toBe('');
    await told('Stop', { last_assistant_message: 'Done.' });
    await told('UserPromptSubmit', { prompt: 'go on please', session_id: 's3' });
    await (await connect()).call('get_observations', { ids: [id] });
    expect(await touch('Edit', { session_id: 's3' })).not.toContain(TITLE);
  });

  it('as a sub-agent what its own start told', async () => {
    const agent = { agent_id: 'a1', agent_type: 'Explore' };
    expect(await told('SubagentStart', agent)).toContain(TITLE);
    expect(await touch('Read', agent)).toBe('');
    expect(await touch('Read')).toContain(TITLE);
  });
});

it.each([
  ['copilot', 'sessionStart', 'sessionId'],
  ['qwen-code', 'SessionStart', 'session_id'],
])('a resumed session of %s is told again, because its client forgets', async (host, event, key) => {
  const start = (source: string) => hookCall(repository, host, event, { [key]: 's1', cwd: repository.root, source });
  for (const source of ['startup', 'resume', 'resume']) {
    const reply = await start(source);
    expect(reply).toContain(TITLE);
    expect(reply).toContain('save with');
  }
});

it.each([
  ['copilot', 'sessionStart', 'sessionId'],
  ['qwen-code', 'SessionStart', 'session_id'],
])('a resumed session of %s is told nothing of itself', async (host, event, key) => {
  const start = (source: string) => hookCall(repository, host, event, { [key]: 's1', cwd: repository.root, source });
  await start('startup');
  const own = { title: 'The gateway drops tokens with a future date', session: 's1' };
  put(repository, observationOf({ ...own, id: idOf('own') }));
  const summary = (session: string, title: string) =>
    put(repository, summaryOf({ id: idOf(title), session, title, branch: 'main', next_steps: 'Deploy it.' }));
  summary('s1', 'Raise the limit');
  summary('s2', 'Lower the limit');
  const reply = await start('resume');
  expect(reply).toContain('Lower the limit');
  expect(reply).not.toContain('Raise the limit');
  expect(reply).not.toContain(own.title);
});

it('Gemini CLI is told at its first prompt what its start is told: with it in front, a resumed session lacks the prompt', async () => {
  const payload = (name: string) => ({ ...payloadOf(`gemini-0.61.0/${name}`), cwd: repository.root });
  const start = (source: string) =>
    hookCall(repository, 'gemini-cli', 'SessionStart', { ...payload('SessionStart-startup'), source });
  const prompt = () => hookCall(repository, 'gemini-cli', 'BeforeAgent', payload('BeforeAgent'));
  expect(JSON.parse(await start('startup'))).toEqual({ systemMessage: 'git-mem: 1 record injected.' });
  const { hookEventName, additionalContext } = JSON.parse(await prompt()).hookSpecificOutput;
  expect(hookEventName).toBe('BeforeAgent');
  expect(additionalContext).toContain(TITLE);
  expect(additionalContext).toContain('save with');
  expect(await prompt()).toBe('');
  // It was kept with the prompt.
  expect(await start('resume')).toBe('');
  expect(await prompt()).toBe('');
});
