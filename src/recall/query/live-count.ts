import { isHidden } from '../../memory/marks.ts';
import type { StoreName } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, mostTrusted, type Trust, trustOf } from '../../provenance/trust.ts';
import { countRecords } from '../briefing/record-count.ts';
import { noteHidden, tallyPath } from '../briefing/tally.ts';
import { type Cache, openCache } from '../index/cache.ts';
import type { Outline } from '../index/memory-index.ts';
import { keepCount, keptCount, type LiveCount } from './kept-count.ts';
import { judge, type Placed, placesOf } from './standing.ts';

/** Records that are judged at once. */
const JUDGED_AT_ONCE = 50_000;

/** Counts what is live, and keeps for the status line how many files are not. */
export async function countLive(workspace: Workspace, cache: Cache, now: Date): Promise<LiveCount> {
  const asked = await cache.query(
    (index) => {
      const kept = keptCount(workspace, index);
      if (kept.count !== undefined) return { ...kept, count: kept.count };
      return { basis: kept.basis, outlines: index.outlines(), statements: placesOf(index, index.statements()) };
    },
    { glance: true },
  );
  const { count, isTrustedAll } =
    'count' in asked ? { ...asked, isTrustedAll: false } : await countNow(workspace, asked);
  noteListing(workspace, count.team + count.private, now);
  const { basis } = asked;
  if (isTrustedAll && basis !== undefined && count.team + count.private > QUICK) {
    await keepCount(workspace, cache, { basis, count });
  }
  return count;
}

async function countNow(
  workspace: Workspace,
  { outlines, statements }: { outlines: Outline[]; statements: Placed[] },
): Promise<{ count: LiveCount; isTrustedAll: boolean }> {
  const levels: Trust[] = [];
  // A part after the other: what is known of each while it is judged takes more room than the answer.
  for (let at = 0; at < outlines.length; at += JUDGED_AT_ONCE) {
    const some = outlines.slice(at, at + JUDGED_AT_ONCE);
    const files = some.map(({ store, path, blob }) => ({ entry: { store, path }, blob }));
    levels.push(...(await trustOf(files, workspace, { signatures: true })));
  }
  const about = outlines.map(({ id }) => id);
  const { states, statements: spoken } = await judge(workspace, [], statements, { about });
  const judged = outlines.map(({ id, store }, i) => ({ id, store, trust: levels[i] ?? 'unreviewed' }));
  const live = mostTrusted(judged, (one) => one).filter(({ id }) => !isHidden(states.of(id)));
  const inStore = (store: StoreName) => live.filter((one) => one.store === store).length;
  const unreviewed = live.filter(({ trust }) => trust === 'unreviewed').length;
  const count = { team: inStore('team'), private: inStore('private'), unreviewed };
  return { count, isTrustedAll: [...levels, ...spoken.map(({ trust }) => trust)].every(isTrusted) };
}

/** Fewer records are counted as quickly as a count is kept. */
const QUICK = 1000;

/** A larger store is counted again by the next `list`, `status` or drain: nobody waits for it after a mark. */
const MOST_AT_ONCE = 20_000;

/** Counts again after a mark, so that the status line agrees with `list` at once. Never fails: the mark is written. */
export async function recount(workspace: Workspace, now: Date): Promise<void> {
  const cache = openCache(workspace);
  try {
    if ((await cache.query((index) => index.size())) <= MOST_AT_ONCE) await countLive(workspace, cache, now);
  } catch {
    // The status line shows what was counted last.
  } finally {
    cache.close();
  }
}

/** Notes how many listed records are not live, which the status line cannot find out in its time. */
function noteListing(workspace: Workspace, live: number, now: Date): void {
  const { checkout, layout, at } = workspace;
  if (at !== undefined) return;
  const listed = countRecords(
    [layout.memory, layout.private],
    tallyPath(layout.state, checkout, 'counts'),
    now.getTime(),
  );
  noteHidden(workspace, listed - live);
}
