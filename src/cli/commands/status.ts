import { join } from 'node:path';
import type { Command } from 'commander';
import { openCache } from '../../cache/cache.ts';
import { type CacheCondition, conditionOf } from '../../cache/condition.ts';
import { conditionsOf } from '../../extract/chain-condition.ts';
import { readEverything } from '../../recall/read.ts';
import type { Workspace } from '../../store/workspace.ts';
import { backlog } from '../../worker/backlog.ts';
import { isLocked } from '../../worker/lock.ts';
import type { Context } from '../context.ts';
import { printJson, shown, styler } from '../print.ts';
import { bytes, counted } from '../quantities.ts';

export function register(program: Command, context: Context): void {
  program
    .command('status')
    .description('show what waits and what is remembered')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  git mem status            events that wait, records in each store
  git mem status --json     the same for scripts`,
    )
    .action(async (options: { json?: boolean }) => {
      const { workspace, config } = context.project();
      const { layout } = workspace;
      const { pending, failed } = backlog(layout);
      const { records, problems } = await readEverything(workspace);
      const kept = records.filter(({ record }) => record.kind === 'observation' || record.kind === 'summary');
      const inStore = (store: 'team' | 'private') => kept.filter(({ entry }) => entry.store === store).length;
      const unreviewed = kept.filter(({ trust }) => trust === 'unreviewed').length;
      const place = { state: layout.state, env: context.env, now: context.now() };
      const providers = conditionsOf(config().config.extract, place);
      const cache = await lookAtCache(workspace);
      const status = {
        pending_events: pending,
        failed_events: failed,
        records: { team: inStore('team'), private: inStore('private') },
        unreviewed,
        unreadable: problems.length,
        draining: isLocked(join(layout.state, 'lock')),
        providers,
        cache: { ...cache, reason: cache.reason ?? null },
      };
      if (options.json) return printJson(context.stdout, status);
      const style = styler(context.stdout, context.env);
      const line = (name: string, text: string) => context.stdout.write(`${style('dim', name.padEnd(9))}${text}\n`);
      line(
        'Records',
        `${status.records.team} team, ${status.records.private} private${unreviewed ? `, ${unreviewed} unreviewed` : ''}`,
      );
      line('Events', `${status.pending_events} waiting${status.draining ? ', a drain is at work' : ''}`);
      if (status.failed_events > 0)
        line('', `${status.failed_events} set aside as unreadable: see \`git mem doctor\`.`);
      line('Cache', describe(cache));
      if (problems.length > 0) line('', `${problems.length} record files do not parse: see \`git mem doctor\`.`);
      for (const { provider, failures, until, reason } of providers) {
        const next = until === null ? '' : `, next try after ${until}`;
        if (reason !== null)
          line('Provider', `${provider} failed ${counted(failures, 'time')}${next}: ${shown(reason)}`);
      }
    });
}

async function lookAtCache(workspace: Workspace): Promise<CacheCondition> {
  const cache = openCache(workspace);
  try {
    return await conditionOf(workspace, cache);
  } finally {
    cache.close();
  }
}

function describe({ kind, documents, persistent, size }: CacheCondition): string {
  const where = persistent ? bytes(size) : 'in memory only: see `git mem doctor`';
  return `${counted(documents, 'record')}, ${kind === 'sqlite' ? 'SQLite' : 'MiniSearch'}, ${where}`;
}
