import { isHidden } from '../../memory/marks.ts';
import { isContent } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { usedInCommits } from '../../provenance/used-trailers.ts';
import { counted } from '../../quantities.ts';
import { withCache } from '../../recall/index/cache.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import { countUse } from '../../recall/query/use.ts';
import type { Context } from './command.ts';
import { fitted, shown } from './print.ts';
import { titleOf } from './record-table.ts';
import { dayOf, useView } from './use-view.ts';

/** The use of active records, in sessions; `commits` are those whose messages name a record as used. */
export interface Uses {
  /** Since when this clone counts (ISO 8601). */
  since: string;
  injected: number;
  fetched: number;
  followed: number;
  /** Records that were never injected or opened here, and that no commit names. */
  never: number;
  /** The most used ones. */
  records: (ReturnType<typeof useView> & { id: string; title: string; commits: number })[];
}

/** The use of all records, naming at most this many; one git child. */
export async function usesOf(
  workspace: Workspace,
  records: Annotated[],
  { now }: Context,
  most: number,
): Promise<Uses> {
  return withCache(workspace, async (cache) => {
    const [counts, trailers] = await Promise.all([countUse(workspace, cache, now()), usedInCommits(workspace)]);
    const active = records.filter(
      (one) => isContent(one.record) && one.record.type !== 'digest' && !isHidden(one.state),
    );
    const all = active.map(({ record }) => {
      const commits = trailers.get(record.id)?.commits ?? 0;
      return { id: record.id, title: titleOf(record), ...useView(counts.of(record.id)), commits };
    });
    const used = all.filter(({ injected, fetched, commits }) => injected + fetched + commits > 0);
    const how = (what: 'injected' | 'fetched' | 'followed') => all.filter((one) => one[what] > 0).length;
    used.sort(
      (a, b) => b.followed - a.followed || b.commits - a.commits || b.fetched - a.fetched || b.injected - a.injected,
    );
    return {
      since: new Date(counts.sinceMs).toISOString(),
      injected: how('injected'),
      fetched: how('fetched'),
      followed: how('followed'),
      never: all.length - used.length,
      records: used.slice(0, most),
    };
  });
}

/** Prints the uses as a table: sessions in which a record was injected, opened, and followed by work on its files. */
export function printUses({ since, never, records, ...how }: Uses, { stdout, style }: Context): void {
  stdout.write(`\n${style('bold', 'Use')}\n`);
  stdout.write(`  counted here since ${dayOf(Date.parse(since))}: ${how.injected} injected, ${how.fetched} opened, `);
  stdout.write(`${how.followed} followed by work, ${counted(never, 'record')} never used\n`);
  if (records.length === 0) return;
  stdout.write(`  ${style('dim', 'injected  opened  followed  commits')}\n`);
  for (const { id, title, injected, fetched, followed, commits } of records) {
    const cells = [
      String(injected).padStart(8),
      String(fetched).padStart(6),
      String(followed).padStart(8),
      String(commits).padStart(7),
    ];
    stdout.write(`  ${cells.join('  ')}  ${style('yellow', id)}  ${fitted(shown(title), 60)}\n`);
  }
}
