import { join } from 'node:path';
import type { Command } from 'commander';
import { openCache } from '../../cache/cache.ts';
import { type CacheCondition, conditionOf, countUnreadable } from '../../cache/condition.ts';
import type { IndexedDocument } from '../../cache/memory-index.ts';
import { conditionsOf } from '../../extract/chain-condition.ts';
import type { StoreName } from '../../memory/record.ts';
import { mostTrusted, type Trust } from '../../provenance/trust.ts';
import { bare, judge, type Placed, placesOf } from '../../recall/standing.ts';
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
      const { cache, counts, unreadable } = await look(workspace);
      const place = { state: layout.state, env: context.env, now: context.now() };
      const providers = conditionsOf(config().config.extract, place);
      const status = {
        pending_events: pending,
        failed_events: failed,
        records: { team: counts.team, private: counts.private },
        unreviewed: counts.unreviewed,
        unreadable,
        draining: isLocked(join(layout.state, 'lock')),
        providers,
        cache: { ...cache, reason: cache.reason ?? null },
      };
      if (options.json) return printJson(context.stdout, status);
      const style = styler(context.stdout, context.env);
      const line = (name: string, text: string) => context.stdout.write(`${style('dim', name.padEnd(9))}${text}\n`);
      line(
        'Records',
        `${status.records.team} team, ${status.records.private} private${counts.unreviewed ? `, ${counts.unreviewed} unreviewed` : ''}`,
      );
      line('Events', `${status.pending_events} waiting${status.draining ? ', a drain is at work' : ''}`);
      if (status.failed_events > 0)
        line('', `${status.failed_events} set aside as unreadable: see \`git mem doctor\`.`);
      line('Cache', describe(cache));
      if (unreadable > 0) line('', `${unreadable} record files do not parse: see \`git mem doctor\`.`);
      for (const { provider, failures, until, reason } of providers) {
        const next = until === null ? '' : `, next try after ${until}`;
        if (reason !== null)
          line('Provider', `${provider} failed ${counted(failures, 'time')}${next}: ${shown(reason)}`);
      }
    });
}

/** What the index tells, which knows enough of each record to count it: reading them all takes several times as long. */
async function look(workspace: Workspace) {
  const cache = openCache(workspace);
  try {
    const condition = await conditionOf(workspace, cache);
    const { places, unreadable } = await cache.query((index) => ({
      places: placesOf(index, barely(index.newest())),
      unreadable: countUnreadable(index),
    }));
    return { cache: condition, counts: await count(workspace, places), unreadable };
  } finally {
    cache.close();
  }
}

/** Records that are judged at once. */
const JUDGED_AT_ONCE = 50_000;

function* barely(documents: Iterable<IndexedDocument>): Generator<IndexedDocument> {
  for (const document of documents) yield bare(document);
}

/** Observations and summaries by store, and those among them that nobody reviewed. */
async function count(workspace: Workspace, places: Placed[]) {
  const told = places.filter(({ entry: { kind } }) => kind === 'observation' || kind === 'summary');
  const judged: { id: string; store: StoreName; trust: Trust }[] = [];
  // A part after the other: what is known of each while it is judged takes more room than the answer.
  for (let at = 0; at < told.length; at += JUDGED_AT_ONCE) {
    const some = told.slice(at, at + JUDGED_AT_ONCE);
    const standing = await judge(workspace, some, []);
    for (const placed of some) {
      judged.push({ id: placed.document.card.id, store: placed.entry.store, trust: standing.trust(placed) });
    }
  }
  const distinct = mostTrusted(judged, (one) => one);
  const inStore = (store: StoreName) => distinct.filter((one) => one.store === store).length;
  const unreviewed = distinct.filter(({ trust }) => trust === 'unreviewed').length;
  return { team: inStore('team'), private: inStore('private'), unreviewed };
}

function describe({ kind, documents, persistent, size }: CacheCondition): string {
  const where = persistent ? bytes(size) : 'in memory only: see `git mem doctor`';
  return `${counted(documents, 'record')}, ${kind === 'sqlite' ? 'SQLite' : 'MiniSearch'}, ${where}`;
}
