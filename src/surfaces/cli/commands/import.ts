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
import { withProgressBar } from '../progress-bar.ts';

/** Most problems that are printed one by one: the rest is a number, so that the report stays on a screen. */
const NAMED = 10;

type Options = Flags<'team' | 'dryRun' | 'json'> & Texts<'project'>;

export const register: Register = (program, context) =>
  define(program, 'import', 'bring in records from elsewhere')
    .addArgument(new Argument('<from>', 'whose memory').choices(['jsonl', ...IMPORTERS.map(({ name }) => name)]))
    .argument('[path]', 'the file or folder, where it is not in its usual place; for jsonl also `-`')
    .option('--team', 'into the team store; without it into the private store')
    .option('--dry-run', 'write nothing, only show what would happen')
    .option('--project <name>', "claude-mem's name of this repository; else that of its folder")
    .option('--json', 'print JSON')
    .notes(`
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
      const { privacy } = project.config().config;
      if (!options.dryRun)
        await refuseTaintedShell(
          project.workspace,
          context.stdin,
          `git mem import ${[from, path].filter(Boolean).join(' ')}`,
        );
      const cleaner = await project.cleaner(MAX_SCANNED_TEXT);
      const bring = {
        workspace: project.workspace,
        store: options.team ? 'team' : 'private',
        cleaner,
        now: context.now(),
        dryRun: options.dryRun === true,
      } as const;
      const importer = IMPORTERS.find(({ name }) => name === from);
      const source = {
        path: path === undefined ? undefined : resolve(context.cwd, path),
        workspace: project.workspace,
        env: context.env,
        project: options.project,
        cleaner,
      };
      const withoutPrompts = privacy.prompts === 'off';
      const report = await withProgressBar(context, options.json === true, (onProgress) =>
        importer === undefined
          ? bringIn(jsonlArrivals(linesOf(requirePath(path), context), bring.now), { ...bring, onProgress })
          : bringIn(importer.read(source), { ...bring, withoutPrompts, onProgress }),
      );
      if (report.problems.length > 0) context.setExitCode(1);
      if (options.json) context.json({ ...report, dry_run: options.dryRun === true });
      else print(report, context, options);
      if (report.imported + report.skipped + report.problems.length === 0) {
        const reads = importer?.describe ?? 'JSON lines, one record each';
        context.say(`${path ?? 'Its usual place'} holds none of what \`${from}\` reads: ${reads}.`);
      }
    });

function print(report: ImportReport, { stdout, stderr }: Context, options: Options): void {
  const { imported, skipped, problems, fields = [], suspicious = [] } = report;
  const there = skipped > 0 ? `, ${skipped} there already` : '';
  stdout.write(`${counted(imported, 'record')} ${options.dryRun ? 'to import' : 'imported'}${there}.\n`);
  for (const { line, place = `line ${line}`, message } of problems.slice(0, NAMED)) {
    stderr.write(`${shown(place)}: ${shown(message)}\n`);
  }
  if (problems.length > NAMED) {
    const noun = problems.every(({ line }) => line !== undefined) ? 'more line' : 'more problem';
    stderr.write(`And ${counted(problems.length - NAMED, noun)}.\n`);
  }
  if (options.dryRun) {
    for (const { table, column, becomes, because = 'nothing' } of fields) {
      stderr.write(`${shown(`${table}.${column}`)}: ${becomes ?? `left out: ${because}`}\n`);
    }
  } else {
    const left = fields.filter(({ becomes }) => becomes === null).map(({ table, column }) => `${table}.${column}`);
    if (left.length > 0) stderr.write(`Left out: ${shown(left.join(', '))}.\n`);
  }
  if (suspicious.length > 0) {
    const ids = suspicious.slice(0, NAMED).map(({ id }) => id);
    const named = [...ids, ...(suspicious.length > NAMED ? ['...'] : [])].join(', ');
    const count = counted(suspicious.length, 'record');
    stderr.write(`${count} read as if written for a model; look at them: ${named}.\n`);
  }
  if (options.dryRun) stderr.write('This was a dry run: nothing was written.\n');
}

function requirePath(path: string | undefined): string {
  if (path !== undefined) return path;
  throw new GitMemError('bad-input', 'JSON lines have no usual place.', {
    hint: 'Name the file, or `-` for standard input: `git mem import jsonl memory.jsonl`.',
  });
}
