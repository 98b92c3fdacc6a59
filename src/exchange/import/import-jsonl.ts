import { GitMemError } from '../../errors.ts';
import { type BringOptions, bringIn, type ImportReport } from './bring.ts';
import type { Arrival } from './importer.ts';
import { readRecordLine } from './record-line.ts';

/** Longest line that is read, in UTF-16 units. */
const MAX_LINE = 8_000_000;

/**
 * Imports records in the JSON shape, one per line. A valid id that is free is kept; if another record has it, or it is
 * not one of ours, the record gets an id over its content, and references within the file follow. Importing twice has
 * the effect of importing once. With `dryRun` nothing is written and the report is the same.
 */
export function importJsonl(
  lines: AsyncIterable<string> | Iterable<string>,
  options: BringOptions,
): Promise<ImportReport> {
  return bringIn(arrivals(lines, options.now), options);
}

async function* arrivals(lines: AsyncIterable<string> | Iterable<string>, now: Date): AsyncGenerator<Arrival> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const at = { line: number };
    try {
      if (line.length > MAX_LINE) throw new GitMemError('bad-input', `The line has ${line.length} characters.`);
      yield { kind: 'record', at, brought: readRecordLine(number === 1 ? line.replace(/^\ufeff/, '') : line, now) };
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      yield { kind: 'problem', at, code: error.code, message: error.message };
    }
  }
}
