import { sectionsOf } from './body.ts';
import { block, LIMITS, type MemoryRecord, oneLine } from './record.ts';
import { COMMON, MARK, OBSERVATION, SUMMARY } from './record-fields.ts';

/**
 * The record in the form that a file can hold; every record passes through here. `decode(encode(canonical(r)))` equals
 * `canonical(r)`, and `canonical` leaves a canonical record unchanged.
 */
export function canonical<R extends MemoryRecord>(record: R): R;
export function canonical(record: MemoryRecord): MemoryRecord {
  const common = canonicalCommon(record);
  switch (record.kind) {
    case 'observation':
      return pruned({
        ...common,
        kind: record.kind,
        type: oneLine(record.type) || 'change',
        title: oneLine(record.title) || titleFrom(record.narrative) || record.id,
        ...OBSERVATION.canonical(record),
        narrative: block(record.narrative),
        facts: record.facts.map(block).filter((fact) => fact !== ''),
      });
    case 'summary':
      return pruned({
        ...common,
        kind: record.kind,
        type: record.type,
        title: oneLine(record.title) || titleFrom(record.request) || record.id,
        ...SUMMARY.canonical(record),
        ...sectionsOf(record, block),
      });
    case 'mark':
      return pruned({
        ...common,
        kind: record.kind,
        type: record.type,
        ...MARK.canonical(record),
        reason: block(record.reason),
      });
    case 'prompt':
      return pruned({ ...common, kind: record.kind, text: block(record.text) });
    default:
      return record satisfies never;
  }
}

function canonicalCommon(record: MemoryRecord) {
  const { by, name, at } = record.generated;
  return {
    id: record.id,
    generated: pruned({
      by: oneLine(by),
      name: name === undefined ? undefined : oneLine(name) || undefined,
      at: oneLine(at),
    }),
    ...COMMON.canonical(record),
    extra: record.extra && Object.keys(record.extra).length > 0 ? record.extra : undefined,
  };
}

/** The substitute for a missing title: the start of the first line. */
function titleFrom(text: string): string {
  return oneLine(oneLine(block(text).split('\n')[0] ?? '').slice(0, LIMITS.title));
}

/** Leaves out keys whose value is undefined, so that equal records are deeply equal. */
function pruned<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
