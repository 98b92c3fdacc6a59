import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../../src/capture/agents/agents.ts';
import { copilot } from '../../../src/capture/agents/copilot.ts';
import { cursor } from '../../../src/capture/agents/cursor.ts';
import { factoryDroid } from '../../../src/capture/agents/factory-droid.ts';
import { kiro } from '../../../src/capture/agents/kiro.ts';
import { isOwnSave } from '../../../src/capture/agents/own-calls.ts';
import { runs } from '../../support/trials.ts';

// Payloads as the vendors' pages have them; none was recorded.

describe('Cursor', () => {
  const common = { conversation_id: 'c', generation_id: 'g', workspace_roots: ['/repo'] };

  it('starts and ends a turn, and keeps its last answer', () => {
    const at = { session: 'c', cwd: '/repo', turn: 'g' };
    expect(cursor.toEvents('beforeSubmitPrompt', { ...common, prompt: 'hi' })).toMatchObject([{ ...at, text: 'hi' }]);
    expect(cursor.toEvents('afterAgentResponse', { ...common, text: 'done' })).toMatchObject([
      { ...at, kind: 'turn-end', text: 'done' },
    ]);
    expect(cursor.toEvents('stop', { ...common, status: 'completed' })).toMatchObject([{ kind: 'turn-end', text: '' }]);
  });

  it('edits files and runs commands, and gives a repeated report the same key', () => {
    const edit = { ...common, file_path: '/repo/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] };
    const [first] = cursor.toEvents('afterFileEdit', edit);
    expect(first).toMatchObject({ kind: 'tool', call: { action: 'edit', change: { removed: 'a', added: 'b' } } });
    expect(cursor.toEvents('afterFileEdit', edit)[0]?.key).toBe(first?.key);
    const run = { ...common, command: 'npm test', output: 'ok' };
    expect(cursor.toEvents('afterShellExecution', run)).toMatchObject([
      { call: { action: 'command', command: 'npm test', ok: undefined, output: 'ok' } },
    ]);
    expect(cursor.toEvents('afterShellExecution', { ...run, output: 'no' })[0]?.key).not.toBe(
      cursor.toEvents('afterShellExecution', run)[0]?.key,
    );
  });

  it.each([
    ['save_observation', '{"content":[{"type":"text","text":"saved"}]}', true],
    ['MCP:git-mem:save_summary', '{"content":[]}', true],
    // A save that was refused leaves the turn to the others.
    ['save_observation', '{"content":[],"isError":true}', false],
    ['search', '{"content":[]}', false],
    // What is about the user leaves the turn to the others too.
    ['save_observation', '{"content":[{"type":"text","text":"Saved personal:k3v9x2qd7m: /home/a"}]}', false],
  ])('calls %s of a server: %s', (tool_name, result_json, isSave) => {
    const payload = { ...common, tool_name, tool_input: '{"title":"x"}', result_json, duration: 12 };
    const [event] = cursor.toEvents('afterMCPExecution', payload);
    if (event?.kind !== 'tool') throw new Error('This is no tool event.');
    expect(isOwnSave(event.call)).toBe(isSave);
    expect(event.call).toMatchObject({ tool: tool_name, action: 'other', output: result_json });
  });

  it('gets memory at session start only', () => {
    expect(cursor.toQuestion('sessionStart', { session_id: 'c' })).toMatchObject({ kind: 'start', session: 'c' });
    expect(cursor.toQuestion('beforeSubmitPrompt', { ...common, prompt: 'hi' })).toBeUndefined();
    expect(cursor.toReply('sessionStart', 'x')).toBe('{"additional_context":"x"}');
  });
});

describe('Copilot', () => {
  const common = { sessionId: 's', timestamp: 1704614400000, cwd: '/repo' };

  it('reports prompts, calls with arguments as JSON or as an object, and ends', () => {
    expect(copilot.toEvents('sessionStart', { ...common, source: 'new' })).toMatchObject([{ source: 'startup' }]);
    expect(copilot.toEvents('userPromptSubmitted', { ...common, prompt: 'hi' })).toMatchObject([
      { kind: 'prompt', session: 's', cwd: '/repo', text: 'hi' },
    ]);
    for (const toolArgs of ['{"command":"npm test"}', { command: 'npm test' }]) {
      const toolResult = { resultType: 'failure', textResultForLlm: 'no' };
      expect(copilot.toEvents('postToolUse', { ...common, toolName: 'bash', toolArgs, toolResult })).toMatchObject([
        { call: { action: 'command', command: 'npm test', ok: false, output: 'no' } },
      ]);
    }
    expect(copilot.toEvents('postToolUse', { ...common, toolName: 'x', toolArgs: 'no json' })).toHaveLength(1);
    expect(copilot.toEvents('agentStop', common)).toMatchObject([{ kind: 'turn-end' }]);
    expect(copilot.toReply('sessionStart', 'x')).toBe('{"additionalContext":"x"}');
  });
});

describe('the agent of VS Code', () => {
  const common = { session_id: 's', timestamp: '2026-02-09T10:30:00.000Z', cwd: '/repo' };

  it('starts a session once, and gets the answer in the form that it reads', () => {
    const start = { ...common, hook_event_name: 'SessionStart', source: 'new' };
    expect(copilot.toEvents('sessionStart', start)).toEqual([]);
    expect(copilot.toQuestion('sessionStart', start)).toBeUndefined();
    expect(copilot.toEvents('SessionStart', start)).toMatchObject([{ kind: 'session-start', source: 'startup' }]);
    expect(copilot.toQuestion('SessionStart', start)).toEqual({ kind: 'start', session: 's', source: 'startup' });
    expect(JSON.parse(copilot.toReply('SessionStart', 'x'))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'x' },
    });
  });

  it('reports prompts, calls of its own tools, and ends of turns', () => {
    const named = { ...common, hookEventName: 'UserPromptSubmit', sessionId: 's' };
    expect(copilot.toEvents('UserPromptSubmit', { ...named, prompt: 'hi' })).toMatchObject([
      { text: 'hi', cwd: '/repo' },
    ]);
    const edit = {
      tool_name: 'replace_string_in_file',
      tool_input: { filePath: '/repo/a', oldString: 'a', newString: 'b' },
    };
    expect(
      copilot.toEvents('postToolUse', { ...common, ...edit, tool_use_id: 't', tool_response: 'done' }),
    ).toMatchObject([
      {
        key: 'tool t',
        call: { action: 'edit', paths: ['/repo/a'], change: { removed: 'a', added: 'b' }, output: 'done' },
      },
    ]);
    const files = { tool_name: 'editFiles', tool_input: { files: ['src/main.ts', 1] } };
    expect(copilot.toEvents('postToolUse', { ...common, ...files })).toMatchObject([
      { call: { paths: ['src/main.ts'] } },
    ]);
    expect(copilot.toEvents('Stop', { ...common, stop_hook_active: false })).toMatchObject([{ kind: 'turn-end' }]);
  });
});

