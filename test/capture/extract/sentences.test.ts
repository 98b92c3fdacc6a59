import { expect, it } from 'vitest';
import { blocksOf } from '../../../src/capture/extract/blocks.ts';
import { sentencesOf } from '../../../src/memory/sentences.ts';

it.each([
  ['Thanks. we keep `a. b` (see x. Y) as "c. D" is.', ['Thanks.', 'we keep `a. b` (see x. Y) as "c. D" is.']],
  ['Hosts, e.g. Codex, report it. Others do not!', ['Hosts, e.g. Codex, report it.', 'Others do not!']],
  ['It waits ... then ends. Version 1.2 does…', ['It waits ... then ends.', 'Version 1.2 does…']],
  ['1. The key lacks it. 2 pages share it.', ['1. The key lacks it.', '2 pages share it.']],
  ['キーに言語がない。だから混ざる。', ['キーに言語がない。', 'だから混ざる。']],
  ['Why? — ... ', ['Why?']],
])('sentences of %s', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});

it('a list that ends a sentence, or is nested in an item, is part of it', () => {
  const message =
    'The decoder failed, so it now:\n\n- strips the header,\n- trims the body.\n\nFiles:\n- `a.ts`: two places\n  - the key\n  - the lock\n- `b.ts`\n\nDone.';
  expect(blocksOf(message)).toEqual([
    { kind: 'paragraph', lead: '', text: 'The decoder failed, so it now: strips the header; trims the body.' },
    { kind: 'paragraph', lead: '', text: 'Files:' },
    { kind: 'item', lead: 'Files:', text: '`a.ts`: two places; the key; the lock' },
    { kind: 'item', lead: 'Files:', text: '`b.ts`' },
    { kind: 'paragraph', lead: '', text: 'Done.' },
  ]);
});
