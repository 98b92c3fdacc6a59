import { GitMemError, messageOf } from '../errors.ts';
import { decode } from '../memory/codec.ts';
import { FOLDERS, parseFileName } from '../memory/file-name.ts';
import { type EffectiveState, isHidden } from '../memory/marks.ts';
import { outlineReader } from '../memory/outline.ts';
import type { MemoryRecord, Observation } from '../memory/record.ts';
import { MAX_RECORD_BYTES } from '../memory/size.ts';
import { MEMORY, type MemoryFile, type MemoryTree } from './memory-tree.ts';
import type { Problem } from './problem.ts';

/** A record with its file, read from any tree: the checkout, the index or a commit. */
export interface FiledRecord<R extends MemoryRecord = MemoryRecord> {
  record: R;
  file: MemoryFile;
  text: string;
}

/** A file that should be a record and is not one. */
export type InvalidFile = Pick<Problem, 'path' | 'code' | 'message' | 'hint'>;

/** The files of a tree, decoded. */
export interface RecordSet {
  records: FiledRecord[];
  /** The first file with each id. */
  byId: Map<string, FiledRecord>;
  invalid: InvalidFile[];
}

const IN_FOLDERS = new RegExp(`^\\${MEMORY}/(?:${Object.values(FOLDERS).join('|')})/`);
const RECORD_PLACE = /^[^/]+\/[^/]+\/\d{4}-\d\d\/[^/]+$/;

/** Tells whether a path is where records are. */
export function isRecordPath(path: string): boolean {
  return IN_FOLDERS.test(path);
}

/** Reads the records of a tree; `known` are those of another tree, whose unchanged files need not be read again. */
export function readRecords(tree: MemoryTree, known?: RecordSet): RecordSet {
  const earlier = new Map(known?.records.map((filed) => [filed.file.path, filed]));
  const set: RecordSet = { records: [], byId: new Map(), invalid: [] };
  for (const file of tree.values()) {
    if (!isRecordPath(file.path)) continue;
    const same = earlier.get(file.path);
    const filed = same !== undefined && same.file.blob === file.blob ? same : readFile(file);
    if ('record' in filed) {
      set.records.push(filed);
      if (!set.byId.has(filed.record.id)) set.byId.set(filed.record.id, filed);
    } else set.invalid.push(filed);
  }
  return set;
}

/** The observations that are neither superseded, retired nor redacted, one for each id. */
export function activeObservations({ byId }: RecordSet, stateOf: (id: string) => EffectiveState): Observation[] {
  return [...byId.values()].flatMap(({ record }) =>
    record.kind === 'observation' && !isHidden(stateOf(record.id)) ? [record] : [],
  );
}

function readFile(file: MemoryFile): FiledRecord | InvalidFile {
  const { path, bytes } = file;
  if (file.kind === 'unmerged') return conflict(path);
  if (file.kind === 'link' || file.kind === 'other') {
    const hint = 'Put the file itself there: git-mem follows no link and reads no other repository.';
    return { path, code: 'link', message: 'It is not a regular file.', hint };
  }
  if (bytes === undefined) {
    const message = `It is larger than ${MAX_RECORD_BYTES / 1e6} MB, or git has lost it.`;
    return { path, code: 'size', message, hint: 'A record is a few hundred words: move the rest elsewhere.' };
  }
  if (!RECORD_PLACE.test(path) || parseFileName(path) === undefined) {
    const message = 'Its name is not that of a record, so nothing reads it.';
    const hint =
      'For example observations/2026-11/20261120T200501Z-a-few-words-k3v9x2qd7m.md; `git mem add FILE` makes one.';
    return { path, code: 'file-name', message, hint };
  }
  const text = bytes.toString('utf8');
  if (/^<{7}(?: |$)/mu.test(text) && /^>{7}(?: |$)/mu.test(text)) return conflict(path);
  try {
    return { record: decode(text, path, outlineReader), file, text };
  } catch (error) {
    const hint = error instanceof GitMemError ? (error.hint ?? '') : '';
    const message = messageOf(error).replace(`${path}: `, '');
    const code = error instanceof GitMemError && error.code === 'newer-format' ? error.code : 'bad-record';
    return { path, code, message, hint: hint || 'Correct the file by hand, or delete it.' };
  }
}

function conflict(path: string): InvalidFile {
  const hint = 'Records never conflict by themselves: keep one side, or both as two files.';
  return { path, code: 'conflict', message: 'It has a merge conflict in it.', hint };
}
