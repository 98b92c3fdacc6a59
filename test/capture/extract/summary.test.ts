import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../../src/capture/extract/extractor.ts';
import { summarise } from '../../../src/capture/extract/summary.ts';

function summary(parts: Partial<SessionSummary>): SessionSummary {
  return { request: '', investigated: [], learned: [], completed: [], next_steps: [], notes: [], ...parts };
}

const numbered = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what} ${n + 1}.`);

describe('summarise', () => {
  it('fills all six sections, the empty ones with a placeholder word', () => {
    expect(summarise(summary({ request: 'Fix the parser.', learned: ['The loop ended early.'] }), [])).toEqual({
      title: 'Fix the parser',
      request: 'Fix the parser.',
      investigated: 'None.',
      learned: 'The loop ended early.',
      completed: 'None.',
      next_steps: 'None.',
      notes: 'None.',
    });
  });

  it('lists repeated entries once', () => {
    const { completed } = summarise(summary({ completed: ['Did a.', 'Did b.', 'Did a.'] }), []);
    expect(completed).toBe('- Did a.\n- Did b.');
  });

  it('has at most twelve lines: first what is open, then the newest of the rest', () => {
    const long = summary({
      request: 'Do all of it.',
      next_steps: numbered('Open', 2),
      completed: numbered('Done', 20),
      learned: numbered('Learned', 5),
    });
    const sections = summarise(long, []);
    expect(sections.next_steps).toBe('- Open 1.\n- Open 2.');
    expect(sections.completed).toContain('Done 20.');
    expect(sections.completed).not.toContain('Done 11.');
    expect(sections.learned).toBe('None.');
    const lines = Object.entries(sections).flatMap(([key, text]) =>
      key === 'title' || text === 'None.' ? [] : text.split('\n'),
    );
    expect(lines).toHaveLength(12);
  });

  it('has the outcome of the session as its title, never a question or a mere yes', () => {
    expect(summarise(summary({ request: 'Why does it fail?' }), ['The cache key lacked the locale']).title).toBe(
      'The cache key lacked the locale',
    );
    expect(summarise(summary({ request: 'Shall I commit this?', completed: ['Committed "Fix it"'] }), []).title).toBe(
      'Committed "Fix it"',
    );
    expect(summarise(summary({ request: 'yes' }), []).title).toBe('Session without a stated request');
  });
});
