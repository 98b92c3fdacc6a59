import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import type { ClaudeMem, Row, Table } from './claude-mem-columns.ts';
import { projectArrivals } from './claude-mem-rows.ts';
import type { Importer } from './importer.ts';
import { namedPlace, readText, realPlace } from './place.ts';

/** Largest export that is read, in bytes; it is loaded into memory whole. */
const MAX_BYTES = 256_000_000;

const rows = z._default(z.array(z.record(z.string(), z.unknown())), []);
const shape = z.object({ sessions: rows, observations: rows, summaries: rows, prompts: rows });

/** The lists of the export, by the tables that their rows are from. */
const LISTS: Record<Table, keyof z.infer<typeof shape>> = {
  sdk_sessions: 'sessions',
  observations: 'observations',
  session_summaries: 'summaries',
  user_prompts: 'prompts',
};

/**
 * The output of claude-mem's own `export-memories`: the rows of its tables. The same row gives the same record, whether
 * it comes from here or from the database.
 */
export const claudeMemJson: Importer = {
  name: 'claude-mem-json',
  describe: 'a JSON export of claude-mem: a file',
  *read(source) {
    const hint = 'Name the file: `git mem import claude-mem-json memories.json`.';
    const path = namedPlace(source.path, 'An export has no usual place.', hint);
    yield* projectArrivals(memoryOf(readExport(realPlace(path, source.workspace))), source);
  },
};

function readExport(path: string): z.infer<typeof shape> {
  const read = readText(path, MAX_BYTES);
  if (typeof read === 'string') throw new GitMemError('bad-input', `${path} cannot be read: ${read}`);
  const given = jsonIn(read.text);
  // The parser's own message would quote the file, which is not redacted.
  if (given === undefined) throw new GitMemError('bad-input', `${path} cannot be read: it is not JSON.`);
  const result = shape.safeParse(given);
  if (result.success) return result.data;
  const key = result.error.issues[0]?.path.join('.') ?? '';
  const message = `${path} is not an export of claude-mem: ${key ? `"${key}"` : 'it'} is not as expected.`;
  throw new GitMemError('bad-input', message);
}

function memoryOf(data: z.infer<typeof shape>): ClaudeMem {
  const rowsOf = (table: Table): Row[] => data[LISTS[table]];
  const columnsOf = (table: Table) => [...new Set(rowsOf(table).flatMap((row) => Object.keys(row)))];
  return { columns: columnsOf, rows: rowsOf, others: [] };
}
