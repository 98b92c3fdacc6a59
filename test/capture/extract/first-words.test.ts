import { describe, expect, it } from 'vitest';
import { firstWords } from '../../../src/capture/extract/material.ts';

describe('the first words of a message', () => {
  it.each([
    [
      'I did not find:\n\n- a caller that relies on the throw\n- a test for empty input\n\nThe guard returns an empty list.',
      'I did not find: a caller that relies on the throw; a test for empty input. The guard returns an empty list.',
    ],
    [
      'Two options:\n1. LRU cache: fast.\n2. Redis: slower.\n\nWhich?',
      'Two options: LRU cache: fast. Redis: slower. Which?',
    ],
    ['The cause is known\n\nIt was the clock', 'The cause is known. It was the clock'],
    ['## Cause\n\nThe clock ran ahead.\n\n```ts\nconst a = 1;\n```\n', 'The clock ran ahead.'],
  ])('keep the items of a list apart: %j', (message, words) => {
    expect(firstWords(message, 240)).toBe(words);
  });

  it('are whole sentences within the limit', () => {
    expect(firstWords('The clock ran ahead of the issuer.\n\nIt is set by hand now.', 40)).toBe(
      'The clock ran ahead of the issuer.',
    );
  });
});
