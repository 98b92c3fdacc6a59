import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kimiCode } from '../../../src/capture/agents/kimi-code.ts';
import { callOf, eventsOf, PAYLOADS, payloadOf } from '../../support/payloads.ts';

const KIMI = 'kimi-2.1.0';

it('reads what Kimi Code reports with keys of its own', () => {
  const session = payloadOf(`${KIMI}/Stop`).session_id;
  const names = ['SessionStart-resume', 'UserPromptSubmit', 'SubagentStop', 'Stop', 'SessionEnd'];
  expect(names.flatMap((name) => eventsOf(`${KIMI}/${name}`))).toMatchObject([
    { session, cwd: '/repo', kind: 'session-start', source: 'resume' },
    { session, cwd: '/repo', kind: 'prompt', text: expect.stringContaining('quokka'), from: 'user' },
    { session, cwd: '/repo', kind: 'report', text: 'Nobody else uses the limits.' },
    { session, cwd: '/repo', kind: 'turn-end', text: '' },
    { session, cwd: '/repo', kind: 'session-end', reason: 'exit' },
  ]);
});

it.each([
  ['PostToolUse-Read', { action: 'read', paths: ['src/rate.mjs'], ok: true, output: expect.stringContaining('used') }],
  ['PostToolUse-Edit', { action: 'edit', change: { removed: 'perMinute = 1', added: 'perMinute = 30' }, ok: true }],
  ['PostToolUse-Write', { action: 'write', paths: ['test/burst.test.mjs'], ok: true }],
  ['PostToolUse-Bash', { action: 'command', command: 'node --test', ok: true }],
  ['PostToolUseFailure-Bash', { action: 'command', command: 'node --test', ok: false, exitCode: 1 }],
  ['PostToolUse-Agent', { action: 'agent', output: expect.stringContaining('Nobody else uses the limits.') }],
  ['PostToolUse-mcp__git-mem__search', { action: 'other', tool: 'mcp__git-mem__search' }],
])('%s', (name, expected) => {
  const payload = payloadOf(`${KIMI}/${name}`);
  expect(callOf(`${KIMI}/${name}`)).toMatchObject({ id: payload.tool_call_id, ...expected });
});

it('knows a page that was fetched', () => {
  const fetched = { tool_name: 'FetchURL', tool_input: { url: 'https://example.com' } };
  expect(callOf(`${KIMI}/PostToolUse-Read`, fetched)).toMatchObject({ action: 'fetch' });
});

it('asks at a start, at a prompt, and again after a compaction, which drops what was told', () => {
  const ask = (name: string) => kimiCode.toQuestion(name.split('-')[0] ?? '', payloadOf(`${KIMI}/${name}`));
  expect(ask('SessionStart-startup')).toMatchObject({ kind: 'start', source: 'startup' });
  expect(ask('UserPromptSubmit')).toMatchObject({ kind: 'prompt', text: expect.stringContaining('quokka') });
  expect(ask('PostCompact')).toMatchObject({ kind: 'start', source: 'compact' });
});

it('says a text to the model, and nothing else', () => {
  expect(kimiCode.toReply('UserPromptSubmit', 'known')).toBe('{"message":"known"}');
  expect(kimiCode.toReply('SessionStart', '', { notice: 'git-mem: 1 record injected.' })).toBe('');
});

const LOG = readFileSync(`${PAYLOADS}/${KIMI}/log.jsonl`, 'utf8').trim().split('\n');
const LINES: Record<string, unknown>[] = LOG.map((line) => JSON.parse(line));

/** What a Stop that came at a time (milliseconds since 1970) ends. */
function endedAt(atMs: number, lines = LINES) {
  const payload = payloadOf(`${KIMI}/Stop`);
  const events = kimiCode.toEvents('Stop', payload);
  return kimiCode.log?.complete(events, payload, lines, new Date(atMs).toISOString());
}

/** When the sub-agent of the recorded session stopped, and when the session itself did. */
const [INSIDE, OWN] = [1796052386486, 1796052387174];

it('finds the answer in the log, also when a later turn is over by now', () => {
  const later = { type: 'context.append_loop_event', time: OWN + 60_000 };
  const step = { type: 'step.end', uuid: 'later', finishReason: 'end_turn' };
  const ended = endedAt(OWN, [...LINES, { ...later, event: step }]);
  const text = expect.stringMatching(/^Fixed\. .* thirty requests a minute\. All tests pass\.$/);
  expect(ended).toMatchObject([{ event: { kind: 'turn-end', text, key: expect.stringMatching(/^Stop ./) } }]);
  // A sub-agent in the background stops after the answer: the turn ended once.
  expect(endedAt(OWN + 5000)).toEqual(ended);
});

it('ends no turn when a sub-agent stops within it', () => {
  expect(endedAt(INSIDE)).toEqual([]);
});

it('ends a turn without an answer where the log is gone', () => {
  expect(endedAt(OWN, [])).toMatchObject([{ event: { kind: 'turn-end', text: '' } }]);
});
