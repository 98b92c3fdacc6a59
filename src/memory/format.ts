import { GitMemError } from '../errors.ts';
import type { MemoryRecord, YamlValue } from './record.ts';

/** The format of records that this version writes and knows whole. A file that does not say `format` has the first. */
export const FORMAT = 1;

/** The number in `format` where it is larger than this version knows. */
export function newerFormat(format: YamlValue | undefined): number | undefined {
  if (typeof format !== 'string' || !/^\d{1,9}$/.test(format)) return undefined;
  return Number(format) > FORMAT ? Number(format) : undefined;
}

/** Tells whether a newer version wrote a record: what is known of it is used, and nothing is made of it in its place. */
export function isNewer(record: MemoryRecord): boolean {
  return newerFormat(record.extra?.format) !== undefined;
}

/** What is thrown for a file of a newer format that this version can make nothing of. */
export function tooNew(path: string, format: number, cause: unknown): GitMemError {
  return new GitMemError('newer-format', `${path}: "format" is ${format}, newer than this git-mem knows (${FORMAT}).`, {
    hint: 'Update git-mem to read it. The file is left as it is.',
    cause,
  });
}
