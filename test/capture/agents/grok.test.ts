import { expect, it } from 'vitest';
import { grok } from '../../../src/capture/agents/grok.ts';
import { callOf, eventsOf, payloadOf } from '../../support/payloads.ts';

const V = 'grok-1.0.41';

it('reads what Grok Build reports with keys of its own', () => {
  expect(eventsOf(`${V}/SessionStart`)).toMatchObject([{ kind: 'session-start', cwd: '/repo' }]);
  expect(eventsOf(`${V}/UserPromptSubmit`)).toMatchObject([{ kind: 'prompt', text: 'please look', from: 'user' }]);
  const [end] = eventsOf(`${V}/Stop`);
  expect(end).toMatchObject({ kind: 'turn-end', text: 'REPORT', turn: payloadOf(`${V}/UserPromptSubmit`).promptId });
  expect(eventsOf(`${V}/SessionEnd`)).toMatchObject([{ kind: 'session-end' }]);
  // The end of a session is reported as one more end of a turn.
  expect(eventsOf(`${V}/Stop-shutdown`)).toEqual([]);
  // A sub-agent's prompt is its parent's call.
  expect(eventsOf(`${V}/UserPromptSubmit-subagent`)).toMatchObject([{ kind: 'prompt', text: '', from: 'machine' }]);
});

it('reads its calls, and how they ended', () => {
  expect(callOf(`${V}/PostToolUse-read_file`)).toMatchObject({
    action: 'read',
    paths: ['/repo/src/auth.ts'],
    ok: true,
    output: 'hi\n',
  });
  const change = { removed: 'hi', added: 'ho' };
  expect(callOf(`${V}/PostToolUse-search_replace`)).toMatchObject({ action: 'edit', ok: true, change });
  expect(callOf(`${V}/PostToolUse-search_replace-failed`)).toMatchObject({ action: 'edit', ok: false });
  expect(callOf(`${V}/PostToolUse-write`)).toMatchObject({ action: 'write', paths: ['/repo/src/new.ts'], ok: true });
  expect(callOf(`${V}/PostToolUse-run_terminal_command`)).toMatchObject({
    action: 'command',
    ok: false,
    exitCode: 3,
    output: 'Exit code 3\nhi\n',
  });
  expect(callOf(`${V}/PostToolUse-spawn_subagent`)).toMatchObject({ action: 'agent' });
});

it('is told about files before it reads or edits them', () => {
  const ask = (file: string) => grok.toQuestion('PreToolUse', payloadOf(`${V}/${file}`));
  expect(ask('PreToolUse-read_file')).toMatchObject({ kind: 'read', paths: ['/repo/src/auth.ts'] });
  expect(ask('PreToolUse-search_replace')).toMatchObject({ kind: 'read', isEdit: true });
  expect(ask('PreToolUse-run_terminal_command')).toBeUndefined();
});
