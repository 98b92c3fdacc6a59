import { describe, expect, it } from 'vitest';
import { kiro } from '../../../src/capture/agents/kiro.ts';

// Payloads as the vendor's pages have them; none was recorded.

describe('Kiro', () => {
  const common = { session_id: 's', cwd: '/repo' };
  const call = (tool_name: string, tool_input: object, tool_response: unknown = { success: true, result: ['ok'] }) =>
    kiro.toEvents('PostToolUse', { ...common, hook_event_name: 'PostToolUse', tool_name, tool_input, tool_response });

  it('reports prompts, calls by both names of a tool, and ends of turns', () => {
    expect(kiro.toEvents('UserPromptSubmit', { ...common, prompt: 'hi' })).toMatchObject([
      { kind: 'prompt', text: 'hi' },
    ]);
    for (const tool of ['read', 'fs_read']) {
      expect(call(tool, { operations: [{ mode: 'Line', path: '/repo/a.md' }] })).toMatchObject([
        { call: { action: 'read', paths: ['/repo/a.md'], ok: true, output: 'ok' } },
      ]);
    }
    expect(
      call('execute_bash', { command: 'npm test' }, { success: false, result: [{ exit_status: '1' }] }),
    ).toMatchObject([{ call: { action: 'command', command: 'npm test', ok: false, output: '{"exit_status":"1"}' } }]);
    const edit = { command: 'str_replace', path: 'a.ts', old_str: 'a', new_str: 'b' };
    expect(call('fs_write', edit, 'written')).toMatchObject([
      {
        call: {
          action: 'edit',
          paths: ['a.ts'],
          ok: undefined,
          output: 'written',
          change: { removed: 'a', added: 'b' },
        },
      },
    ]);
    expect(kiro.toEvents('Stop', common)).toMatchObject([{ kind: 'turn-end', text: '' }]);
    expect(kiro.toEvents('Stop', { ...common, assistant_response: 'done' })).toMatchObject([{ text: 'done' }]);
  });

  it('reports nothing without a session', () => {
    expect(kiro.toEvents('UserPromptSubmit', { cwd: '/repo', prompt: 'hi' })).toEqual([]);
    expect(kiro.toQuestion('SessionStart', { cwd: '/repo' })).toBeUndefined();
  });
});
