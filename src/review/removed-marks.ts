import type { Mark } from '../memory/record.ts';
import type { FiledRecord, RecordSet } from './records.ts';

/**
 * Marks of one tree that another no longer has: their files are gone, renamed to something that is not a record, or
 * changed in meaning. That would bring back what was retired or redacted; the way to end a mark is `undo`, which
 * remains visible.
 */
export function removedMarks(base: RecordSet, head: RecordSet): FiledRecord<Mark>[] {
  const kept = new Set(head.records.flatMap(({ record }) => (record.kind === 'mark' ? [meaningOf(record)] : [])));
  return base.records.flatMap((filed): FiledRecord<Mark>[] => {
    const { record } = filed;
    return record.kind === 'mark' && !kept.has(meaningOf(record)) ? [{ ...filed, record }] : [];
  });
}

/** The message for the removal of a mark. */
export function removalOf(title: string): string {
  return `The mark "${title}" is removed without an undo: what it hid would come back.`;
}

/** The effect of a mark; why, when and by whom it was made does not change it. */
function meaningOf({ id, type, targets, by, hashes = [], hashed_with, guards = [], asks, anchors }: Mark): string {
  const sorted = [targets, hashes, guards].map((list) => [...list].sort());
  return JSON.stringify([id, type, by, hashed_with, asks, ...sorted, anchors && Object.entries(anchors).sort()]);
}
