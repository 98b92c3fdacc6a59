import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/memory/codec.ts';
import { outlineReader } from '../../src/memory/outline.ts';

const PATH = 'observations/2026-11/20261120T200501Z-words-k3v9x2qd7m.md';

describe('an observation written by hand', () => {
  it.each([
    ['git-mem’s own shape', 'Why it broke.\n\n## Facts\n\n- One.\n- Two.\n', 'Why it broke.', ['One.', 'Two.']],
    ['another heading level', 'Why.\n\n### Facts\n\n- One.', 'Why.', ['One.']],
    ['one fact, closed heading', 'Why.\n\n## Fact ##\n\n* One.', 'Why.', ['One.']],
    ['an underlined heading', '# T\n\nWhy.\n\nFacts\n-----\n\n+ One.', '# T\n\nWhy.', ['One.']],
    ['numbers and boxes', 'Why.\n\n# facts\n\n1. One.\n2. [x] Two.\n10) Ten.', 'Why.', ['One.', 'Two.', 'Ten.']],
    ['facts as prose', '## Facts\n\nThe limit is 60.\n\nIt is per key.', '', ['The limit is 60.', 'It is per key.']],
    ['a fact over two lines', 'Why.\n\n## Facts\n\n* One\n  and a half.\n', 'Why.', ['One\nand a half.']],
    ['no list marker space', 'Why.\n\n## Facts\n- One.\n- Two.', 'Why.', ['One.', 'Two.']],
    ['nothing but prose', '\n\nWhy.\n\nAnd how.\n\n', 'Why.\n\nAnd how.', []],
    [
      'other headings',
      '# Title\n\nWhy.\n\n## Facts\n\n- One.\n\n## Later\n\nMore.',
      '# Title\n\nWhy.\n\n## Later\n\nMore.',
      ['One.'],
    ],
    ['nothing at all', '', '', []],
  ])('is parsed: %s', (_, body, narrative, facts) => {
    const record = decode(`---\nid: "k3v9x2qd7m"\n---\n${body}`, PATH, outlineReader);
    expect(record).toMatchObject({ narrative, facts });
    // What a person wrote is read the same way once git-mem has written it.
    expect(decode(encode(record), PATH)).toEqual(record);
  });

  it('keeps code, links and odd spacing in prose unchanged', () => {
    const body =
      'See [the *docs*](https://example.com  "t").\n\n```sh\n## Facts\n-  not a fact\n```\n\n#  Facts\n\n-   `a  b`\n';
    const record = decode(`---\nid: "k3v9x2qd7m"\n---\n${body}`, PATH, outlineReader);
    expect(record).toMatchObject({
      narrative: 'See [the *docs*](https://example.com  "t").\n\n```sh\n## Facts\n-  not a fact\n```',
      facts: ['`a  b`'],
    });
  });

  it('is one piece of prose without a parser', () => {
    const body = 'Why.\n\n### Facts\n\n* One.';
    expect(decode(`---\nid: "k3v9x2qd7m"\n---\n${body}`, PATH)).toMatchObject({ narrative: body, facts: [] });
  });
});

describe('a summary written by hand', () => {
  const read = (body: string) => decode(`---\nid: "k3v9x2qd7m"\nkind: summary\n---\n${body}`, PATH, outlineReader);

  it('is split by its headings, whatever their level, case and order', () => {
    const record = read('# Learned\n\nA.\n\n### next STEPS\n\n- B.\n\nRequest\n=======\n\nC.');
    expect(record).toMatchObject({ learned: 'A.', next_steps: '- B.', request: 'C.', notes: '', title: 'C.' });
    expect(decode(encode(record), PATH)).toEqual(record);
  });

  it('puts text under other headings, or under none, into the notes', () => {
    const record = read('Before.\n\n## Learned\n\nA.\n\n## Mood\n\nFine.\n\n## Notes\n\nB.');
    expect(record).toMatchObject({ learned: 'A.', notes: 'Before.\n\n## Mood\n\nFine.\n\nB.' });
  });

  it('joins a section that occurs twice', () => {
    expect(read('## Learned\n\nA.\n\n## Learned\n\nB.')).toMatchObject({ learned: 'A.\n\nB.' });
  });
});
