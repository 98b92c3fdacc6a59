import { expect, it } from 'vitest';
import { sentencesOf } from '../../src/memory/sentences.ts';

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
