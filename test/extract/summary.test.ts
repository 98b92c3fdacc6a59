import { describe, expect, it } from 'vitest';
import type { TurnDigest } from '../../src/extract/extractor.ts';
import { summarise } from '../../src/extract/summary.ts';

function digested(parts: Partial<TurnDigest>, promptNumber = 1) {
  const empty: TurnDigest = { request: '', investigated: [], learned: [], completed: [], next_steps: [], notes: [] };
  return { digest: { ...empty, ...parts }, promptNumber, files_read: [], files_modified: [] };
}

describe('summarise', () => {
  it('fills all six sections, the empty ones with a word', () => {
    const summary = summarise([digested({ request: 'Fix the parser.', learned: ['The loop ended early.'] })]);
    expect(summary).toEqual({
      title: 'Fix the parser',
      request: 'Fix the parser.',
      investigated: 'None.',
      learned: 'The loop ended early.',
      completed: 'None.',
      next_steps: 'None.',
      notes: 'None.',
    });
  });

  it('lists several entries once each', () => {
    const summary = summarise([
      digested({ investigated: ['Read `a.ts`.', 'Ran `npm test`.'] }),
      digested({ investigated: ['Read `a.ts`.'] }, 2),
    ]);
    expect(summary.investigated).toBe('- Read `a.ts`.\n- Ran `npm test`.');
  });

  it('forgets a question that the next prompt answered', () => {
    const summary = summarise([
      digested({ next_steps: ['To be decided: go with the outbox.'] }),
      digested({ next_steps: ['Recommended: chunk the scan.'] }, 2),
    ]);
    expect(summary.next_steps).toBe('Recommended: chunk the scan.');
  });

  it('leaves out what a later turn took back', () => {
    const summary = summarise([
      digested({ completed: ['The leeway is also applied to `exp`.', 'Moved the checks into `claims.ts`.'] }),
      digested(
        { request: 'Exp must stay strict.', completed: ['`exp` is strict again, the leeway covers only `nbf`.'] },
        2,
      ),
    ]);
    expect(summary.completed).not.toContain('also applied');
    expect(summary.completed).toContain('Moved the checks');
  });

  it('says so when a session asked for nothing', () => {
    expect(summarise([]).title).toBe('Session without a stated request');
  });
});
