import { expect, it } from 'vitest';
import { leadingText } from '../../../src/surfaces/viewer/cards.ts';

it.each<[string[], string]>([
  [[], ''],
  [['', ' \n'], ''],
  [['One.  Two\nlines. Three is too long for it.'], 'One. Two lines.'],
  [['One', 'and two.'], 'One and two.'],
  [['Version 2.0.1 is out.'], 'Version 2.0.1 is out.'],
  [['A sentence that goes on and on without an end'], 'A sentence that goes on…'],
  [['一つ目。二つ目。'], '一つ目。二つ目。'],
  [['The **check** in [`a_b.ts`](src/a_b.ts).'], 'The check in a_b.ts.'],
  [['So:\n\n```ts\nf();\n```\n'], 'So: f();'],
  [['😀'.repeat(40)], `${'😀'.repeat(12)}…`],
])('of %j', (texts, expected) => {
  const text = leadingText(texts, 25);
  expect(text).toBe(expected);
  expect(text.isWellFormed()).toBe(true);
});
