import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { GitMemError, messageOf } from '../../errors.ts';
import { EXPORT_FORMATS, type ExportFormat, exported } from '../../interop/export.ts';
import { KINDS } from '../../memory/record.ts';
import type { Annotated } from '../../recall/annotate.ts';
import { type Filter, readEverything, select } from '../../recall/read.ts';
import type { Context } from '../context.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { counted } from '../quantities.ts';
import { foldersOf } from '../store-folders.ts';

interface Options extends FilterOptions {
  format: ExportFormat;
  out?: string;
}

export function register(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description('write records for other programs, oldest first')
    .addOption(new Option('--format <format>', 'how').choices([...EXPORT_FORMATS]).default('jsonl'))
    .option('--out <file>', 'into a file instead of standard output');
  addFilters(command, { now: context.now })
    .addHelpText(
      'after',
      `
jsonl and json hold everything but redacted records (--all: these too), marks and prompts included, so that an import
loses nothing. md is for reading: observations and summaries that stand.

Examples:
  git mem export --out memory.jsonl
  git mem export --format md --type decision > decisions.md
  git mem export --store team --since 2026-10 | jq .title`,
    )
    .action(async (options: Options) => {
      const { workspace, filter } = await openReading(context, options);
      const { records, problems } = await readEverything(workspace);
      const chosen = choose(records, filter, options.format).slice(0, options.limit).reverse();
      const pieces = exported(chosen, options.format, foldersOf(workspace));
      if (options.out === undefined) await writeAll(context.stdout, pieces);
      else {
        writeFile(resolve(context.cwd, options.out), pieces);
        context.stderr.write(`${counted(chosen.length, 'record')} in ${options.out}.\n`);
      }
      if (problems.length > 0) {
        context.stderr.write(`${counted(problems.length, 'file')} left out, because they do not parse.\n`);
      }
    });
}

function choose(records: Annotated[], filter: Filter, format: ExportFormat): Annotated[] {
  if (format === 'md') return select(records, filter);
  const all = select(records, { kinds: [...KINDS], ...filter, all: true });
  // A redacted record was taken out because of what it says; that it was superseded is only a fact about it.
  return filter.all ? all : all.filter(({ state }) => !state.redacted);
}

async function writeAll(stream: NodeJS.WriteStream, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) if (!stream.write(piece)) await once(stream, 'drain');
}

/** For its owner alone, because private records are in it too. */
function writeFile(path: string, pieces: Iterable<string>): void {
  const file = opened(path);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new GitMemError('cannot-write', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
