import { describe, expect, it } from 'vitest';
import { type BriefingOptions, brief } from '../../../src/inject/briefing/briefing.ts';
import type { Candidate } from '../../../src/inject/briefing/briefing-lines.ts';
import { type DigestTurn, encodeTurns } from '../../../src/memory/session-digest.ts';
import { options, summary } from './made-candidates.ts';

describe('the last sessions on this branch', () => {
  const on = (title: string, more: Parameters<typeof summary>[0] = {}) =>
    summary({ title, branch: 'feature/auth', completed: '', next_steps: '', learned: '', ...more });
  const digest = (title: string, turns: Partial<DigestTurn>[], more: Parameters<typeof summary>[0] = {}) =>
    on(title, {
      type: 'digest',
      request: encodeTurns(
        turns.map((turn, i) => ({
          number: i + 1,
          prompt: '',
          answer: '',
          files: [],
          checks: [],
          commits: [],
          saved: [],
          ...turn,
        })),
      ),
      ...more,
    });
  const told = (all: Candidate[], changes: Partial<BriefingOptions> = {}) => {
    const lines = brief(all, options({ branch: 'feature/auth', ...changes })).text.split('\n');
    const at = lines.indexOf('## Last sessions on feature/auth');
    return at < 0
      ? []
      : lines
          .slice(at + 1)
          .filter((line) => /^\S+ \d{4}-/.test(line))
          .map((line) => line.replace(/^\S+ \S+ /, ''));
  };

  it('say what came of the last one, and of those before only what they left open', () => {
    const all = [
      on('Harden the login', { session: 'a' }),
      on('Speed up the queue', {
        session: 'b',
        at: '2026-11-19T20:00:00Z',
        next_steps: 'The worker test still fails.',
      }),
      on('Tidy the docs', { session: 'c', at: '2026-11-18T20:00:00Z' }),
    ];
    expect(told(all)).toEqual(['Harden the login', 'Speed up the queue — Next: The worker test still fails.']);
  });

  it('leave out sessions of other branches', () => {
    expect(told([on('Elsewhere', { branch: 'main' })])).toEqual([]);
  });

  it('tell once what several sessions left alike, by the last of them', () => {
    const left = [{ files: ['src/b.ts'] }];
    const three = ['a', 'b', 'c'].map((session) => digest('The linter is clean', left, { session }));
    expect(told([...three, digest('Another', left, { session: 'd' })])).toEqual([
      'The linter is clean — When it ended: not committed: src/b.ts.',
      'Another — When it ended: not committed: src/b.ts.',
    ]);
  });

  it('speak by the digest what hooks saw at the end: failing checks and files in no commit', () => {
    const turns: Partial<DigestTurn>[] = [
      {
        files: ['src/a.ts'],
        checks: [{ command: 'npm test', passed: false }],
        commits: [{ commit: 'abcdef1', subject: 'x' }],
      },
      {
        files: ['src/b.ts'],
        checks: [
          { command: 'npm run lint', passed: true },
          { command: 'npm test', passed: false },
        ],
      },
    ];
    expect(told([digest('Tolerate clock skew', turns)])).toEqual([
      'Tolerate clock skew — When it ended: `npm test` failed; not committed: src/b.ts.',
    ]);
    const done = [
      {
        files: ['src/a.ts'],
        checks: [
          { command: 'npm test', passed: false },
          { command: 'npm test', passed: true },
        ],
      },
    ];
    const commits = [{ commit: 'abcdef1', subject: 'x' }];
    expect(told([digest('Tolerate clock skew', [{ ...done[0], commits }])])).toEqual(['Tolerate clock skew']);
  });

  it('say what was asked where nothing was committed, and quote the answer to it where nothing was changed', () => {
    const asked = { prompt: 'By which ways?', answer: '## Ways\nBy two:\n- `fast.ts`' };
    const thanked = { prompt: 'Thanks, keep to rename.', answer: 'Understood. I saved it.' };
    expect(told([digest('By which ways?', [asked, thanked])])).toEqual([
      'Asked: By which ways? — its answer begins: By two: `fast.ts`',
    ]);
    expect(told([digest('By which ways?', [{ ...asked, answer: '' }])])).toEqual(['Asked: By which ways?']);
    expect(told([digest('By which ways?', [{ ...asked, files: ['src/b.ts'] }])])).toEqual([
      'Asked: By which ways? — When it ended: not committed: src/b.ts.',
    ]);
    expect(told([digest('By two ways', [{ answer: 'By two ways.' }])])).toEqual(['Answered: By two ways']);
    const commits = [{ commit: 'a'.repeat(40), subject: 'Mend it' }];
    expect(told([digest('Mend it', [asked, { ...asked, commits }])])).toEqual(['Mend it']);
  });

  it('leave out a check that failed when another passed after it, as one runner does after the other', () => {
    const failed = { checks: [{ command: 'npm test', passed: false }] };
    const passed = { checks: [{ command: 'npx vitest run test/skew.test.ts', passed: true }] };
    expect(told([digest('Tolerate clock skew', [failed, passed])])).toEqual(['Tolerate clock skew']);
    expect(told([digest('Tolerate clock skew', [passed, failed])])).toEqual([
      'Tolerate clock skew — When it ended: `npm test` failed.',
    ]);
  });

  it.each<[string, Partial<DigestTurn>[]]>([
    ['another check ran and nobody knows how it ended', [{ checks: [{ command: 'node --test test/workers.mjs' }] }]],
    ['a file was changed after it', [{ files: ['src/b.ts'], commits: [{ commit: 'abcdef1', subject: 'x' }] }]],
  ])('leave out a check that failed when %s', (_, later) => {
    const failed = { files: ['src/a.ts'], checks: [{ command: 'npm test', passed: false }] };
    const commits = [{ commit: 'abcdef0', subject: 'x' }];
    expect(told([digest('Tolerate clock skew', [{ ...failed, commits }])])).toEqual([
      'Tolerate clock skew — When it ended: `npm test` failed.',
    ]);
    expect(told([digest('Tolerate clock skew', [{ ...failed, commits }, ...later])])).toEqual(['Tolerate clock skew']);
    const sameTurn = { ...failed, commits, unchecked: 1 };
    expect(told([digest('Tolerate clock skew', [sameTurn])])).toEqual(['Tolerate clock skew']);
  });

  it('speak by the agent’s summary where it left one', () => {
    const all = [
      digest('Seen', [{ files: ['src/b.ts'] }], { session: 'a' }),
      on('Said', { session: 'a', next_steps: 'Wire it up.', at: '2026-11-19T20:00:00Z' }),
    ];
    expect(told(all)).toEqual(['Said — Next: Wire it up.']);
  });

  it('are at most as many as the settings allow', () => {
    const open = [1, 2, 3, 4].map((n) =>
      on(`Session ${n}`, { session: `s${n}`, next_steps: 'More.', at: `2026-11-1${9 - n}T20:00:00Z` }),
    );
    expect(told(open, { summaries: 3 })).toHaveLength(3);
    expect(told(open, { summaries: 0 })).toEqual([]);
  });
});
