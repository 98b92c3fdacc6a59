import { packedIds } from '../memory/packs.ts';
import type { Mark } from '../memory/record.ts';
import type { FiledRecord, RecordSet } from './records.ts';

/** A mark with its file. */
export type FiledMark = FiledRecord & { record: Mark };

/**
 * The marks of one tree that another no longer has: their files are gone, renamed to what is no record, or say something
 * else. That would bring back what was retired or redacted; a mark is ended by `undo`, which stays to be seen. Marks on
 * records that were packed go with these.
 */
export function removedMarks(base: RecordSet, head: RecordSet): FiledMark[] {
  const kept = new Set(head.records.flatMap(({ record }) => (record.kind === 'mark' ? [meaningOf(record)] : [])));
  const removed = base.records.flatMap((filed): FiledMark[] => {
    const { record } = filed;
    return record.kind === 'mark' && !kept.has(meaningOf(record)) ? [{ ...filed, record }] : [];
  });
  const gone = new Set(head.records.flatMap(({ record }) => packedIds(record)).filter((id) => !head.byId.has(id)));
  if (gone.size === 0) return removed;
  const isGone = ({ record }: FiledMark) => record.targets.every((id) => gone.has(id));
  // A mark goes with its records, and the undo of that mark with it.
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const mark of removed) if (isGone(mark)) gone.add(mark.record.id);
  }
  return removed.filter((mark) => !isGone(mark));
}

/** What is wrong with the removal of a mark. */
export function removalOf(title: string): string {
  return `The mark "${title}" is removed without an undo: what it hid would come back.`;
}

/** What a mark does; why, when and by whom it was made changes nothing. */
function meaningOf({ id, type, targets, by, hashes = [], hashed_with }: Mark): string {
  return JSON.stringify([id, type, [...targets].sort(), by, hashed_with, [...hashes].sort()]);
}