it("Factory Droid uses Claude Code's protocol with other tool names", () => {
  const common = { session_id: 's', cwd: '/repo', tool_use_id: 't' };
  const written = { ...common, tool_name: 'Create', tool_input: { file_path: '/repo/a.ts', content: 'x' } };
  expect(factoryDroid.toEvents('PostToolUse', written)).toMatchObject([{ call: { action: 'write' } }]);
  const run = { ...common, tool_name: 'Execute', tool_input: { command: 'cat a.ts' } };
  expect(factoryDroid.toQuestion('PostToolUse', run)).toMatchObject({ kind: 'read', paths: ['a.ts'] });
  expect(factoryDroid.toQuestion('PostToolUse', written)).toBeUndefined();
});

/** Where hosts name the session. */
const SESSION_KEYS = ['session_id', 'sessionId', 'conversation_id', 'trajectory_id', 'taskId', 'session', 'parent'];

/** What hosts report of a prompt or a call. */
const KEYS = [
  ...['prompt_id', 'prompt', 'tool_name', 'tool_input', 'tool_response', 'tool_calls', 'error', 'agent_type'],
  ...['last_assistant_message', 'output', 'toolArgs', 'toolResult', 'tool_info', 'postToolUse', 'edits', 'timestamp'],
];

describe.each(AGENTS)('$name', (agent) => {
  it('reports nothing that it cannot read, and never throws', () => {
    for (const event of [...agent.events, ...agent.replies, 'Unknown', '']) {
      expect(agent.toEvents(event, {})).toEqual([]);
      expect(agent.toQuestion(event, {})).toBeUndefined();
      for (const odd of [null, 1, [], {}, 'x', [null], { command: 1, sessionID: 's' }, { command: {} }]) {
        const ids = Object.fromEntries(SESSION_KEYS.map((key) => [key, 's']));
        const nested = { tool_info: odd, postToolUse: odd, userPromptSubmit: odd, taskComplete: odd, timestamp: odd };
        const rest = { cwd: odd, prompt: odd, tool_name: odd, tool_input: odd, tool_response: odd, input: odd };
        const payload = {
          ...ids,
          ...rest,
          output: odd,
          toolArgs: odd,
          toolResult: odd,
          edits: odd,
          text: odd,
          turn_id: odd,
          ...nested,
        };
        expect(() => agent.toEvents(event, payload)).not.toThrow();
        expect(() => agent.toQuestion(event, payload)).not.toThrow();
      }
    }
  });

  it('reads a payload of any shape, and names no other session', () => {
    const payload = fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string()), fc.jsonValue());
    let read = 0;
    fc.assert(
      fc.property(fc.constantFrom(...agent.events, 'Nonsense'), payload, (event, given) => {
        const named = (id: unknown) => ({ ...given, ...Object.fromEntries(SESSION_KEYS.map((key) => [key, id])) });
        const events = agent.toEvents(event, named('s'));
        for (const one of events) expect(one.session).toBe('s');
        expect(agent.toEvents(event, named(7))).toEqual([]);
        read += events.length;
      }),
      runs(500),
    );
    // A host whose session has a key of its own belongs into `SESSION_KEYS`, else nothing above was tried.
    expect(read).toBeGreaterThan(0);
  });

  it('wakes only at events that it keeps, and answers with one JSON object, or for Kiro with plain text', () => {
    for (const event of agent.wakes) expect(agent.events).toContain(event);
    for (const event of agent.replies) {
      const reply = agent.toReply(event, '"}\n');
      if (agent === kiro) expect(reply).toBe('"}\n');
      else expect(JSON.parse(reply)).toEqual(expect.any(Object));
    }
  });
});
