import { describe, expect, it } from 'vitest';
import { findAgent, findDecoder } from '../../../src/capture/agents/agents.ts';
import type { AgentEvent } from '../../../src/capture/agents/event.ts';
import { transcript } from '../../../src/capture/agents/transcript.ts';

const COMMON = { session: 's', cwd: '/repo', turn: 't', key: 'k' };
const EVENTS: AgentEvent[] = [
  { ...COMMON, kind: 'session-start', source: 'startup' },
  { ...COMMON, kind: 'prompt', text: 'Why?', from: 'machine' },
  {
    ...COMMON,
    kind: 'tool',
    call: {
      id: 'c',
      tool: 'Edit',
      action: 'edit',
      paths: ['a.ts'],
      ok: false,
      exitCode: 1,
      output: 'no',
      command: 'ls',
      description: 'looks',
      change: { removed: '', added: 'x' },
    },
  },
  { ...COMMON, kind: 'tool', call: { id: 'c', tool: 'x', action: 'other', paths: [], ok: undefined, output: '' } },
  { ...COMMON, agent: 'a', kind: 'report', text: 'Found.' },
  { ...COMMON, kind: 'turn-end', text: 'Done.' },
  { ...COMMON, kind: 'compaction', summary: 'Short.' },
  { ...COMMON, kind: 'session-end', reason: 'exit' },
];

describe('events from logs', () => {
  it.each(EVENTS)('come out of the spool as they went in: $kind', (event) => {
    expect(transcript.toEvents(event.kind, JSON.parse(JSON.stringify(event)))).toEqual([event]);
  });

  it.each([
    ['no session', 'prompt', {}],
    ['an event that is none', 'Stop', { session: 's' }],
  ])('give nothing: %s', (_what, event, payload) => {
    expect(transcript.toEvents(event, payload)).toEqual([]);
  });

  const odds = [{ call: 7 }, { call: { paths: 'x', action: 'rm -rf', ok: 'yes', exitCode: '1' } }, { text: {} }];
  it.each(odds)('never throw: %j', (odd) => {
    for (const { kind } of EVENTS) expect(transcript.toEvents(kind, { session: 's', ...odd })).toHaveLength(1);
  });

  it('belong to no host that a hook could name', () => {
    expect(findAgent('transcript')).toBeUndefined();
    expect(findDecoder('transcript')).toBe(transcript);
  });
});
