import { resolve } from 'node:path';
import { Argument } from 'commander';
import { refuseTaintedShell } from '../../../capture/by-hand/tainted-session.ts';
import { GitMemError } from '../../../errors.ts';
import { bringIn, type ImportReport } from '../../../exchange/import/bring.ts';
import { IMPORTERS } from '../../../exchange/import/importers.ts';
import { jsonlArrivals } from '../../../exchange/jsonl.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import { counted } from '../../../quantities.ts';
import { type Context, define, type Flags, type Register, type Texts } from '../command.ts';
import { linesOf } from '../given-text.ts';
import { shown } from '../print.ts';
import { withProgress } from '../progress.ts';

/** Most problems that are printed one by one: the rest are counted, so that the report fits on a screen. */
const NAMED = 10;

type Options = Flags<'team' | 'dryRun' | 'json'> & Texts<'project'>;

export const register: Register = (program, context) =>
  define(program, 'import', 'bring in records from elsewhere')
    .addArgument(new Argument('<from>', 'whose memory').choices(['jsonl', ...IMPORTERS.map(({ name }) => name)]))
    .argument('[path]', 'the file or folder, where it is not in its default location; for jsonl also `-`')
    .option('--team', 'into the team store; without it into the private store')
    .option('--dry-run', 'write nothing, only show what would happen')
    .option('--project <name>', "claude-mem's name of this repository; else that of its folder")
    .jsonAndNotes(`
What can be imported:
  ${'jsonl'.padEnd(16)} one JSON record a line, as \`git mem export\` writes it; only a title or a narrative is needed
${IMPORTERS.map(({ name, describe }) => `  ${name.padEnd(16)} ${describe}`).join('\n')}

Texts are imported whole; a title of more than 120 characters is shortened, and the full title begins the text. Secrets and
hidden characters are taken out, as from every other record. What is there already is skipped; what changed in its source
since is a new record that supersedes the old one; what you retired does not come back. Prompts always go to the private
store. Links that lead out of a folder are not followed.

Examples:
  git mem import claude-mem --dry-run
  git mem import claude-mem --project my-app
  git mem import agents-md --team
  git mem import jsonl memory.jsonl
  git mem -C ../other export | git mem import jsonl - --team`)
    .action(async (from: string, path: string | undefined, options: Options) => {
      const project = context.project();
      const { workspace } = project;
      const { cwd, env, stdin } = context;
      const { dryRun = false, json = false } = options;
      const command = `git mem import ${path === undefined ? from : `${from} ${path}`}`;
      if (!dryRun) await refuseTaintedShell(workspace, stdin, command);
      const now = context.now();
      const cleaner = await project.cleaner(MAX_SCANNED_TEXT);
      const importer = IMPORTERS.find(({ name }) => name === from);
      const place = path === undefined ? undefined : resolve(cwd, path);
      const arrivals =
        importer?.read({ path: place, workspace, env, project: options.project, cleaner }) ??
        jsonlArrivals(linesOf(requirePath(path), context), now);
      const withoutPrompts = importer !== undefined && project.config().config.privacy.prompts === 'off';
      const how = {
        workspace,
        store: options.team ? 'team' : 'private',
        cleaner,
        now,
        dryRun,
        withoutPrompts,
      } as const;
      const report = await withProgress(context, json, (show) => {
        const onProgress = (done: number, all?: number) =>
          show(all === undefined ? `${done} records read` : `${done} of ${all} records`);
        return bringIn(arrivals, { ...how, onProgress });
      });
      if (report.problems.length > 0) context.setExitCode(1);
      if (json) context.json({ ...report, dry_run: dryRun });
      else print(report, context, options);
      if (report.imported + report.skipped + report.problems.length === 0) {
        const reads = importer?.describe ?? 'JSON lines, one record each';
        context.say(`${path ?? 'Its default location'} holds none of what \`${from}\` reads: ${reads}.`);
      }
    });

function print(report: ImportReport, { stdout, stderr }: Context, options: Options): void {
  const { imported, skipped, problems, suspicious = [] } = report;
  const there = skipped > 0 ? `, ${skipped} there already` : '';
  stdout.write(`${counted(imported, 'record')} ${options.dryRun ? 'to import' : 'imported'}${there}.\n`);
  for (const { line, place = `line ${line}`, message } of problems.slice(0, NAMED)) {
    stderr.write(`${shown(place)}: ${shown(message)}\n`);
  }
  if (problems.length > NAMED) {
    const noun = problems.every(({ line }) => line !== undefined) ? 'more line' : 'more problem';
    stderr.write(`And ${counted(problems.length - NAMED, noun)}.\n`);
  }
  if (suspicious.length > 0) {
    const ids = suspicious.slice(0, NAMED).map(({ id }) => id);
    const named = `${ids.join(', ')}${suspicious.length > NAMED ? ', ...' : ''}`;
    stderr.write(`${counted(suspicious.length, 'record')} read as if written for a model; look at them: ${named}.\n`);
  }
  if (options.dryRun) stderr.write('This was a dry run: nothing was written.\n');
}

function requirePath(path: string | undefined): string {
  if (path !== undefined) return path;
  throw new GitMemError('bad-input', 'JSON lines have no default location.', {
    hint: 'Name the file, or `-` for standard input: `git mem import jsonl memory.jsonl`.',
  });
}
