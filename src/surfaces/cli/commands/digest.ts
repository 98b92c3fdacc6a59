import { Option } from 'commander';
import { wholeSeconds } from '../../../memory/file-name.ts';
import { dateOf } from '../../../recall/query/dates.ts';
import { digest } from '../../../review/digest.ts';
import { digestHtml, digestMarkdown } from '../../../review/digest-text.ts';
import type { Command, Context } from '../command.ts';
import { printJson } from '../print.ts';

interface Options {
  since: string;
  until?: string;
  by?: 'author' | 'area';
  format: 'md' | 'html';
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('digest')
    .description('what the team decided, fixed, learned and reverted in a period, for people')
    .option('--since <date>', 'from this day on', '7 days ago')
    .option('--until <date>', 'up to this day; without it until now')
    .addOption(new Option('--by <what>', 'in groups').choices(['author', 'area']))
    .addOption(new Option('--format <format>', 'Markdown, or an HTML page').choices(['md', 'html']).default('md'))
    .option('--json', 'print JSON')
    .notes(`
Of the team's records those that are reviewed or this clone's own; then what was retired, replaced or reverted in that period,
the records whose cited code changed, and open disputes. It asks no model and no network.

Examples:
  git mem digest                                         the last seven days
  git mem digest --since 2026-11-01 --by area            by the first two folders of the cited files
  git mem digest --since "last month" --by author
  git mem digest --since 2026-10-01 --format html > digest.html`)
    .action(async ({ since, until, by, format, json = false }: Options) => {
      const { workspace } = context.project();
      const now = context.now();
      const days = {
        since: dateOf(since, 'start', now),
        until: until === undefined ? wholeSeconds(now) : dateOf(until, 'end', now),
      };
      const made = await digest(workspace, { ...days, by });
      if (json) return printJson(context.stdout, made);
      context.stdout.write(format === 'html' ? digestHtml(made) : digestMarkdown(made));
    });
}
