import { describe, expect, it } from 'vitest';
import { LOGGED_HOSTS } from '../../../src/capture/agents/agents.ts';
import { createReader } from '../../../src/capture/drain/transcripts/reader.ts';

/** The events that the lines of one log tell of, and those of a last reply that nothing followed. */
function heard(name: string, lines: object[]) {
  const host = LOGGED_HOSTS.find((one) => one.name === name) ?? expect.fail(`${name} keeps no logs.`);
  const reader = createReader(host.sessionLogs);
  const events = lines.flatMap((line) => reader.read(JSON.stringify(line)) ?? []);
  return [...events, ...reader.endTurn()].map(({ event }) => event);
}

describe('the log of Claude Code without stop reasons', () => {
  const at = '2026-11-20T20:00:00.000Z';
  const line = (type: string, content: unknown, more: object = {}) => ({
    type,
    uuid: JSON.stringify(content),
    sessionId: 's1',
    cwd: '/repo',
    timestamp: at,
    message: { role: type, content, stop_reason: null },
    ...more,
  });
  const said = (text: string) => line('assistant', [{ type: 'text', text }]);
  const used = line('assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }]);
  const result = line('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], { toolUseResult: {} });
  const asked = line('user', 'fix it', { promptId: 'p1' });

  it('ends a turn with its last reply', () => {
    const events = heard('claude-code', [asked, said('I look.'), used, result, said('Fixed.')]);
    expect(events.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'turn-end']);
    expect(events.at(-1)).toMatchObject({ text: 'Fixed.' });
  });

  it('does not treat text before a call as the last reply', () => {
    const events = heard('claude-code', [asked, said('I run the tests now.'), used]);
    expect(events.map(({ kind }) => kind)).toEqual(['prompt']);
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
