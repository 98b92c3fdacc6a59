import { counted } from '../../../quantities.ts';
import { dateOf } from '../../../recall/query/dates.ts';
import { pack } from '../../../review/pack/pack.ts';
import type { PackPlan } from '../../../review/pack/plan.ts';
import type { Command, Context } from '../command.ts';
import { printJson, shown } from '../print.ts';

export function register(program: Command, context: Context): void {
  program
    .command('pack')
    .description('replace old records of the team store with one digest a month')
    .requiredOption('--before <date>', 'full months that end before this date')
    .option('--dry-run', 'change nothing, only show what would happen')
    .option('--json', 'print JSON')
    .notes(`
The only command that removes records. A digest names each one with its id, day, type and title; the whole texts stay in
the history, and \`git mem show OLD-ID\` finds the digest. Pinned, verified and disputed records stay, unreviewed ones
too, and everything of the last 30 days. Marks go when all their records are packed. It works only on the default
branch, with nothing uncommitted in .memory, and commits nothing itself.

Examples:
  git mem pack --before 2026-01 --dry-run    what would be packed
  git mem pack --before 2026-01              pack all up to the end of 2025, then review and commit`)
    .action(async (options: { before: string; dryRun?: boolean; json?: boolean }) => {
      const { workspace } = context.project();
      const now = context.now();
      const before = dateOf(options.before, 'start', now);
      const plan = await pack(workspace, { before, now, dryRun: options.dryRun === true });
      if (options.json) return printJson(context.stdout, viewOf(plan, before, options.dryRun === true));
      print(plan, context, options.dryRun === true);
    });
}

function viewOf({ digests, removed, kept, paths }: PackPlan & { paths: string[] }, before: string, dryRun: boolean) {
  return {
    before,
    dry_run: dryRun,
    digests: digests.map(({ month, record, packed }, i) => ({
      id: record.id,
      kind: record.kind,
      month,
      title: record.title,
      path: paths[i] === undefined ? null : `.memory/${paths[i]}`,
      packs: packed.map((one) => one.record.id),
    })),
    removed: removed.map(({ path }) => `.memory/${path}`),
    kept,
  };
}

function print({ digests, removed, kept }: PackPlan, { stdout, stderr, style }: Context, dryRun: boolean): void {
  for (const { record } of digests) stdout.write(`${style('yellow', record.id)} ${shown(record.title)}\n`);
  const stay = Object.entries(kept).flatMap(([reason, n]) => (n > 0 ? [`${n} ${REASONS[reason] ?? reason}`] : []));
  if (stay.length > 0) stderr.write(`Kept: ${stay.join(', ')}.\n`);
  if (digests.length === 0) return void stderr.write('Nothing is old enough to be packed.\n');
  const files = `${counted(removed.length, 'file')} ${dryRun ? 'would go' : 'removed'}, ${counted(digests.length, 'digest')} ${dryRun ? 'would come' : 'written'}.`;
  stderr.write(
    `${files}\n${dryRun ? 'This was a dry run: nothing was changed.' : 'Review with `git status`, then commit `.memory`; until then `git restore .memory` takes the removal back.'}\n`,
  );
}

const REASONS: Record<string, string> = { untrusted: 'unreviewed', few: 'in months with fewer than three' };
