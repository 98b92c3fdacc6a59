import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/capture/agents/event.ts';
import { isLate, joinLate } from '../../../src/capture/drain/waiting-events.ts';
import type { TurnGroup } from '../../../src/capture/extract/turns.ts';
import { callOf } from '../../support/turns.ts';

const isWritten = (turn: string) => turn === 'written';

describe('events that arrive after their turn was written', () => {
  it('join the following turn, in their order, however many turns they came from', () => {
    const groups = [
      group('written', 'tool'),
      group('written', 'report'),
      group('new', 'prompt', 'turn-end'),
      group('newer', 'prompt'),
    ];
    const joined = joinLate(groups, isWritten, false);
    expect(joined.map(({ turn, events }) => [turn, events.map(({ event }) => event.kind)])).toEqual([
      ['new', ['tool', 'report', 'prompt', 'turn-end']],
      ['newer', ['prompt']],
    ]);
    expect(groups[2]?.events).toHaveLength(2);
  });

  it('stay on their own where no turn follows', () => {
    const groups = [group('new', 'prompt'), group('written', 'tool')];
    expect(joinLate(groups, isWritten, false)).toEqual(groups);
  });

  it('are not those of a turn with a prompt or an answer, of an unwritten turn, or of a turn without an id', () => {
    expect(isLate(group('written', 'tool', 'report'), isWritten)).toBe(true);
    expect(isLate(group('written', 'tool', 'turn-end'), isWritten)).toBe(false);
    expect(isLate(group('written', 'prompt'), isWritten)).toBe(false);
    expect(isLate(group('new', 'tool'), isWritten)).toBe(false);
    expect(isLate(group(undefined, 'tool'), isWritten)).toBe(false);
  });
});

function group(turn: string | undefined, ...kinds: ('prompt' | 'tool' | 'report' | 'turn-end')[]): TurnGroup {
  const common = { session: 's', cwd: '/repo', ...(turn && { turn }) };
  const events = kinds.map((kind): AgentEvent => {
    if (kind === 'tool') return { ...common, kind, call: callOf({}) };
    return kind === 'prompt' ? { ...common, kind, text: 'x', from: 'user' } : { ...common, kind, text: 'x' };
  });
  return {
    session: 's',
    turn,
    complete: true,
    events: events.map((event, i) => ({
      name: `${turn} ${i}`,
      at: '2026-11-20T20:00:00Z',
      host: 'claude-code',
      root: '/repo',
      event,
    })),
  };
}
