import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { continuedReading, decodedReadings, unbrokenReading } from '../../src/privacy/readings.ts';
import { runs } from '../support/trials.ts';

describe('decodedReadings', () => {
  it('decodes JSON within JSON, level by level', () => {
    const text = JSON.stringify(JSON.stringify({ a: 'x\ny' }));
    expect(decodedReadings(text).map((reading) => reading.text.includes('"a":"x'))).toContain(true);
  });

  it('maps back to the source text through every level', () => {
    const word = fc.stringMatching(/^[a-z]{6,12}$/);
    fc.assert(
      fc.property(word, fc.string(), fc.string(), fc.integer({ min: 1, max: 3 }), (secret, before, after, levels) => {
        let text = `${before}\n"${secret}"\t${after}`;
        for (let level = 0; level < levels; level++) text = JSON.stringify(text);
        for (const reading of decodedReadings(text)) {
          for (let at = reading.text.indexOf(secret); at >= 0; at = reading.text.indexOf(secret, at + 1)) {
            const { start, end } = reading.toSource({ start: at, end: at + secret.length });
            expect(text.slice(start, end)).toBe(secret);
          }
        }
      }),
      runs(100),
    );
  });

  it('does not include a line break or colour code after the match', () => {
    const text = 'a \u001b[31mred\u001b[0m\\n b';
    const reading = decodedReadings(text).at(-1);
    const at = reading?.text.indexOf('red') ?? -1;
    expect(reading?.toSource({ start: at, end: at + 3 })).toEqual({
      start: text.indexOf('red'),
      end: text.indexOf('red') + 3,
    });
  });
});

describe('unbrokenReading and continuedReading', () => {
  it.each([
    ['a diff', '+abc\n+def', 'abcdef'],
    ['a listing', '   1→abc\n   2→def', 'abcdef'],
  ])('joins lines of %s', (_, text, expected) => {
    expect(unbrokenReading(text)?.text).toContain(expected);
  });

  it.each([
    ['a backslash', 'K=abc\\\n  def', 'abcdef'],
    ['a concatenation', "k = 'abc' +\n  'def';", "'abcdef'"],
    ['a concatenation in a diff', "+k = 'abc' +\n+  'def';", "'abcdef'"],
  ])('joins what %s continues', (_, text, expected) => {
    expect(continuedReading(text)?.text).toContain(expected);
  });

  it('return undefined where there is nothing to join', () => {
    expect(unbrokenReading('abc')).toBeUndefined();
    expect(continuedReading('a "b" c')).toBeUndefined();
  });
});
