import { type EffectiveState, type EffectiveStates, isHidden } from '../memory/marks.ts';
import { isContent, type Mark, type MarkType } from '../memory/record.ts';
import type { FiledRecord, RecordSet } from './records.ts';
import type { Item } from './review-item.ts';

/** What new marks, and records that supersede others, do to the other records. */
export function markChanges(
  news: FiledRecord[],
  head: RecordSet,
  { was, is }: Record<'was' | 'is', { of(id: string): EffectiveState }>,
  item: (filed: FiledRecord) => Item,
  cover: (text: string) => string,
) {
  const marks = news.flatMap((filed) => (filed.record.kind === 'mark' ? [{ filed, mark: filed.record }] : []));
  const nonMarks = head.records.filter(({ record }) => record.kind !== 'mark');
  const marksOn = (type: MarkType, id: string) =>
    marks.flatMap(({ mark }) => (mark.type === type && mark.targets.includes(id) ? [mark] : []));
  const reasonOf = (type: MarkType, id: string) => {
    const reasons = marksOn(type, id).map(({ reason }) => cover(reason));
    return [...new Set(reasons)].filter(Boolean).join(' ');
  };
  /** Records with a mark that they did not have before, or with one more. */
  const withReason = (type: MarkType, key: 'retired' | 'redacted' | 'pinned' | 'verified') =>
    nonMarks
      .filter(({ record: { id } }) => is.of(id)[key] && (!was.of(id)[key] || marksOn(type, id).length > 0))
      .map((filed) => ({ ...item(filed), reason: reasonOf(type, filed.record.id) }));
  const undoes = ({ targets }: Mark, { record }: FiledRecord) =>
    targets.includes(record.id) || (record.kind === 'mark' && record.targets.some((id) => targets.includes(id)));
  const undoing = marks.filter(({ mark }) => mark.type === 'undo');
  const undone = head.records.filter(({ record }) => record.kind === 'mark' && record.type !== 'undo');
  return {
    marks: marks.map(({ filed, mark }) => ({ ...item(filed), targets: mark.targets.map(cover) })),
    superseded: nonMarks.flatMap((filed) => {
      const { id } = filed.record;
      const by = is.of(id).superseded_by.filter((other) => !was.of(id).superseded_by.includes(other));
      return by.length === 0 ? [] : [{ ...item(filed), by: by.map(cover), reason: reasonOf('supersede', id) }];
    }),
    retired: withReason('retire', 'retired'),
    redacted: withReason('redact', 'redacted'),
    pinned: withReason('pin', 'pinned').map((one) => {
      return { ...one, guards: marksOn('pin', one.id).flatMap(({ guards = [] }) => guards.map(cover)) };
    }),
    verified: withReason('verify', 'verified'),
    undone: undone.flatMap((filed) => {
      const by = undoing.filter(({ mark }) => undoes(mark, filed)).map(({ mark }) => mark.id);
      return by.length === 0 ? [] : [{ ...item(filed), by }];
    }),
  };
}

/** The added records that supersede what another active one supersedes too, until one record replaces them all. */
export function disputesOf(added: FiledRecord[], all: FiledRecord[], states: EffectiveStates) {
  const disputed = all.filter(({ record }) => states.of(record.id).disputed);
  const isRival = (a: FiledRecord, b: FiledRecord) =>
    all.some(({ record }) => {
      const heads = states.of(record.id).superseded_by;
      return heads.includes(a.record.id) && heads.includes(b.record.id);
    });
  return added
    .filter((one) => isContent(one.record) && disputed.includes(one) && !isHidden(states.of(one.record.id)))
    .flatMap((filed) =>
      disputed.filter((other) => other !== filed && isRival(filed, other)).map((other) => ({ filed, other })),
    );
}

/** Removed or changed marks, which would bring back what they hid; the visible way to end a mark is `undo`. */
export function removedMarks(base: RecordSet, head: RecordSet): FiledRecord<Mark>[] {
  const kept = new Set(head.records.flatMap(({ record }) => (record.kind === 'mark' ? [meaningOf(record)] : [])));
  return base.records.flatMap((filed): FiledRecord<Mark>[] => {
    const { record } = filed;
    return record.kind === 'mark' && !kept.has(meaningOf(record)) ? [{ ...filed, record }] : [];
  });
}

export function removalOf(title: string): string {
  return `The mark "${title}" is removed without an undo: what it hid would come back.`;
}

/** The effect of a mark; why, when and by whom it was made does not change it. */
function meaningOf({ id, type, targets, by, hashes = [], hashed_with, guards = [], asks, anchors }: Mark): string {
  const sorted = [targets, hashes, guards].map((list) => [...list].sort());
  return JSON.stringify([id, type, by, hashed_with, asks, ...sorted, anchors && Object.entries(anchors).sort()]);
}
