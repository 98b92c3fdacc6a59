import { GitMemError } from '../../../errors.ts';
import { type BootstrapReport, bootstrap } from '../../../exchange/bootstrap/bootstrap.ts';
import { counted } from '../../../quantities.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import type { Command, Context } from '../command.ts';
import { wholeNumber } from '../option-values.ts';
import { printJson, shown } from '../print.ts';
import { withProgress } from '../progress-bar.ts';

/** More records than this nobody reads, and they would bury the findings of sessions. */
const LIMIT = 30;

interface Options {
  team?: boolean;
  limit?: number;
  since?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('bootstrap')
    .description('learn a first memory from the history')
    .option('--team', 'into the team store; without it into the private store')
    .option('-n, --limit <n>', `at most this many records (at most ${LIMIT})`, wholeNumber)
    .option('--since <rev|date>', 'only from what is newer than a revision or a date')
    .option('--dry-run', 'write nothing, only show what would be written')
    .option('--json', 'print JSON')
    .notes(`
Reads the files at HEAD and the history up to it: no network, no model, the same records each time. From the files it
quotes how to set up, build, test, lint and release, where things are, what is asked of a change, and decisions that are
written down. From the history it says what was reverted and why, what broke something else, fixes that were not enough,
files that have to change together, and how commits are written. Each record names its places or commits. Running it again
writes only what is new, has changed, or has half as much evidence again; what you retired does not come back.

Examples:
  git mem bootstrap --dry-run             what it would remember, the most useful first
  git mem bootstrap                       into the private store of this clone
  git mem bootstrap --team --limit 12     the best 12 for everybody
  git mem bootstrap --since v2.0          only what happened after a release`)
    .action(async (options: Options) => {
      const limit = options.limit ?? LIMIT;
      if (limit < 1 || limit > LIMIT) {
        throw new GitMemError('bad-input', `--limit ${limit} is not between 1 and ${LIMIT}.`, {
          hint: 'More records than that would bury what sessions find.',
        });
      }
      const project = context.project();
      const how = {
        store: options.team ? 'team' : 'private',
        limit,
        dryRun: options.dryRun === true,
        ...(options.since !== undefined && { since: options.since }),
        cleaner: await project.cleaner(),
        now: context.now(),
      } as const;
      const report = await withProgress(context, options.json === true, (show) =>
        bootstrap(project.workspace, { ...how, onProgress: (stage, count) => show(`${count} ${STAGES[stage]}`) }),
      );
      const folder = foldersOf(project.workspace)[how.store];
      if (options.json) printJson(context.stdout, viewOf(report, folder, options));
      else print(report, context, options);
    });
}

function viewOf({ commits, isCut, found, records, known }: BootstrapReport, folder: string, options: Options) {
  return {
    commits,
    cut: isCut,
    found,
    known,
    dry_run: options.dryRun === true,
    written: options.dryRun ? [] : records.map(({ record }) => record.id),
    records: records.map(({ record, pattern, path }) => ({
      id: record.id,
      pattern,
      type: record.type,
      title: record.title,
      created: record.generated.at,
      narrative: record.narrative,
      facts: record.facts,
      files_modified: record.files_modified,
      files_read: record.files_read,
      supersedes: record.supersedes,
      path: path && `${folder}/${path}`,
    })),
  };
}

function print({ commits, isCut, records, known }: BootstrapReport, context: Context, options: Options): void {
  const { stdout, stderr, style } = context;
  const width = Math.max(0, ...records.map(({ pattern }) => pattern.length));
  for (const { record, pattern } of records) {
    stdout.write(`${style('yellow', record.id)} ${style('dim', pattern.padEnd(width))} ${shown(record.title)}\n`);
  }
  const there = known > 0 ? `, ${known} already known` : '';
  const where = options.dryRun ? 'to write' : `written to the ${options.team ? 'team' : 'private'} store`;
  stderr.write(`${counted(commits, 'commit')} read: ${counted(records.length, 'record')} ${where}${there}.\n`);
  if (isCut) stderr.write('Older commits were left out: the clone is shallow, or there are more than 50000.\n');
  if (options.dryRun) stderr.write('This was a dry run: nothing was written.\n');
  else if (records.length > 0) stderr.write('`git mem list --concept gotcha` shows the traps among them.\n');
}

const STAGES = { history: 'commits read', fixes: 'fixes compared', records: 'records made' };
