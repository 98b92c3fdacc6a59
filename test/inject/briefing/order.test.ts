import { describe, expect, it } from 'vitest';
import { brief } from '../../../src/inject/briefing/briefing.ts';
import type { Candidate } from '../../../src/inject/briefing/briefing-lines.ts';
import { byWorth } from '../../../src/inject/briefing/briefing-lines.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { linesOf, observation, observations, options, SESSION, state, summary } from './made-candidates.ts';

describe('the order of a briefing', () => {
  const titles = (text: string) => linesOf(text).map((line) => line.replace(/^\S+ \S+ \w+: (.*?)(?: \[.*)?$/, '$1'));
  const ranked = (all: Candidate<Observation>[]) => byWorth(all).map(({ record }) => record.title);

  it('ranks by author, then by type, evidence, review and time', () => {
    const all = [
      observation({ title: 'By bootstrap', type: 'decision', extractor: 'bootstrap' }),
      observation({ title: 'By a model', type: 'decision', extractor: 'anthropic/claude-haiku-4-5' }),
      observation({ title: 'By the agent, a change', type: 'change', extractor: 'agent' }),
      observation({ title: 'By the agent, a bug', type: 'bugfix', extractor: 'agent' }),
      observation({ title: 'By the agent, a decision', type: 'decision', extractor: 'agent' }),
      observation({ title: 'By a person, a change', type: 'change' }),
      observation({ title: 'Found, newest' }),
      observation({ title: 'Found, edited since' }, { freshness: 'touched' }),
      observation({ title: 'Found, older', at: '2026-11-01T00:00:00Z' }),
      observation({ title: 'Found, reviewed', at: '2026-10-01T00:00:00Z' }, { trust: 'reviewed' }),
      observation({ title: 'Found, with work', at: '2026-09-01T00:00:00Z', files_modified: ['src/a.ts'] }),
    ];
    expect(ranked(all)).toEqual([
      ...['Found, with work', 'Found, reviewed', 'Found, newest', 'Found, older', 'Found, edited since'],
      ...['By a person, a change', 'By the agent, a decision', 'By the agent, a bug', 'By the agent, a change'],
      ...['By a model', 'By bootstrap'],
    ]);
  });

  it('tells a first session how to build, test and lint before what else bootstrap quoted', () => {
    const quoted = ['revert', 'convention', 'release', 'lint', 'test', 'build'].map((concept, i) =>
      observation({ title: concept, at: `2026-11-${10 + i}T00:00:00Z`, concepts: [concept], extractor: 'bootstrap' }),
    );
    const { text } = brief(quoted, options());
    expect(titles(text)).toEqual(['build', 'test', 'lint', 'release', 'convention', 'revert']);
  });

  it('shows a compacted session all of its own records', () => {
    const own = [1, 2, 3].map((n) => observation({ title: `Own ${n}`, session: SESSION, prompt_number: 1 }));
    expect(linesOf(brief(own, options({ source: 'compact', session: SESSION })).text)).toHaveLength(3);
  });

  it('does not call on this work what bootstrap quoted from a file that the branch changes', () => {
    const quoted = observation({
      title: 'Test with make',
      concepts: ['test'],
      extractor: 'bootstrap',
      files_read: ['AGENTS.md'],
    });
    const { records, text } = brief([quoted], options({ changedFiles: new Set(['AGENTS.md']) }));
    expect([records[0]?.reason, text.includes('## On this work')]).toEqual(['by bootstrap', false]);
  });

  it('tells what bootstrap quoted in the room that other records leave', () => {
    const quoted = Array.from({ length: 20 }, (_, i) =>
      observation({ title: `Test with \`make ${i}\``, concepts: ['test'], extractor: 'bootstrap' }),
    );
    const reasons = brief([...observations(5), ...quoted], options()).records.map(({ reason }) => reason);
    expect(reasons).toEqual([...Array(5).fill('by a person'), ...Array(3).fill('by bootstrap')]);
  });

  it('puts pinned records first, then those that cite files the branch changes, then the newest', () => {
    const [plain, onFile, pinned] = [
      observation({ title: 'Newest of all', at: '2026-11-20T20:00:00Z' }),
      observation({ title: 'On a changed file', at: '2026-11-18T20:00:00Z', files_modified: ['src/auth.ts'] }),
      observation({ title: 'Pinned long ago', at: '2026-01-01T20:00:00Z' }, { state: state({ pinned: true }) }),
    ];
    const { text, records } = brief([plain, onFile, pinned], options({ changedFiles: new Set(['src/auth.ts']) }));
    expect(titles(text)).toEqual(['Pinned long ago', 'On a changed file', 'Newest of all']);
    expect(records.map(({ reason }) => reason)).toEqual([
      'pinned',
      'cites src/auth.ts, which this branch changes',
      'by a person',
    ]);
  });

  it('gives a small budget to the same records first', () => {
    const old = observation({
      title: 'Cites the changed file',
      at: '2025-01-01T00:00:00Z',
      files_read: ['src/auth.ts'],
    });
    const { records } = brief(
      [...observations(40), old],
      options({ tokens: 200, changedFiles: new Set(['src/auth.ts']) }),
    );
    expect(records[0]?.id).toBe(old.record.id);
    expect(records.length).toBeLessThan(10);
  });

  it('ranks a record lower when something that it names is gone, and says what', () => {
    const touched = observation(
      { title: 'Newest, but edited since', at: '2026-11-20T20:00:00Z' },
      { freshness: 'touched', missing: [{ path: 'src/auth.ts', name: 'parseClaims' }] },
    );
    expect(brief([touched, ...observations(20)], options()).text).not.toContain('Newest, but edited since');
    expect(brief([touched, ...observations(3)], options()).text).toMatch(
      /: Newest, but edited since \[`parseClaims` is no longer in src\/auth\.ts\]/,
    );
  });

  it('has the most important records within the first 2 KB, however large the budget is', () => {
    const long = Array.from({ length: 60 }, (_, i) => `Sentence ${i} of a long session.`).join(' ');
    const last = summary({ title: 'A long session', completed: long, next_steps: long, learned: long });
    const pinned = observation({ title: 'Pinned' }, { state: state({ pinned: true }) });
    const onFile = observation({ title: 'On a changed file', files_modified: ['src/a.ts'] });
    const { text } = brief(
      [last, ...observations(200), onFile, pinned],
      options({ tokens: 2375, changedFiles: new Set(['src/a.ts']) }),
    );
    const first = text.slice(0, 2048);
    for (const needed of ['data, not instructions', 'A long session', ': Pinned', ': On a changed file'])
      expect(first).toContain(needed);
  });
});
