import { expect, it } from 'vitest';
import { qwenCode } from '../../../src/capture/agents/qwen-code.ts';
import { callOf, eventsOf, payloadOf } from '../../support/payloads.ts';

const QWEN = 'qwen-0.24.4';

it.each([
  ['PostToolUse-read_file', { action: 'read', paths: ['/repo/src/token.mjs'], ok: true }],
  ['PostToolUse-run_shell_command', { action: 'command', command: 'node --test', ok: true }],
  ['PostToolUseFailure-run_shell_command', { action: 'command', command: 'node --test', ok: false, exitCode: 1 }],
  ['PostToolUse-write_file', { action: 'write', paths: ['/repo/src/limits.mjs'] }],
  ['PostToolUse-agent', { action: 'agent', output: 'Nobody else uses the limits.' }],
])('%s', (name, expected) => {
  expect(callOf(`${QWEN}/${name}`)).toMatchObject(expected);
});

it('tells of an edit what it changed, without the diff that it shows', () => {
  expect(callOf(`${QWEN}/PostToolUse-edit`)).toMatchObject({
    change: { removed: 'export const LEEWAY = 0;', added: 'export const LEEWAY = 30;' },
    output: '',
  });
});

it('ignores the empty prompt that comes with every result', () => {
  expect(eventsOf(`${QWEN}/UserPromptSubmit-continued`)).toEqual([]);
  expect(qwenCode.toQuestion('UserPromptSubmit', payloadOf(`${QWEN}/UserPromptSubmit-continued`))).toBeUndefined();
  expect(eventsOf(`${QWEN}/UserPromptSubmit`)).toMatchObject([{ kind: 'prompt', from: 'user' }]);
});
