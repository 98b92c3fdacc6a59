import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replacePattern } from '../../src/privacy/team-pattern.ts';
import { runs } from '../support/trials.ts';

/** CPU time of one text at most, in milliseconds: the longest here takes a hundredth of it. */
const LONGEST_MS = 500;

/** What a regular expression finds, which for some patterns takes longer than anybody lives. */
function byExpression(text: string, pattern: string): string {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.replace(new RegExp(parts.join('\\S*'), 'g'), (found) => (found === '' ? '' : '#'));
}

describe('replacePattern', () => {
  it.each([
    ['JIRA-*', 'see JIRA-12, then', 'see # then'],
    ['*@example.com', 'to a.b@example.com.', 'to #.'],
    ['Project Heron', 'of Project Heron.', 'of #.'],
    ['a*b c*d', 'axb cyd axb  cyd', '# axb  cyd'],
    ['*', 'a b', '# #'],
    ['a*', 'b', 'b'],
  ])('%s in %s', (pattern, text, expected) => {
    expect(replacePattern(text, pattern, '#')).toBe(expected);
  });

  it('finds what a greedy expression finds', () => {
    const some = (maxLength: number, ...units: string[]) =>
      fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength });
    fc.assert(
      fc.property(some(6, 'a', 'b', ' ', '*'), some(14, 'a', 'b', ' ', 'c'), (pattern, text) => {
        expect(replacePattern(text, pattern, '#')).toBe(byExpression(text, pattern));
      }),
      runs(3000),
    );
  });

  it.each([
    ['a*b', 'a', ''],
    [`${'a*'.repeat(30)}b`, 'a', ''],
    [`${'*'.repeat(200)}b`, 'a', ''],
    ['*a*b', 'ba ', ''],
    ['aaaa*b', 'a', ' '],
    ['ab*c*d', 'abc', ''],
  ])('takes time proportional to the text for %s', (pattern, unit, end) => {
    // From few to very many, so that a slow one is noticed before it takes for ever.
    for (const length of [1, 2, 3, 4, 5, 20, 32, 36, 38, 40, 1_000, 10_000, 50_000, 200_000]) {
      const text = unit.repeat(length) + end;
      const started = process.cpuUsage();
      replacePattern(text, pattern, '#');
      const { user, system } = process.cpuUsage(started);
      const ms = (user + system) / 1000;
      expect({ length, ms }).toEqual({ length, ms: expect.toSatisfy((one) => one < LONGEST_MS) });
    }
  });
});
