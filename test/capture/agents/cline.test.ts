import { describe, expect, it } from 'vitest';
import { cline } from '../../../src/capture/agents/cline.ts';

// Payloads as the vendor's pages have them; none was recorded.

describe('Cline', () => {
  const common = {
    clineVersion: '3.36.0',
    timestamp: '1767225600000',
    taskId: 's',
    workspaceRoots: ['/repo'],
    userId: 'u',
  };
  const call = (toolName: string, parameters: object) =>
    cline.toEvents('PostToolUse', { ...common, postToolUse: { toolName, parameters, result: 'ok', success: true } });

  it('has tasks for sessions, which get memory at their start and at a prompt', () => {
    const taskMetadata = { taskId: 's', ulid: 'u', initialTask: 'hi' };
    expect(cline.toEvents('TaskStart', { ...common, taskStart: { taskMetadata } })).toMatchObject([
      { kind: 'session-start', session: 's', cwd: '/repo', source: 'startup' },
    ]);
    expect(cline.toQuestion('TaskResume', common)).toEqual({ kind: 'start', session: 's', source: 'resume' });
    const prompt = { ...common, userPromptSubmit: { prompt: 'hi', attachments: [] } };
    const within = { ...common, userPromptSubmit: { prompt: '<user_input mode="act">hi</user_input>' } };
    expect(cline.toEvents('UserPromptSubmit', within)).toMatchObject([{ text: 'hi' }]);
    expect(cline.toEvents('UserPromptSubmit', prompt)).toMatchObject([{ kind: 'prompt', text: 'hi' }]);
    expect(cline.toQuestion('UserPromptSubmit', prompt)).toMatchObject({ kind: 'prompt', text: 'hi' });
    expect(cline.toReply('TaskStart', 'x')).toBe('{"cancel":false,"contextModification":"x"}');
  });

  it('reports calls, and a task’s result', () => {
    expect(call('execute_command', { command: 'npm test' })).toMatchObject([
      { call: { action: 'command', command: 'npm test', ok: true, output: 'ok' } },
    ]);
    expect(call('write_to_file', { path: 'a.ts', content: 'x' })).toMatchObject([
      { call: { action: 'write', paths: ['a.ts'], change: { removed: '', added: 'x' } } },
    ]);
    const diff = '------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n';
    expect(call('replace_in_file', { path: 'a.ts', diff })).toMatchObject([
      { call: { change: { removed: 'old\n', added: 'new\n' } } },
    ]);
    expect(call('replace_in_file', { path: 'a.ts', diff: '@@' })).toMatchObject([
      { call: { change: { added: '@@' } } },
    ]);
    const taskMetadata = { taskId: 's', ulid: 'u', result: 'done' };
    expect(cline.toEvents('TaskComplete', { ...common, taskComplete: { taskMetadata } })).toMatchObject([
      { kind: 'turn-end', text: 'done' },
    ]);
    expect(cline.toEvents('TaskCancel', common)).toMatchObject([{ kind: 'turn-end', text: '' }]);
  });
});
