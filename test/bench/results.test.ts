import { describe, expect, it } from 'vitest';
import { renderPage } from './page.ts';
import { type Result, whyNotStored } from './results.ts';

const figure = { promise: 'a session start, ms', bound: '<= 20', value: '17', holds: true };
const run = (more: Partial<Result> = {}): Result => {
  return { date: '2026-11-26', machine: 'two cores', busy: false, figures: [figure], ...more };
};

describe('a run of a benchmark', () => {
  it('takes the place of an older one, also with a worse figure', () => {
    const missed = run({ figures: [{ ...figure, value: '25', holds: false }] });
    expect(whyNotStored(missed, undefined, {})).toBeUndefined();
    expect(whyNotStored(missed, run(), {})).toBeUndefined();
  });

  it('on a busy machine leaves one of an idle machine alone', () => {
    expect(whyNotStored(run({ busy: true }), run(), {})).toContain('the machine was busy');
    expect(whyNotStored(run({ busy: true }), run({ busy: true }), {})).toBeUndefined();
  });

  it('that was left out, in part or whole, or made another one, is not stored', () => {
    expect(whyNotStored(run(), run({ figures: [figure, figure] }), {})).toContain('1 figures');
    expect(whyNotStored(run({ figures: [] }), undefined, {})).toBe('it was left out');
    expect(whyNotStored(run(), undefined, { GIT_MEM_LOAD: '8x100' })).toContain('GIT_MEM_LOAD may have changed it');
  });
});

describe('the page', () => {
  it('shows what misses its bound in bold, which run was busy, and what was never stored', () => {
    const stored: Record<string, Result> = {
      hooks: run({ busy: true, figures: [{ ...figure, value: '25', holds: false, note: '15 rounds' }] }),
    };
    expect(renderPage('{{figures of hooks mcp}}\n\n{{runs}}\n', (name) => stored[name])).toBe(
      [
        '| a session start, ms | ≤ 20 | **25** (15 rounds) | hooks, busy |\n',
        '| hooks | 2026-11-26 | two cores | busy |',
        '| mcp | not stored yet | | |\n',
      ].join('\n'),
    );
  });
});
