import fc from 'fast-check';
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { quoted } from '../../src/review/render.ts';
import { anyText } from '../support/any-record.ts';
import { runs } from '../support/trials.ts';

function typesIn(node: Nodes): string[] {
  return [node.type, ...('children' in node ? node.children.flatMap(typesIn) : [])];
}

const parse = (text: string) => unified().use(remarkParse).parse(text);

describe('quoted', () => {
  it.each([
    ['plain', '`plain`'],
    ['a `b` c', '``a `b` c``'],
    ['`b`', '`` `b` ``'],
    ['two\nlines', '`two lines`'],
    ['', '(empty)'],
    ['a\u202eb\u200bc', '`abc`'],
  ])('writes %j as %s', (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });

  it('is one code span and nothing else, whatever the text', () => {
    const hostile = fc.oneof(
      anyText,
      fc
        .array(fc.constantFrom('`', '``', '\\', '<b>', '](http://x)', '![', '@name', '</details>', '|', '\n', ' ', 'a'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const types = typesIn(parse(`- before ${quoted(text)} after`));
        expect(
          types.filter((type) => !['root', 'list', 'listItem', 'paragraph', 'text', 'inlineCode'].includes(type)),
        ).toEqual([]);
        expect(types.filter((type) => type === 'inlineCode').length).toBe(quoted(text) === '(empty)' ? 0 : 1);
      }),
      runs(2000),
    );
  });
});
