import { isObject } from '../json.ts';
import { type MemoryRecord, typeOf } from '../memory/record.ts';
import { sentencesOf } from '../memory/sentences.ts';
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

/** A field in which two versions of a record differ, by its front matter name, with the differing sentences or entries. */
export interface FieldEdit {
  field: string;
  before: string;
  after: string;
}

/** The differences between two versions of a record, and `path` if its file moved. */
export function editsOf(before: FiledRecord, after: FiledRecord): FieldEdit[] {
  const [from, to] = [before.file.path, after.file.path];
  const moved = from === to ? [] : [{ field: 'path', before: from, after: to }];
  if (before.file.blob === after.file.blob) return moved;
  const [was, is] = [before.record, after.record].map((record) => new Map(Object.entries(record)));
  const keys = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  const changed = [...keys].filter((key) => JSON.stringify(was?.get(key)) !== JSON.stringify(is?.get(key)));
  const edits = changed.map((field): FieldEdit => {
    const [old, now] = [piecesOf(was?.get(field)), piecesOf(is?.get(field))];
    const only = (some: string[], others: string[]) => some.filter((piece) => !others.includes(piece)).join(' ');
    const [gone, added] = [only(old, now), only(now, old)];
    // Only their order or white space differs.
    if (gone === added) return { field, before: old.join(' '), after: now.join(' ') };
    return { field, before: gone, after: added };
  });
  // Bytes that differ but mean the same: white space, the order of keys.
  return [...moved, ...(edits.length === 0 ? [{ field: 'layout', before: '', after: '' }] : edits)];
}

function piecesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n').flatMap(sentencesOf);
  if (Array.isArray(value)) return value.map(String);
  if (isObject(value)) return Object.entries(value).map(([key, entry]) => `${key}: ${String(entry)}`);
  return value === undefined ? [] : [String(value)];
}
