import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backlog } from '../../../capture/drain/waiting-events.ts';
import { conditionsOf } from '../../../capture/extract/chosen-provider.ts';
import { conditionOf, withCache } from '../../../index/cache.ts';
import { isLocked } from '../../../memory/store/lock.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import {
  type Uncommitted,
  uncommittedSentence,
  untrackedRecords,
  vanishedRecords,
  vanishedSentence,
} from '../../../provenance/untracked.ts';
import { bytes, counted } from '../../../quantities.ts';
import { countActive } from '../../../search/listing.ts';
import { NOT_SET_UP } from '../../../setup/check.ts';
import { lastEvents } from '../../../setup/checks/last-events.ts';
import { silences } from '../../../setup/checks/silences.ts';
import { define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';

export const register: Register = (program, context) =>
  define(program, 'status', 'show what waits and what is remembered')
    .jsonAndNotes(`
Example:
  git mem status            events that wait, records in each store as \`list\` counts them`)
    .action(async (options: Flags<'json'>) => {
      const { workspace, config } = context.project();
      const { layout } = workspace;
      const { pending, failed } = backlog(layout);
      // The counts from the index, which has enough of each record: reading all files takes several times as long.
      const { unreadable, counts, ...cache } = await withCache(workspace, async (cache) => ({
        ...(await conditionOf(workspace, cache, { glance: 'folders' })),
        counts: await countActive(workspace, cache),
      }));
      const uncommitted = await uncommittedIn(workspace);
      const vanished = await vanishedRecords(workspace);
      const silent = await silences(workspace, context.now());
      const place = { state: layout.state, env: context.env, now: context.now() };
      const providers = conditionsOf(config().config.extract, place);
      const status = {
        pending_events: pending,
        failed_events: failed,
        records: { team: counts.team, private: counts.private },
        unreviewed: counts.unreviewed,
        uncommitted,
        vanished: vanished.length,
        missed: silent,
        last_event: Object.fromEntries([...lastEvents(layout)].map(([host, ms]) => [host, new Date(ms).toISOString()])),
        unreadable,
        draining: isLocked(join(layout.state, 'lock')),
        providers,
        cache: { ...cache, reason: cache.reason ?? null },
      };
      if (options.json) return context.json(status);
      const { style } = context;
      const line = (name: string, text: string) => context.stdout.write(`${style('dim', name.padEnd(9))}${text}\n`);
      const unreviewed = counts.unreviewed ? `, ${counts.unreviewed} unreviewed` : '';
      if (!existsSync(layout.memory)) context.stdout.write(`${NOT_SET_UP}\n`);
      line('Records', `${counts.team} team, ${counts.private} private${unreviewed}`);
      if (uncommitted.records > 0) line('', uncommittedSentence(uncommitted));
      if (vanished.length > 0) line('', vanishedSentence(vanished));
      line('Events', `${pending} waiting${status.draining ? ', a drain is running' : ''}`);
      for (const sentence of silent) line('', shown(sentence));
      if (failed > 0) line('', `${failed} set aside as unreadable: see \`git mem doctor\`.`);
      const where = cache.persistent ? bytes(cache.size) : 'in memory only: see `git mem doctor`';
      const engine = cache.kind === 'sqlite' ? 'SQLite' : 'MiniSearch';
      line('Cache', `${counted(cache.documents, 'record')}, ${engine}, ${where}`);
      const files = `${counted(unreadable, 'record file')} ${unreadable === 1 ? 'does' : 'do'}`;
      if (unreadable > 0) line('', `${files} not parse: see \`git mem doctor\`.`);
      for (const { provider, failures, until, reason } of providers) {
        const next = until === null ? '' : `, next try after ${until}`;
        if (reason) line('Provider', `${provider} failed ${counted(failures, 'time')}${next}: ${shown(reason)}`);
      }
    });

/** Counts uncommitted records; the code that finds their branches is loaded only if there are any. */
async function uncommittedIn(workspace: Workspace): Promise<Uncommitted> {
  const files = await untrackedRecords(workspace);
  if (files.length === 0) return { records: 0, other_branch: 0 };
  const { countElsewhere } = await import('../../../review/commit-policy.ts');
  return { records: files.length, other_branch: await countElsewhere(workspace, files) };
}
