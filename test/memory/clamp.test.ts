import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampPhrase, clampSentences } from '../../src/memory/clamp.ts';
import { runs } from '../support/trials.ts';

describe('clampPhrase', () => {
  it.each([
    ['JWT rejected when the clock runs ahead.', 'JWT rejected when the clock runs ahead'],
    ['  two\n lines ', 'two lines'],
    [
      'Rate limiter keeps its buckets in Redis, so that restarts of one node do not reset the counters of all clients',
      'Rate limiter keeps its buckets in Redis',
    ],
    [
      'Verification accepts tokens whose nbf lies up to thirty seconds ahead because the nodes disagree about time',
      'Verification accepts tokens whose nbf lies up to thirty seconds ahead',
    ],
    [
      'parse() throws on an empty string: "TypeError: Cannot read properties of undefined". Fix it please.',
      'parse() throws on an empty string',
    ],
    [
      'src/auth/verification/time-claims/check-time-claims-with-skew-and-leeway-for-nodes-that-disagree.ts',
      'src/auth/verification/time-claims/check-time-claims-with-skew-and-leeway-for',
    ],
  ])('shortens %j to a whole phrase', (text, phrase) => {
    expect(clampPhrase(text, 80)).toBe(phrase);
  });

  it('cuts between words where a language writes no spaces', () => {
    const phrase = clampPhrase(
      '時計が進んでいる発行者の署名付きトークンは検証で拒否されていたため三十秒の猶予を設けた',
      30,
    );
    expect(phrase.length).toBeLessThanOrEqual(30);
    expect(phrase.length).toBeGreaterThan(15);
    expect('時計が進んでいる発行者の署名付きトークンは検証で拒否されていたため'.startsWith(phrase)).toBe(true);
  });
});

describe('clampSentences', () => {
  it('ends with the last sentence that fits', () => {
    expect(clampSentences('The cause was clock skew. It is fixed in src/auth.ts now. More follows here.', 60)).toBe(
      'The cause was clock skew. It is fixed in src/auth.ts now.',
    );
  });

  it('does not take a dot inside a name for the end of a sentence', () => {
    expect(clampSentences('Version 1.2.3 of the parser in src/parse.ts reads quotes wrongly', 50)).toBe(
      'Version 1.2.3 of the parser in src/parse.ts reads…',
    );
  });

  it('never exceeds the limit or splits a character, whatever the text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'Be', ' ', '. ', ', ', '\n', '漢', '😀', '👩‍💻', '。'),
      maxLength: 400,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 240 }), (input, max) => {
        for (const short of [clampSentences(input, max), clampPhrase(input, max)]) {
          expect(short.length).toBeLessThanOrEqual(max);
          expect(short.isWellFormed()).toBe(true);
        }
      }),
      runs(100),
    );
  });
});
