import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { GitMemError, messageOf } from '../../../errors.ts';
import { pinnedRecords, sectionOf, writeSection } from '../../../exchange/export/agents-section.ts';
import { EXPORT_FORMATS, exported } from '../../../exchange/export/export.ts';
import { KINDS } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { counted } from '../../../quantities.ts';
import { type Annotated, presentable } from '../../../recall/query/annotate.ts';
import type { Filter } from '../../../recall/query/card-filter.ts';
import { readEverything, select } from '../../../recall/query/read.ts';
import { foldersOf } from '../../../recall/query/view.ts';
import type { Command, Context } from '../command.ts';
import { addCommonFilters, type FilterOptions, openReading, storeOption } from '../filter-options.ts';

const FORMATS = [...EXPORT_FORMATS, 'agents-md'] as const;

interface Options extends FilterOptions {
  format: (typeof FORMATS)[number];
  out?: string;
}

export function register(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description('write records for other programs, oldest first')
    .addOption(new Option('--format <format>', 'how').choices([...FORMATS]).default('jsonl'))
    .option('--out <path>', 'into a file instead of standard output');
  addCommonFilters(command)
    .addOption(storeOption())
    .notes(`
jsonl and json hold everything but redacted records, marks and prompts included, so that an import loses nothing. md is for
reading: active observations and summaries. agents-md writes the pinned records of the team that you trust into a marked part
of AGENTS.md (--out CLAUDE.md: of another file); where nothing is pinned any more, it removes that part.

Examples:
  git mem export --out memory.jsonl
  git mem export --format md --type decision > decisions.md
  git mem export --format agents-md
  git mem export --store team | jq .title`)
    .action(async (options: Options) => {
      const { workspace, filter } = await openReading(context, options);
      const { records, problems } = await readEverything(workspace);
      const chosen = choose(records, filter, options.format).reverse().map(presentable);
      await write(chosen, workspace, context, options);
      if (problems.length > 0) {
        context.stderr.write(`${counted(problems.length, 'file')} left out, because they do not parse.\n`);
      }
    });
}

function choose(records: Annotated[], filter: Filter, format: Options['format']): Annotated[] {
  // These texts are for readers; the complete formats are for an import.
  if (format === 'md' || format === 'agents-md') {
    return select(records, filter).filter(({ state }) => !state.redacted);
  }
  const all = select(records, { kind: [...KINDS], ...filter, all: true });
  // A redacted record was withdrawn because of its content; a superseded one was only replaced.
  return all.filter(({ state }) => !state.redacted);
}

async function write(chosen: Annotated[], workspace: Workspace, context: Context, { format, out }: Options) {
  if (format === 'agents-md') return section(chosen, workspace, context, out);
  return stream(exported(chosen, format, foldersOf(workspace)), chosen.length, context, out);
}

function section(chosen: Annotated[], workspace: Workspace, { cwd, stderr }: Context, out: string | undefined): void {
  const path = out === undefined ? resolve(workspace.checkout.root, 'AGENTS.md') : resolve(cwd, out);
  const pinned = pinnedRecords(chosen);
  const isChanged = writeSection(path, sectionOf(pinned.chosen), workspace);
  const named = out ?? 'AGENTS.md';
  stderr.write(`${counted(pinned.chosen.length, 'pinned record')} in ${named}${isChanged ? '' : ', as before'}.\n`);
  if (pinned.suspicious > 0) {
    stderr.write(`${counted(pinned.suspicious, 'pinned record')} left out: they read as if written for a model.\n`);
  }
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
