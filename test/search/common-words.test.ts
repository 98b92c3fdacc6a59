import { describe, expect, it } from 'vitest';
import { tokenize } from '../../src/index/tokens.ts';
import { COMMON_WORDS, TRADE_WORDS } from '../../src/search/topic-words.ts';

describe('common words', () => {
  it.each(['changes', 'checked', 'implementation', 'zero', 'ab', 'funktioniert'])('include %s as indexed', (word) => {
    expect(tokenize(word).map((token) => COMMON_WORDS.has(token))).toEqual([true]);
  });

  it('include a compound word and each of its parts', () => {
    for (const token of ['package', 'json', 'packagejson', 'github', 'com', 'githubcom', 'eg'])
      expect(TRADE_WORDS.has(tokenize(token)[0] ?? ''), token).toBe(true);
  });

  it.each(['pgbouncer', 'hono', 'zeroed-out', ''])('exclude %j', (word) => {
    expect(COMMON_WORDS.has(tokenize(word).at(-1) ?? '')).toBe(false);
  });
});
