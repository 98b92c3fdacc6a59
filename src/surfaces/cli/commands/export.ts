import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { GitMemError, messageOf } from '../../../errors.ts';
import { EXPORT_FORMATS, exported, type StreamFormat } from '../../../exchange/export/export.ts';
import { KINDS } from '../../../memory/record.ts';
import { counted } from '../../../quantities.ts';
import { type Annotated, presentable } from '../../../recall/query/annotate.ts';
import type { Filter } from '../../../recall/query/card-filter.ts';
import { readEverything, select } from '../../../recall/query/read.ts';
import { foldersOf } from '../../../recall/query/view.ts';
import type { Command, Context } from '../command.ts';
import { addCommonFilters, type FilterOptions, openReading, storeOption } from '../filter-options.ts';

interface Options extends FilterOptions {
  format: StreamFormat;
  out?: string;
}

export function register(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description('write records for other programs, oldest first')
    .addOption(new Option('--format <format>', 'how').choices([...EXPORT_FORMATS]).default('jsonl'))
    .option('--out <path>', 'into a file instead of standard output');
  addCommonFilters(command)
    .addOption(storeOption())
    .notes(`
jsonl and json hold everything but redacted records, marks and prompts included, so that an import loses nothing. md is for
reading: active observations and summaries.

Examples:
  git mem export --out memory.jsonl
  git mem export --format md --type decision > decisions.md
  git mem export --store team | jq .title`)
    .action(async (options: Options) => {
      const { workspace, filter } = await openReading(context, options);
      const { records, problems } = await readEverything(workspace);
      const chosen = choose(records, filter, options.format).reverse().map(presentable);
      await stream(exported(chosen, options.format, foldersOf(workspace)), chosen.length, context, options.out);
      if (problems.length > 0) {
        context.stderr.write(`${counted(problems.length, 'file')} left out, because they do not parse.\n`);
      }
    });
}

function choose(records: Annotated[], filter: Filter, format: Options['format']): Annotated[] {
  // This text is for readers; the complete formats are for an import.
  if (format === 'md') {
    return select(records, filter).filter(({ state }) => !state.redacted);
  }
  const all = select(records, { kind: [...KINDS], ...filter, all: true });
  // A redacted record was withdrawn because of its content; a superseded one was only replaced.
  return all.filter(({ state }) => !state.redacted);
}

async function stream(pieces: Iterable<string>, count: number, { cwd, stdout, stderr }: Context, out?: string) {
  if (out === undefined) {
    for (const piece of pieces) if (!stdout.write(piece)) await once(stdout, 'drain');
    return;
  }
  const file = opened(resolve(cwd, out));
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
  stderr.write(`${counted(count, 'record')} in ${out}.\n`);
}

/** Readable by its owner only, because it includes private records. */
function opened(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new GitMemError('cannot-write', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
