import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/capture/agents/event.ts';
import { groupTurns, type SessionGroup, type SpooledEvent } from '../../../src/capture/extract/turns.ts';
import { runs } from '../../support/trials.ts';

/** Between commas an event: minutes, turn (`-`: the host numbers none), kind; `s2:` before it means another session. */
function spooled(lines: string): SpooledEvent[] {
  return lines.split(', ').map((line, i) => {
    const [, session = 's1', minutes = '', turn = '-', kind = '', more = ''] =
      /^(?:(s\d):)?(\d+) (\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    const common = { session, cwd: '/repo', ...(turn !== '-' && { turn }) };
    return {
      name: `${String(100 + i)}.1#0000`,
      at: new Date(Date.UTC(2026, 10, 20, 20, Number(minutes))).toISOString(),
      host: 'claude-code',
      root: '/repo',
      event: eventOf(common, kind, more),
    };
  });
}

function eventOf(common: { session: string; cwd: string; turn?: string }, kind: string, more: string): AgentEvent {
  switch (kind) {
    case 'start':
      return { ...common, kind: 'session-start', source: more || 'startup' };
    case 'prompt':
      return { ...common, kind: 'prompt', text: more, from: 'user' };
    case 'machine':
      return { ...common, kind: 'prompt', text: more, from: 'machine' };
    case 'tool':
      return {
        ...common,
        kind: 'tool',
        call: { id: more, tool: 'Bash', action: 'command', paths: [], ok: true, output: '' },
      };
    case 'report':
      return { ...common, kind: 'report', text: more, agent: 'a1' };
    case 'agent-stop':
      return { ...common, kind: 'turn-end', text: more, agent: 'a1' };
    case 'stop':
      return { ...common, kind: 'turn-end', text: more };
    case 'compact':
      return { ...common, kind: 'compaction', summary: more };
    case 'end':
      return { ...common, kind: 'session-end', reason: 'other' };
    default:
      throw new Error(kind);
  }
}

/** A session as text: each turn's kinds, a full stop where it is complete, and `|` at the end of a session. */
function show({ turns, ended }: SessionGroup): string {
  const word = ({ event }: SpooledEvent) => (event.kind === 'turn-end' ? 'stop' : event.kind);
  const shown = turns.map(({ events, complete }) => events.map(word).join(' ') + (complete ? '.' : ''));
  return shown.join(' / ') + (ended ? ' |' : '');
}

const options = { idleBefore: new Date(Date.UTC(2026, 10, 20, 19)).toISOString(), all: false };
const grouped = (lines: string) => groupTurns(spooled(lines), options).map(show);

describe('a turn', () => {
  it.each([
    ['is complete when its end came', '0 t1 prompt, 1 t1 tool, 2 t1 stop', 'prompt tool stop.'],
    ['is not complete while the agent works', '0 t1 prompt, 1 t1 tool', 'prompt tool'],
    ['is not completed by a sub-agent’s end', '0 t1 prompt, 1 t1 agent-stop, 2 t1 report', 'prompt stop report'],
    ['that was interrupted ends when another begins', '0 t1 prompt, 1 t1 tool, 2 t2 prompt', 'prompt tool. / prompt'],
    ['that was interrupted ends with the session', '0 t1 prompt, 1 t1 tool, 2 - end', 'prompt tool. |'],
    ['keeps what comes after its end', '0 t1 prompt, 1 t1 stop, 2 t1 tool, 3 t1 report', 'prompt stop tool report.'],
    [
      'keeps what comes after another began',
      '0 t1 prompt, 1 t1 stop, 2 t2 prompt, 3 t1 tool',
      'prompt stop tool. / prompt',
    ],
    ['of late events alone waits for what follows', '0 t1 tool, 1 t1 report', 'tool report'],
    [
      'of late events alone ends when another begins',
      '0 t1 tool, 1 t1 report, 2 t2 machine, 3 t2 stop',
      'tool report. / prompt stop.',
    ],
    ['can end more than once', '0 t1 prompt, 1 t1 stop, 2 t1 tool, 3 t1 stop', 'prompt stop tool stop.'],
    [
      'ignores starts, compactions and ends',
      '0 - start, 1 t1 prompt, 2 - compact, 3 - start compact, 4 t1 stop',
      'prompt stop.',
    ],
  ])('%s', (_, lines, expected) => expect(grouped(lines)).toEqual([expected]));

  it.each([
    [
      'begins with a prompt',
      '0 - prompt, 1 - tool, 2 - stop, 3 - prompt, 4 - stop',
      'prompt tool stop. / prompt stop.',
    ],
    [
      'begins with a machine’s prompt too',
      '0 - prompt, 1 - stop, 2 - machine, 3 - stop',
      'prompt stop. / prompt stop.',
    ],
    ['begins without a prompt where the first was missed', '0 - tool, 1 - stop', 'tool stop.'],
    ['keeps what comes after its end', '0 - prompt, 1 - stop, 2 - tool, 3 - prompt', 'prompt stop tool. / prompt'],
    ['that was interrupted ends when another begins', '0 - prompt, 1 - tool, 2 - prompt', 'prompt tool. / prompt'],
  ])('of a host that does not number turns %s', (_, lines, expected) => expect(grouped(lines)).toEqual([expected]));

  it('is complete when it has been idle, or when all turns are requested', () => {
    const lines = '0 t1 prompt, 1 t1 tool';
    const idleBefore = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 20, minutes)).toISOString();
    const at = (minutes: number) => ({ idleBefore: idleBefore(minutes), all: false });
    const shown = (given: typeof options) => groupTurns(spooled(lines), given).map(show);
    expect(shown(at(1))).toEqual(['prompt tool']);
    expect(shown(at(2))).toEqual(['prompt tool. |']);
    expect(shown({ ...at(0), all: true })).toEqual(['prompt tool.']);
  });
});

