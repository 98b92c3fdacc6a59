import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBlowup, literalsOf } from '../support/regular-expressions.ts';
import { sampled } from '../support/sampled.ts';

/** Expressions that are slow on long texts, and what keeps theirs short. */
const SHORT: Record<string, string> = {
  '/\\B(?=(?:\\d{3})+$)/g': 'the digits of one number',
};

describe('law: matching takes time linear in the length of the text', () => {
  it('every regular expression in the source takes linear time on input built from its own parts', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
    const literals = files.flatMap((path) => literalsOf(`src/${path}`));
    // So that it cannot pass by having looked at nothing.
    expect(literals.length).toBeGreaterThan(800);
    const unseen = literals.filter(({ expression }) => !(String(expression) in SHORT));
    const places = new Map(unseen.map(({ place, expression }) => [String(expression), { place, expression }]));
    const tried = sampled([...places.values()], ({ place }) => dirname(place));
    const slow = tried.flatMap(({ place, expression }) => {
      const blowup = findBlowup(expression);
      return blowup === undefined ? [] : [{ place, expression: String(expression), ...blowup }];
    });
    expect(slow).toEqual([]);
  });

  it.each([
    ['exponential', /^(?:\s*[A-Z_][A-Z0-9_]*=\S*)+\s+/u],
    ['cubic', /["'`]?[ \t]*[+.\\]?[ \t]*\r?\n/u],
    ['quadratic', /\/+$/],
  ])('flags %s', (_, expression) => {
    expect(findBlowup(expression)).toBeDefined();
  });
});
