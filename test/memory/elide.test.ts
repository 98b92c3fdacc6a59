import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elide } from '../../src/memory/clamp.ts';
import { runs } from '../support/trials.ts';

describe('elide', () => {
  it('leaves short text alone', () => {
    expect(elide('', 0)).toBe('');
    expect(elide('npm test', 8)).toBe('npm test');
  });

  it('keeps head and tail and says how much is missing', () => {
    const text = `FIRST LINE\n${'x'.repeat(20_000)}\nLAST LINE`;
    const short = elide(text, 200);
    expect(short.length).toBeLessThanOrEqual(200);
    expect(short.startsWith('FIRST LINE\n')).toBe(true);
    expect(short.endsWith('\nLAST LINE')).toBe(true);
    expect(short).toMatch(/\[… 19,8\d\d characters left out …\]/);
  });

  it('counts exactly what it leaves out', () => {
    const text = 'abcdefghij'.repeat(100);
    const short = elide(text, 150);
    const [mark = '', count = ''] = /\[… ([\d,]+) characters left out …\]/.exec(short) ?? [];
    expect(short.length - mark.length + Number(count.replace(',', ''))).toBe(text.length);
  });

  it('falls back to an ellipsis where the marker does not fit', () => {
    expect(elide('abcdefgh', 4)).toBe('abc…');
    expect(elide('abcdefgh', 0)).toBe('');
  });

  it('never exceeds its limit, never splits a surrogate pair, and changes nothing the second time', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '漢', '😀', '👩‍💻'), maxLength: 600 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 400 }), (input, max) => {
        const once = elide(input, max);
        expect(once.length).toBeLessThanOrEqual(max);
        expect(once.isWellFormed()).toBe(true);
        expect(elide(once, max)).toBe(once);
      }),
      runs(100),
    );
  });
});
