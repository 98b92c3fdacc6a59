import type { Command, Context } from '../../surfaces/cli/command.ts';
import { dateGiven } from '../../surfaces/cli/filter-options.ts';
import { wholeNumber } from '../../surfaces/cli/option-values.ts';
import { oneLine, printJson, shown } from '../../surfaces/cli/print.ts';
import { type HubOptions, hubOptions, withHub } from './options.ts';

interface AuditOptions extends HubOptions {
  who?: string;
  since?: Date;
  until?: Date;
  limit: number;
}

/** Lines without `--limit`: some screens of the newest. */
const LIMIT = 100;

/** Adds `git mem hub audit`. */
export function registerAudit(hub: Command, context: Context): void {
  const date = (end: 'start' | 'end') => (text: string) => new Date(dateGiven(text, end, context.now()));
  hubOptions(hub.command('audit').description('who searched, listed and read what, newest first'))
    .option('--who <person>', 'only this subject (github:ada) or name')
    .option('--since <date>', 'not before this day or time (2026-11-20, 2026-11, yesterday)', date('start'))
    .option('--until <date>', 'not after this day or time', date('end'))
    .option('-n, --limit <n>', 'at most this many', wholeNumber, LIMIT)
    .notes(`
A line is written before the answer leaves. What is older than audit.days in hub.yaml is removed, here and by the server.

Examples:
  git mem hub audit --config hub.yaml
  git mem hub audit --who github:ada --since yesterday --json --config hub.yaml`)
    .action(async ({ limit: most, config, json, ...filter }: AuditOptions) => {
      const lines = await withHub(context, { config }, async (hub, { audit: { days } }) => {
        await hub.retain(new Date(context.now().getTime() - days * 86_400_000));
        return hub.audit({ ...filter, most });
      });
      if (json) return printJson(context.stdout, { lines });
      for (const { at, who, action, subject, repositories } of lines) {
        const when = at.toISOString().slice(0, 19).replace('T', ' ');
        const where = repositories.length === 0 ? '' : `  (${repositories.join(', ')})`;
        context.stdout.write(
          `${[when, shown(who?.subject ?? '-'), action, oneLine(subject)].join('  ')}${shown(where)}\n`,
        );
      }
    });
}
