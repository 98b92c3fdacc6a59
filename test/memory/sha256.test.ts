import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { expect, it } from 'vitest';
import { sha256 } from '../../src/memory/sha256.ts';

it('makes what node:crypto makes, at all lengths around the ends of blocks', () => {
  for (let length = 0; length <= 200; length++) expectSame('é'.repeat(length % 3) + 'x'.repeat(length));
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), expectSame));
});

function expectSame(text: string): void {
  expect(sha256(text)).toEqual(createHash('sha256').update(text).digest());
}
