import { GitMemError } from '../errors.ts';
import type { MemoryRecord, YamlValue } from './record.ts';

/** The record format that this version writes and fully knows. A file without `format` has the first. */
export const FORMAT = 1;

/** The number in `format` if it is larger than this version knows. */
export function newerFormat(format: YamlValue | undefined): number | undefined {
  if (typeof format !== 'string' || !/^\d{1,9}$/.test(format)) return undefined;
  return Number(format) > FORMAT ? Number(format) : undefined;
}

/** Whether a newer version wrote a record: its known fields are used, but no record is written to replace it. */
export function isNewer(record: MemoryRecord): boolean {
  return newerFormat(record.extra?.format) !== undefined;
}

/** The error for a file of a newer format that this version cannot read. */
export function tooNew(path: string, format: number, cause: unknown): GitMemError {
  return new GitMemError('newer-format', `${path}: "format" is ${format}, newer than this git-mem knows (${FORMAT}).`, {
    hint: 'Update git-mem to read it. The file is left as it is.',
    cause,
  });
}
