import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../src/index/tokens.ts';
import { highlighted } from '../../../src/surfaces/cli/record-table.ts';

describe('highlighting', () => {
  it.each([
    ['tokens', 'The token was checked.', 'The [token] was checked.'],
    ['read file', 'readFile reads', '[readFile] [reads]'],
    ['src/auth.ts', 'in src/auth.ts, twice', 'in [src]/[auth].[ts], twice'],
    ['the', 'the end', 'the end'],
    ['Zürich', 'in zurich', 'in [zurich]'],
    ['認証', '東京の認証トークン', '東京の[認証]トークン'],
    ['証', '東京の認証トークン', '東京の認[証]トークン'],
    ['a.b*(', 'nothing [here]', 'nothing [here]'],
  ])('of %j in %j', (query, text, marked) => {
    expect(highlighted(text, new Set(tokenize(query)), (word) => `[${word}]`)).toBe(marked);
  });
});
