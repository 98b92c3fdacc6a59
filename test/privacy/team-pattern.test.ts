import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replacePattern } from '../../src/privacy/team-pattern.ts';

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
      { numRuns: 3000 },
    );
  });
});
