import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../../../src/capture/agents/agents.ts';
import { claudeCode } from '../../../src/capture/agents/claude-code.ts';
import { callOf, eventsOf, PAYLOADS, payloadOf } from '../../support/payloads.ts';

const VERSIONS = ['claude-2.1.197', 'claude-2.1.329'];
const SESSION = '65939976-74e7-49bb-921b-c8315e7665e8';
const TURN = '008514b9-9a8b-4886-9b91-f61c597732d2';

describe('every recorded payload', () => {
  const folders = readdirSync(PAYLOADS).filter((name) => name.startsWith('claude-'));
  const files = folders.flatMap((folder) =>
    readdirSync(`${PAYLOADS}/${folder}`).map((name) => `${folder}/${name.replace('.json', '')}`),
  );

  it.each(files)('%s is of an event that is kept or answered, and names its session', (file) => {
    const payload = payloadOf(file);
    expect([...claudeCode.events, ...claudeCode.replies]).toContain(payload.hook_event_name);
    for (const event of eventsOf(file)) {
      expect(event).toMatchObject({ session: payload.session_id, cwd: '/repo' });
      expect(event.turn).toBe(payload.prompt_id);
    }
  });
});

describe.each(VERSIONS)('%s', (version) => {
  it('starts a turn with what the user typed', () => {
    expect(eventsOf(`${version}/UserPromptSubmit`)).toMatchObject([
      { kind: 'prompt', from: 'user', text: 'Please update auth. PROMPT-MARK' },
    ]);
  });

  it('ends it with the agent’s last message', () => {
    expect(eventsOf(`${version}/Stop`)).toMatchObject([{ kind: 'turn-end', text: 'All done. FINAL-MARK' }]);
  });

  const auth = { paths: ['/repo/src/auth.ts'], ok: true };
  const written = { paths: ['/repo/src/new.ts'], ok: true, output: '' };
  const run = { action: 'command', command: 'echo hello && git status --short', description: 'echo', paths: [] };
  it.each([
    ['Use-Read', { ...auth, id: 'toolu_stub000001', tool: 'Read', action: 'read', output: 'export const a = 1;\n' }],
    ['Use-Edit', { ...auth, tool: 'Edit', action: 'edit', output: '', change: { removed: 'a = 1', added: 'a = 2' } }],
    ['Use-Write', { ...written, action: 'write', change: { removed: '', added: 'export const b = 1;\n' } }],
    ['Use-Bash', { ...run, ok: true, output: 'hello\n M src/auth.ts\n?? src/new.ts' }],
    ['UseFailure-Bash', { ok: false, exitCode: 3, output: 'Exit code 3\noops' }],
  ])('makes calls: PostTool%s', (name, expected) => {
    expect(callOf(`${version}/PostTool${name}`)).toMatchObject(expected);
  });

  it('reports a call again in a batch, under the same key and without its outcome', () => {
    const [single] = eventsOf(`${version}/PostToolUse-Read`);
    const batch = eventsOf(`${version}/PostToolBatch`);
    expect(batch.map(({ key }) => key)).toEqual([single?.key]);
    expect(batch[0]).toMatchObject({ kind: 'tool', call: { ok: undefined, paths: ['/repo/src/auth.ts'] } });
  });

  it('starts and ends a session', () => {
    expect(eventsOf(`${version}/SessionStart-startup`)).toMatchObject([{ kind: 'session-start', source: 'startup' }]);
    expect(eventsOf(`${version}/SessionEnd-other`)).toMatchObject([{ kind: 'session-end', reason: 'other' }]);
  });
});

describe('claude 2.1.329', () => {
  it.each([
    ['SessionStart-resume', { kind: 'session-start', source: 'resume' }],
    ['SessionStart-compact', { kind: 'session-start', source: 'compact' }],
    [
      'PostCompact-manual',
      { kind: 'compaction', summary: '<analysis>x</analysis><summary>SUMMARY-MARK user asked things</summary>' },
    ],
    [
      '../claude-2.1.329-interactive/SessionEnd-prompt_input_exit',
      { kind: 'session-end', reason: 'prompt_input_exit' },
    ],
    ['../claude-2.1.329-interactive/SessionStart-startup', { kind: 'session-start', source: 'startup' }],
    ['../claude-2.1.329-interactive/UserPromptSubmit', { kind: 'prompt', from: 'user', text: 'hello PROMPT-MARK' }],
  ])('reports %s', (file, expected) => expect(eventsOf(`claude-2.1.329/${file}`)).toMatchObject([expected]));

  const reportedLater = ['PreToolUse-Bash', 'SubagentStart', 'PreCompact-manual'];
  it.each(reportedLater)('records nothing for %s, because a later event reports it', (file) => {
    expect(eventsOf(`claude-2.1.329/${file}`)).toEqual([]);
  });

  it('starts a sub-agent in the background, without its prompt as output', () => {
    expect(callOf('claude-2.1.329/PostToolUse-Agent')).toMatchObject({
      action: 'agent',
      output: '',
      description: 'look',
    });
  });

  it('keeps the report of a sub-agent, but not of the client’s own compaction', () => {
    expect(eventsOf('claude-2.1.329/SubagentStop')).toEqual([]);
    const [report] = eventsOf('claude-2.1.329/SubagentStop', {
      agent_type: 'Explore',
      last_assistant_message: 'Found it.',
    });
    expect(report).toMatchObject({ kind: 'report', text: 'Found it.', agent: 'a14daefca50738082' });
    expect(eventsOf('claude-2.1.329/SubagentStop', { agent_type: 'Explore', last_assistant_message: '' })).toEqual([]);
  });

  it('calls an MCP tool, whose answer is a text or a list of parts', () => {
    const file = 'claude-2.1.329/PostToolUse-mcp__git-mem__memory_search';
    expect(callOf(file)).toMatchObject({ action: 'other', output: '{"hits":1}', ok: true });
    const parts = [
      { type: 'text', text: 'RESULT-MARK' },
      { type: 'image', data: 'x' },
      null,
      { type: 'text', text: 'more' },
    ];
    expect(callOf(file, { tool_response: parts }).output).toBe('RESULT-MARK\n\nmore');
    expect(callOf(file, { tool_response: { content: parts } }).output).toBe('RESULT-MARK\n\nmore');
  });

  it('fails to read a file', () => {
    expect(callOf('claude-2.1.329/PostToolUseFailure-Read')).toMatchObject({
      ok: false,
      paths: ['/repo/missing.ts'],
      output: 'File does not exist. Note: your current working directory is /repo.',
    });
    expect(callOf('claude-2.1.329/PostToolUseFailure-Read')).not.toHaveProperty('exitCode');
  });
});

it('a reply is the client’s exact JSON', () => {
  expect(claudeCode.toReply('SessionStart', 'a "b"\n')).toBe(
    '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a \\"b\\"\\n"}}',
  );
});

describe('the hosts', () => {
  it('are found by their names, and no other names are', () => {
    expect(findAgent('claude-code')).toBe(claudeCode);
    for (const name of ['', 'Claude-Code', '__proto__', 'codex ']) expect(findAgent(name)).toBeUndefined();
    expect(new Set(AGENTS.map(({ name }) => name)).size).toBe(AGENTS.length);
    for (const { events, wakes } of AGENTS) expect(events).toEqual(expect.arrayContaining([...wakes]));
  });

  it('give the ids that identify sessions and turns', () => {
    expect(eventsOf('claude-2.1.329/Stop')[0]).toMatchObject({ session: SESSION, turn: TURN });
  });
});