describe('a session', () => {
  it.each([
    ['ended when its end is the last of it', '0 - start, 1 t1 prompt, 2 t1 stop, 3 - end', 'prompt stop. |'],
    ['goes on when it was resumed', '0 t1 prompt, 1 t1 stop, 2 - end, 3 - start resume', 'prompt stop.'],
    ['goes on with the next prompt', '0 t1 prompt, 2 - end, 3 - start resume, 4 t2 prompt', 'prompt. / prompt'],
    ['of boundaries alone has no turns', '0 - start, 1 - end', ' |'],
  ])('%s', (_, lines, expected) => expect(grouped(lines)).toEqual([expected]));

  it('keeps its starts, compactions and ends in order', () => {
    const [session] = groupTurns(spooled('3 - end, 0 - start, 2 - start compact, 1 - compact, 1 t1 prompt'), options);
    expect(session?.boundaries.map(({ event }) => event.kind)).toEqual([
      'session-start',
      'compaction',
      'session-start',
      'session-end',
    ]);
  });

  it('is kept apart from one that runs at the same time, even with the same turn ids', () => {
    const lines = 's1:0 t1 prompt, s2:0 t1 prompt, s1:1 t1 tool, s2:2 t1 stop, s1:3 t2 prompt, s2:4 - end';
    expect(grouped(lines)).toEqual(['prompt tool. / prompt', 'prompt stop. |']);
  });

  it('is idle by its own last event, not by another session’s', () => {
    const idle = { idleBefore: new Date(Date.UTC(2026, 10, 20, 20, 5)).toISOString(), all: false };
    expect(groupTurns(spooled('s1:0 t1 prompt, s2:9 t1 prompt'), idle).map(show)).toEqual(['prompt. |', 'prompt']);
  });
});

describe('the order of events', () => {
  it('is by time and not by arrival', () => {
    expect(grouped('3 t2 prompt, 2 t1 stop, 0 t1 prompt, 1 t1 tool, 4 t2 stop')).toEqual([
      'prompt tool stop. / prompt stop.',
    ]);
  });

  it('follows the turn where a coarse clock gives all events one time, whatever their file names', () => {
    const lines = ['0 - start', '0 t1 prompt', '0 t1 tool', '0 t1 report', '0 t1 stop', '0 - end'];
    const shuffled = fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length });
    fc.assert(
      fc.property(shuffled, (order) => {
        expect(grouped(order.join(', '))).toEqual(['prompt tool report stop. |']);
      }),
      runs(100),
    );
  });

  it('does not depend on the order of the listing, and loses nothing', () => {
    const line = fc
      .tuple(
        fc.constantFrom('s1', 's2'),
        fc.nat(5),
        fc.constantFrom('-', 't1', 't2'),
        fc.constantFrom('start', 'prompt', 'tool', 'stop', 'end', 'compact'),
      )
      .map(([session, minutes, turn, kind]) => `${session}:${minutes} ${turn} ${kind}`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (lines, keys) => {
        const events = lines.length === 0 ? [] : spooled(lines.join(', '));
        const other = events.map((event) => ({ event, key: keys.next().value })).sort((a, b) => a.key - b.key);
        const sorted = (list: SpooledEvent[]) =>
          groupTurns(list, options).sort((a, b) => (a.session < b.session ? -1 : 1));
        expect(sorted(other.map(({ event }) => event))).toEqual(sorted(events));
        const count = groupTurns(events, options).reduce(
          (sum, { turns, boundaries }) => sum + turns.flatMap((turn) => turn.events).length + boundaries.length,
          0,
        );
        expect(count).toBe(events.length);
      }),
      runs(100),
    );
  });
});

it('keeps a turn waiting until it is idle where the clock was set back in the middle of it', () => {
  const lines = '55 - prompt, 56 - tool a, 27 - tool b, 28 - stop, 29 - end';
  const at = (minutes: number) => ({
    idleBefore: new Date(Date.UTC(2026, 10, 20, 20, minutes)).toISOString(),
    all: false,
  });
  expect(groupTurns(spooled(lines), at(0)).map(show)).toEqual(['tool stop. / prompt tool']);
  expect(groupTurns(spooled(lines), { ...at(0), all: true }).map(show)).toEqual(['tool stop. / prompt tool.']);
  expect(groupTurns(spooled(lines), at(57)).map(show)).toEqual(['tool stop. / prompt tool. |']);
});
