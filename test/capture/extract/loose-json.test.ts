import { describe, expect, it } from 'vitest';
import { findJson } from '../../../src/capture/extract/loose-values.ts';

describe('findJson', () => {
  it.each([
    ['bare', '{"a": 1}', { a: 1 }],
    ['in a fence', 'Here:\n```json\n{"a": [1, 2]}\n```\nDone.', { a: [1, 2] }],
    ['after braces in prose', 'I filled {title} and [x as asked: {"a": "b"} Bye {', { a: 'b' }],
    ['with a comma too many', '{"a": [1, 2, ], }', { a: [1, 2] }],
    ['with raw line breaks in a string', '{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
    ['with brackets and quotes in strings', '{"a": "}]\\"{["}', { a: '}]"{[' }],
  ])('finds a value %s', (_name, text, value) => {
    expect(findJson(text)[0]).toEqual({ value, truncated: false });
  });

  it('keeps the objects that were whole where the text ends early', () => {
    const text = '```json\n{"list": [{"a": 1}, {"b": [1, 2]}, {"c": "cut he';
    expect(findJson(text)).toEqual([{ value: { list: [{ a: 1 }, { b: [1, 2] }] }, truncated: true }]);
  });

  it('prefers a whole value to a cut one', () => {
    expect(findJson('draft: [{"a": 1}, {"b" final {"c": 2}').at(0)).toEqual({ value: { a: 1 }, truncated: false });
  });

  it.each(['', 'no json at all', '{"a": ', '{{{{[[[', '}{'])('finds nothing in %j', (text) => {
    expect(findJson(text)).toEqual([]);
  });

  it('stays quick with thousands of brackets', () => {
    expect(findJson('{['.repeat(20_000))).toEqual([]);
  });
});
