import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/memory/glob.ts';
import { runs } from '../support/trials.ts';

describe('globs', () => {
  it.each([
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'src/a/b/c.tsx', false],
    ['src/*.ts', 'src/a/b.ts', false],
    ['**', 'anything/at all', true],
    ['a?b', 'axb', true],
    ['a?b', 'a/b', false],
    ['a.c', 'abc', false],
    ['[id]', '[id]', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j and %j: %s', (pattern, text, fits) => expect(matchesGlob(pattern, text)).toBe(fits));

  it('agree with a regular expression that tries everything', () => {
    const pattern = fc
      .array(fc.constantFrom('**/', '**', '*', '?', 'a', 'b', '/', 'c/'), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join(''));
    const path = fc.array(fc.constantFrom('a', 'b', '/', 'c', 'ab'), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, path, (given, text) => {
        expect(matchesGlob(given, text)).toBe(tries(given).test(text));
      }),
      runs(3000),
    );
  });

  it('take linear time for a pattern built to be slow', () => {
    expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
    expect(matchesGlob(`${'**a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
    expect(matchesGlob(`${'**/*a'.repeat(200)}b`, 'a/'.repeat(2000))).toBe(false);
    expect(matchesGlob('***aa?a**/', 'ab'.repeat(2048))).toBe(false);
  });
});

/** The same glob as a regular expression. */
function tries(pattern: string): RegExp {
  const source = pattern.replace(/(^|(?<=\/))\*\*\/|\*\*|[*?]|[^*?]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part;
  });
  return new RegExp(`^(?:${source})$`, 's');
}
