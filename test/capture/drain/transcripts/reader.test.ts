import { describe, expect, it } from 'vitest';
import { LOGGED_HOSTS } from '../../../../src/capture/agents/agents.ts';
import { createReader } from '../../../../src/capture/drain/transcripts/reader.ts';

/** The events that the lines of one log tell of, and those of a last reply that nothing followed. */
function heard(name: string, lines: object[]) {
  const host = LOGGED_HOSTS.find((one) => one.name === name) ?? expect.fail(`${name} keeps no logs.`);
  const reader = createReader(host.sessionLogs);
  const events = lines.flatMap((line) => reader.read(JSON.stringify(line)) ?? []);
  return [...events, ...reader.endTurn()].map(({ event }) => event);
}

describe('the log of Claude Code without stop reasons', () => {
  const line = (type: string, content: unknown, more: object = {}) => ({
    type,
    uuid: JSON.stringify(content),
    sessionId: 's1',
    cwd: '/repo',
    timestamp: '2026-11-20T20:00:00.000Z',
    message: { role: type, content, stop_reason: null },
    ...more,
  });
  const said = (text: string) => line('assistant', [{ type: 'text', text }]);
  const asked = line('user', 'fix it', { promptId: 'p1' });
  const system = (subtype: string) => ({ ...line('system', ''), subtype });
  /** The events without those of a last reply that nothing followed. */
  const ended = (...lines: object[]) => heard('claude-code', [...lines, said('I look.')]).slice(0, -1);

  const used = line('assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }]);
  const result = line('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], { toolUseResult: {} });

  it('ends a turn with its last reply', () => {
    const events = heard('claude-code', [asked, said('I look.'), used, result, said('Fixed.')]);
    expect(events.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'turn-end']);
    expect(events.at(-1)).toMatchObject({ text: 'Fixed.' });
  });

  it('does not treat text before a call as the last reply', () => {
    const events = heard('claude-code', [asked, said('I run the tests now.'), used]);
    expect(events.map(({ kind }) => kind)).toEqual(['prompt']);
  });

  it.each(['turn_duration', 'stop_hook_summary'])('ends a turn with its last reply at %s', (subtype) => {
    expect(ended(asked, said('Fixed.'), system(subtype)).at(-1)).toMatchObject({ kind: 'turn-end', text: 'Fixed.' });
  });

  it('tells of an answer that it was given once more after a hook let the agent go on', () => {
    const feedback = { ...system('stop_hook_summary'), hookErrors: ['Review it.'] };
    const again = { kind: 'turn-end', text: 'I reviewed it.', isAgain: true };
    expect(heard('claude-code', [asked, said('Fixed.'), feedback, said('I reviewed it.')]).slice(1)).toMatchObject([
      { kind: 'turn-end', text: 'Fixed.' },
      again,
    ]);
  });

  it('has no answer where the user interrupted it', () => {
    const stopped = line('user', [{ type: 'text', text: '[Request interrupted by user]' }]);
    expect(heard('claude-code', [asked, said('I look.'), stopped]).map(({ kind }) => kind)).toEqual(['prompt']);
  });

  it('reports what was said before a question that nobody answered', () => {
    const said = line('assistant', [{ type: 'text', text: 'No, the parser drops the first key.' }]);
    const question = line('assistant', [{ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: {} }]);
    expect(heard('claude-code', [asked, said, question]).at(-1)).toMatchObject({
      kind: 'report',
      text: 'No, the parser drops the first key.',
    });
  });

  it('reports a plan that nobody accepted yet', () => {
    const input = { plan: '# Plan: Keep the first key\n\nThe parser drops it.' };
    const planned = line('assistant', [{ type: 'tool_use', id: 't1', name: 'ExitPlanMode', input }]);
    expect(heard('claude-code', [asked, planned]).at(-1)).toMatchObject({
      kind: 'report',
      text: 'Plan: Keep the first key.\n\nThe parser drops it.',
    });
  });
});

describe('the rollout of a Codex session', () => {
  const line = (type: string, payload: object) => ({ timestamp: '2026-11-20T20:00:00.000Z', type, payload });
  const begun = line('session_meta', { id: 's1', cwd: '/repo' });
  const call = (call_id: string, name: string, given: object) => [
    line('response_item', { type: 'function_call', call_id, name, arguments: JSON.stringify(given) }),
  ];
  const output = (call_id: string, text: string) =>
    line('response_item', { type: 'function_call_output', call_id, output: text });
  const calls = (...lines: object[]) =>
    heard('codex', [begun, ...lines]).map((event) => (event.kind === 'tool' ? event.call : event.kind));

  it('knows how a command ended that was waited for, and which one nobody waited for', () => {
    expect(
      calls(
        ...call('c1', 'exec_command', { cmd: 'npm test' }),
        output('c1', 'Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n1 of 2'),
        ...call('c2', 'exec_command', { cmd: 'npm run lint' }),
        output('c2', 'Process running with session ID 8\nOutput:\n'),
        ...call('c3', 'write_stdin', { session_id: 7, chars: '' }),
        output('c3', 'Wall time: 1.0 seconds\nProcess exited with code 1\nOutput:\nExit code: 0'),
        line('event_msg', { type: 'task_complete', last_agent_message: 'One fails.' }),
      ),
    ).toMatchObject([
      { id: 'c1', command: 'npm test', ok: undefined },
      { id: 'c2', command: 'npm run lint', ok: undefined },
      { id: 'c1', command: 'npm test', ok: false, exitCode: 1, output: expect.stringContaining('1 of 2') },
      'turn-end',
    ]);
  });

  it('does not take a refused call, or what was said before the user stopped it, for done', () => {
    const patch = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch';
    expect(
      calls(
        ...call('c1', 'exec_command', { cmd: 'npm test' }),
        output('c1', 'exec_command failed: rejected by user'),
        line('response_item', { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: patch }),
        line('response_item', { type: 'custom_tool_call_output', call_id: 'c2', output: 'patch rejected by user' }),
        line('event_msg', { type: 'agent_message', message: 'I delete it another way.' }),
        line('event_msg', { type: 'turn_aborted' }),
      ),
    ).toMatchObject([
      { id: 'c1', ok: false },
      { id: 'c2', action: 'delete', ok: false },
    ]);
  });
});

describe('the rollout of a forked Codex session', () => {
  const [parent, fork] = ['019e27f2-b7de-71c3-a0f9-70d6539231ba', '019e2900-0000-71c3-a0f9-70d6539231bb'];
  const [before, after] = ['019e27f3-04cf-78e2-a50a-e46000000001', '019e2900-8888-78e2-a50a-e46000000002'];
  const at = '2026-11-20T20:00:00.000Z';
  const meta = (id: string, from?: string) => ({
    timestamp: at,
    type: 'session_meta',
    payload: { id, cwd: '/repo', ...(from && { forked_from_id: from }) },
  });
  const event = (payload: object) => ({ timestamp: at, type: 'event_msg', payload });
  const turn = (turn_id: string, message: string) => [
    event({ type: 'task_started', turn_id }),
    event({ type: 'user_message', message }),
    event({ type: 'task_complete', turn_id, last_agent_message: `Done: ${message}` }),
  ];

  it('reports only what the fork did itself, under its own id', () => {
    const lines = [
      meta(fork, parent),
      meta(parent),
      ...turn(before, 'mend the parser'),
      ...turn(after, 'mend the lexer'),
    ];
    const events = heard('codex', lines);
    expect(events.map(({ kind, session }) => [kind, session])).toEqual([
      ['prompt', fork],
      ['turn-end', fork],
    ]);
    expect(events[0]).toMatchObject({ text: 'mend the lexer' });
  });

  it('is read whole if it is not a fork', () => {
    const events = heard('codex', [meta(parent), ...turn(before, 'mend the parser')]);
    expect(events.map(({ kind, session }) => [kind, session])).toEqual([
      ['prompt', parent],
      ['turn-end', parent],
    ]);
  });
});
