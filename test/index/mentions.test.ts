import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import { connected, type IndexedDocument, mentionsOf } from '../../src/index/memory-index.ts';
import { foldMarks } from '../../src/memory/marks.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { runs } from '../support/trials.ts';
import { blobOf, observation } from './scratch.ts';

const IDS = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(10));
const generated = { by: 'test', at: '2026-11-01T12:00:00Z' };

const anId = fc.constantFrom(...IDS);
const aMark = fc
  .record({
    id: anId,
    type: fc.constantFrom('supersede' as const, 'retire' as const, 'redact' as const, 'pin' as const, 'undo' as const),
    targets: fc.array(anId, { minLength: 1, maxLength: 2 }),
    by: anId,
  })
  .map(({ by, ...rest }): MemoryRecord => {
    return { kind: 'mark', generated, reason: '', ...rest, ...(rest.type === 'supersede' && { by }) };
  });
const aReplacement = fc
  .record({ id: anId, supersedes: fc.array(anId, { minLength: 1, maxLength: 2 }) })
  .map(({ id, supersedes }): MemoryRecord => observation(`Of ${id}`, { id, supersedes }));

it('the statements about an id give it the same state as all records do, for any marks and replacements', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(aMark, aReplacement), { maxLength: 12 }), anId, (records, id) => {
      const documents = records.map((record, row): IndexedDocument => {
        return { ...documentOf(record, blobOf(record)), row, store: 'team' };
      });
      const found = connected([id], (one) => documents.filter(({ card }) => mentionsOf(card).includes(one)));
      const some = foldMarks(records.filter((_, row) => found.some((document) => document.row === row)));
      expect(some.of(id)).toEqual(foldMarks(records).of(id));
    }),
    runs(2000),
  );
});
