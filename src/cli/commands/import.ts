import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { GitMemError, isSystemError, messageOf } from '../../errors.ts';
import { importJsonl } from '../../interop/import-jsonl.ts';
import { createCleaner } from '../../worker/clean.ts';
import type { Context } from '../context.ts';
import { linesOf } from '../lines.ts';
import { printJson, shown } from '../print.ts';
import { counted } from '../quantities.ts';

/** Problems that are printed one by one. */
const NAMED = 10;

/** Longest text that is kept whole: an export is complete, however long its records are. */
const LONGEST = 200_000;

export function register(program: Command, context: Context): void {
  program
    .command('import')
    .description('bring in records from elsewhere')
    .addArgument(new Argument('<from>', 'what the file holds').choices(['jsonl']))
    .argument('<file>', 'the file, `-` for standard input')
    .option('--team', 'into the committed store; else into the private one')
    .option('--dry-run', 'write nothing, only say what would happen')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
jsonl is one JSON record a line, as \`git mem export\` writes it. Of the keys only a title or a narrative is needed.
Secrets are taken out as at every other door, and what is there already is skipped.

Examples:
  git mem import jsonl memory.jsonl --dry-run
  git mem import jsonl memory.jsonl
  git mem -C ../other export | git mem import jsonl - --team`,
    )
    .action(async (_from: string, file: string, options: { team?: boolean; dryRun?: boolean; json?: boolean }) => {
      const project = context.project();
      const report = await importJsonl(linesFrom(file, context), {
        workspace: project.workspace,
        store: options.team ? 'team' : 'private',
        cleaner: createCleaner(project.config().config.privacy.redact, LONGEST),
        now: context.now(),
        dryRun: options.dryRun === true,
      });
      const { imported, skipped, problems } = report;
      if (problems.length > 0) context.setExitCode(1);
      if (options.json) return printJson(context.stdout, { ...report, dry_run: options.dryRun === true });
      const there = skipped > 0 ? `, ${skipped} there already` : '';
      context.stdout.write(`${counted(imported, 'record')} ${options.dryRun ? 'to import' : 'imported'}${there}.\n`);
      for (const { line, message } of problems.slice(0, NAMED)) {
        context.stderr.write(`line ${line}: ${shown(message)}\n`);
      }
      if (problems.length > NAMED) context.stderr.write(`And ${counted(problems.length - NAMED, 'more line')}.\n`);
      if (options.dryRun) context.stderr.write('This was a dry run: nothing was written.\n');
    });
}

async function* linesFrom(file: string, { cwd, stdin }: Context): AsyncGenerator<string> {
  try {
    yield* linesOf(file === '-' ? stdin : createReadStream(resolve(cwd, file)));
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) throw error;
    throw new GitMemError('bad-input', `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}
