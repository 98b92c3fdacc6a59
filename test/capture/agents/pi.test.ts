import { expect, it } from 'vitest';
import { isOwnSave } from '../../../src/capture/agents/own-calls.ts';
import { pi } from '../../../src/capture/agents/pi.ts';
import { callOf, eventsOf, payloadOf } from '../../support/payloads.ts';

const PI = 'pi-1.6.0';

it('reads what Pi 1.6.0 reported of a session, from its start to its end', () => {
  const session = '01a2286e-3e49-74c8-bb89-002f2cbe3928';
  const common = { session, cwd: '/repo' };
  const kinds = ['session_start', 'before_agent_start', 'agent_settled', 'session_shutdown'];
  expect(kinds.flatMap((event) => eventsOf(`${PI}/${event}`))).toMatchObject([
    { ...common, kind: 'session-start', source: 'startup' },
    { ...common, kind: 'prompt', text: expect.stringMatching(/^Users get a 401/), from: 'user' },
    { ...common, kind: 'turn-end', text: expect.stringMatching(/^Fixed\./) },
    { ...common, kind: 'session-end', reason: 'quit' },
  ]);
});

it('reads its calls, with the exit code of a command', () => {
  const call = (name: string) => callOf(`${PI}/tool_result-${name}`);
  expect(call('read')).toMatchObject({ action: 'read', paths: ['src/token.mjs'], ok: true });
  expect(call('bash')).toMatchObject({ action: 'command', command: 'cat src/keys.mjs', ok: true, exitCode: 0 });
  expect(call('bash-failed')).toMatchObject({ action: 'command', command: 'node --test', ok: false, exitCode: 1 });
  const change = { removed: 'export const LEEWAY = 0;', added: 'export const LEEWAY = 30;' };
  expect(call('edit')).toMatchObject({ action: 'edit', paths: ['src/token.mjs'], ok: true, change });
  expect(call('write')).toMatchObject({
    action: 'write',
    change: { removed: '', added: 'export const LIMITS = {};\n' },
  });
});

it('knows the tools of the extension as our own', () => {
  const call = (toolName: string) => callOf(`${PI}/tool_result-bash`, { toolName, input: { title: 'x' } });
  expect(call('git_mem_save_observation')).toMatchObject({ action: 'other', server: 'git-mem', paths: [] });
  expect(isOwnSave(call('git_mem_save_observation'))).toBe(true);
  expect(call('git_memory')).not.toHaveProperty('server');
});

it('asks about a start, a prompt and what was read, and only what is new where a session goes on', () => {
  const asked = (event: string, change = {}) =>
    pi.toQuestion(event.split('-')[0] ?? '', { ...payloadOf(`${PI}/${event}`), ...change });
  expect(asked('session_start', { reason: 'resume' })).toMatchObject({ kind: 'start', source: 'resume' });
  expect(asked('session_start', { reason: 'reload' })).toMatchObject({ kind: 'start', source: 'startup' });
  expect(asked('before_agent_start')).toMatchObject({ kind: 'prompt' });
  expect(asked('tool_result-bash')).toMatchObject({ kind: 'read', paths: ['src/keys.mjs'] });
  expect(asked('tool_result-edit')).toBeUndefined();
});
