import { type MemoryRecord, typeOf } from '../memory/record.ts';
import type { FiledRecord } from './records.ts';

/** One record in a list of a review. */
export interface Item {
  /** Empty for a file that is not a record. */
  id: string;
  title: string;
  /** Relative to the top of the repository. */
  path: string;
  /** The observation's type, `summary`, or the mark's type. */
  type?: string;
}

/** A record as a review lists it; `cover` removes secrets. */
export function itemOf({ record, file }: FiledRecord, cover: (text: string) => string): Item {
  const type = typeOf(record);
  return { id: record.id, title: cover(titleOf(record)), path: cover(file.path), type: cover(type) };
}

/** The line that stands for a record. */
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

/** The fields in which two versions of a record differ, by front matter name, and `path` if its file moved. */
export function changedFields(before: FiledRecord, after: FiledRecord): string[] {
  const moved = before.file.path === after.file.path ? [] : ['path'];
  if (before.file.blob === after.file.blob) return moved;
  const [was, is] = [before.record, after.record].map((record) => new Map(Object.entries(record)));
  const keys = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  const changed = [...keys].filter((key) => JSON.stringify(was?.get(key)) !== JSON.stringify(is?.get(key)));
  // Bytes that differ but mean the same: white space, the order of keys.
  return [...moved, ...(changed.length === 0 ? ['layout'] : changed)];
}
