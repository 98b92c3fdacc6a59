import type { MemoryRecord } from '../memory/record.ts';
import type { FiledRecord } from './records.ts';

/** One record in a list of a review. */
export interface Item {
  /** Empty for a file that is no record. */
  id: string;
  title: string;
  /** From the top of the repository. */
  path: string;
  /** Of an observation, or `summary`, or what a mark does. */
  type?: string;
}

/** A record as a review lists it; `cover` takes secrets out. */
export function itemOf({ record, file }: FiledRecord, cover: (text: string) => string): Item {
  const type = record.kind === 'prompt' ? 'prompt' : record.type;
  return { id: record.id, title: cover(titleOf(record)), path: cover(file.path), type: cover(type) };
}

/** The one line that shows a record. */
export function titleOf(record: MemoryRecord): string {
  switch (record.kind) {
    case 'observation':
    case 'summary':
      return record.title;
    case 'mark':
      return `${record.type} ${record.targets.join(', ')}${record.by === undefined ? '' : ` by ${record.by}`}`;
    case 'prompt':
      return record.text.split('\n')[0] ?? '';
    default:
      return record satisfies never;
  }
}

/** The parts of a record that differ, by the names of the front matter, and `path` where its file moved. */
export function changedFields(before: FiledRecord, after: FiledRecord): string[] {
  const moved = before.file.path === after.file.path ? [] : ['path'];
  if (before.file.blob === after.file.blob) return moved;
  const [was, is] = [before.record, after.record].map((record) => new Map(Object.entries(record)));
  const keys = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  const changed = [...keys].filter((key) => JSON.stringify(was?.get(key)) !== JSON.stringify(is?.get(key)));
  // Bytes that differ and mean the same: white space, the order of keys.
  return [...moved, ...(changed.length === 0 ? ['layout'] : changed)];
}
