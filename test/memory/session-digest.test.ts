import { expect, it } from 'vitest';
import { type DigestTurn, decodeTurns, encodeTurns } from '../../src/memory/session-digest.ts';

const turns: DigestTurn[] = [
  {
    number: 1,
    prompt: '# fix the list',
    answer: '- it was empty; `a` is gone.',
    files: ['src/a b.ts', 'docs/ü.md'],
    checks: [
      { command: 'echo `x` && npm test', passed: false },
      { command: 'echo `x` && npm test', passed: true },
      { command: 'npm run lint', passed: true },
    ],
    commits: [{ commit: 'a'.repeat(40), subject: 'Fix `list`: keep the first row' }],
    saved: ['k3v9x2qd7m'],
  },
  { number: 3, prompt: '', answer: '#12 stays open.', files: [], checks: [], commits: [], saved: [] },
  {
    number: 4,
    prompt: 'how?',
    answer: '# Three ways\n- check `a`: passed\n1. `b`',
    files: ['src/a.ts', 'src/c.ts'],
    unchecked: 1,
    checks: [{ command: 'npm test' }],
    commits: [],
    saved: [],
  },
  { number: 5, prompt: 'why?', answer: '', files: [], checks: [], commits: [], saved: [] },
];

it('is read back as it was written', () => {
  expect(decodeTurns(encodeTurns(turns))).toEqual(turns);
  expect(encodeTurns(decodeTurns(encodeTurns(turns)))).toBe(encodeTurns(turns));
});

it('has one line for each thing that happened', () => {
  expect(encodeTurns(turns).split('\n').slice(0, 9)).toEqual([
    '## 1. # fix the list',
    '',
    '\\- it was empty; `a` is gone.',
    '',
    '- changed `src/a b.ts`',
    '- changed `docs/ü.md`',
    '- check `echo `x` && npm test`: failed',
    '- check `echo `x` && npm test`: passed',
    '- check `npm run lint`: passed',
  ]);
});
