import { type BootstrapReport, bootstrap } from '../../../exchange/bootstrap/bootstrap.ts';
import { counted } from '../../../quantities.ts';
import { foldersOf } from '../../../records/view.ts';
import { readTemplate } from '../../../templates.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';

/** Nobody reads more records than this, and they would bury the findings of sessions. */
const LIMIT = 20;

type Options = Flags<'team' | 'dryRun' | 'agent' | 'json'>;

export const register: Register = (program, context) =>
  define(program, 'bootstrap', 'quote a first memory from the files and the reverts of the reviewed branch')
    .option('--team', 'into the team store; without it into the private store')
    .option('--dry-run', 'write nothing, only show what would be written')
    .option('--agent', 'write nothing, only print what to ask of your own agent')
    .jsonAndNotes(`
Reads the reviewed branch, whatever is checked out: no network, no model, the same records each time. It quotes commands
with the words that stand beside them (what the guides for agents say or forbid wins), tasks with their whole recipes, what
is asked of a change, decisions that are written down, and reverts in force whose message gives a reason, each with its file
and line or its commit. Running it again writes only what is new or has changed; what you retired does not come back. With
--agent it prints a brief that makes your own agent read the repository and save what is worth it.

Examples:
  git mem bootstrap --dry-run             what it would remember, the most needed first
  git mem bootstrap --team                for everybody
  claude "$(git mem bootstrap --agent)"   let the agent read and save`)
    .action(async (options: Options) => {
      if (options.agent) {
        context.stdout.write(readTemplate('prompts/bootstrap.md'));
        return;
      }
      const project = context.project();
      const store = options.team ? 'team' : 'private';
      const dryRun = options.dryRun === true;
      const cleaner = await project.cleaner();
      const report = await bootstrap(project.workspace, { store, limit: LIMIT, dryRun, cleaner });
      const folder = foldersOf(project.workspace)[store];
      if (options.json) context.json(viewOf(report, folder, dryRun));
      else print(report, context, options);
    });

function viewOf({ branch, records, known }: BootstrapReport, folder: string, dryRun: boolean) {
  return {
    branch,
    known,
    dry_run: dryRun,
    written: dryRun ? [] : records.map(({ record }) => record.id),
    records: records.map(({ record, pattern, path }) => {
      const { id, type, title, generated, narrative, facts, files_modified, files_read, supersedes } = record;
      const said = { id, pattern, type, title, created: generated.at, narrative, facts };
      return { ...said, files_modified, files_read, supersedes, path: path && `${folder}/${path}` };
    }),
  };
}

function print({ branch, records, known }: BootstrapReport, context: Context, options: Options): void {
  const { stdout, stderr, style } = context;
  const width = Math.max(0, ...records.map(({ pattern }) => pattern.length));
  for (const { record, pattern } of records) {
    stdout.write(`${style('yellow', record.id)} ${style('dim', pattern.padEnd(width))} ${shown(record.title)}\n`);
  }
  const there = known > 0 ? `, ${known} already known` : '';
  const where = options.dryRun ? 'to write' : `written to the ${options.team ? 'team' : 'private'} store`;
  const name = branch.replace(/^refs\/(?:heads|remotes)\//, '');
  const next = records.length + known === 0 ? ' `git mem bootstrap --agent` prints what to ask of your agent.' : '';
  stderr.write(`Read ${shown(name)}: ${counted(records.length, 'record')} ${where}${there}.${next}\n`);
  if (options.dryRun) stderr.write('This was a dry run: nothing was written.\n');
}
