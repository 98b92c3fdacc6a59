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

export type Uses = Awaited<ReturnType<typeof usesOf>>;

/**
 * In how many sessions the active records were used, and the most used ones, at most this many; `commits` are those whose
 * messages name a record. One git child.
 */
export async function usesOf(workspace: Workspace, records: Annotated[], { now }: Context, most: number) {
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
      /** Since when this clone counts. */
      since: new Date(counts.sinceMs).toISOString(),
      injected: how('injected'),
      fetched: how('fetched'),
      followed: how('followed'),
      /** Never injected or opened here, and named by no commit. */
      never: all.length - used.length,
      records: used.slice(0, most),
    };
  });
}

/** Columns of a title, beside the numbers, in a terminal of a hundred. */
const TITLE = 60;

/** Prints the uses as a table: sessions in which a record was injected, opened, and followed by work on its files. */
export function printUses({ since, never, records, ...how }: Uses, { stdout, style }: Context): void {
  stdout.write(`\n${style('bold', 'Use')}\n`);
  stdout.write(`  counted here since ${dayOf(Date.parse(since))}: ${how.injected} injected, ${how.fetched} opened, `);
  stdout.write(`${how.followed} followed by work, ${counted(never, 'record')} never used\n`);
  if (records.length === 0) return;
  const pad = (n: number, columns: number) => String(n).padStart(columns);
  stdout.write(`  ${style('dim', 'injected  opened  followed  commits')}\n`);
  for (const { id, title, injected, fetched, followed, commits } of records) {
    const counts = `${pad(injected, 8)}  ${pad(fetched, 6)}  ${pad(followed, 8)}  ${pad(commits, 7)}`;
    stdout.write(`  ${counts}  ${style('yellow', id)}  ${fitted(shown(title), TITLE)}\n`);
  }
}
