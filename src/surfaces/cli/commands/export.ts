import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { GitMemError, messageOf } from '../../../errors.ts';
import { exported } from '../../../exchange/jsonl.ts';
import { KINDS } from '../../../memory/record.ts';
import { counted } from '../../../quantities.ts';
import { presentable } from '../../../records/annotate.ts';
import { readEverything, select } from '../../../records/read.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Context, define, type Register, type Texts } from '../command.ts';
import { addCommonFilters, openReading, storeOption } from '../filter-options.ts';
import type { FilterOptions } from '../option-values.ts';

type Options = FilterOptions & Texts<'out'>;

export const register: Register = (program, context) =>
  addCommonFilters(
    define(program, 'export', 'write records for other programs, oldest first')
      // The only one there is.
      .addOption(new Option('--format <format>').choices(['jsonl']).hideHelp())
      .option('--out <path>', 'into a file instead of standard output'),
  )
    .addOption(storeOption())
    .notes(`
JSON lines that hold everything but redacted records, marks and prompts included, so that an import loses nothing.

Examples:
  git mem export --type decision > decisions.jsonl
  git mem export --store team | jq .title`)
    .action(async (options: Options) => {
      const { workspace, filter } = await openReading(context, options);
      const { records, problems } = await readEverything(workspace);
      // A redacted record was withdrawn because of its content; a superseded one was only replaced.
      const whole = select(records, { kind: [...KINDS], ...filter, all: true }).filter(({ state }) => !state.redacted);
      const chosen = whole.reverse().map(presentable);
      await stream(exported(chosen, foldersOf(workspace)), chosen.length, context, options.out);
      if (problems.length > 0) {
        context.say(`${counted(problems.length, 'file')} left out, because they do not parse.`);
      }
    });

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
