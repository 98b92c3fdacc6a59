import { isHidden } from '../../memory/marks.ts';
import type { StoreName } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, mostTrusted, withTrust } from '../../provenance/trust.ts';
import type { Cache } from '../index/cache.ts';
import type { Outline } from '../index/memory-index.ts';
import { judge, type Placed, placesOf } from './judgement.ts';
import { keepCount, keptCount, type LiveCount } from './kept-count.ts';

/** Counts the active records. */
export async function countActive(workspace: Workspace, cache: Cache): Promise<LiveCount> {
  const asked = await cache.query(
    (index) => {
      const kept = keptCount(workspace, index);
      if (kept.count !== undefined) return { ...kept, count: kept.count };
      return { basis: kept.basis, outlines: index.outlines(), statements: placesOf(index, index.statements()) };
    },
    { glance: 'folders' },
  );
  const { count, isTrustedAll } =
    'count' in asked ? { ...asked, isTrustedAll: false } : await countNow(workspace, asked);
  const isLarge = count.team + count.private > QUICK;
  if (isLarge && isTrustedAll && asked.basis !== undefined) await keepCount(workspace, cache, asked.basis, count);
  return count;
}

async function countNow(
  workspace: Workspace,
  { outlines, statements }: { outlines: Outline[]; statements: Placed[] },
): Promise<{ count: LiveCount; isTrustedAll: boolean }> {
  const files = outlines.map(({ id, store, path, blob }) => ({ id, store, entry: { store, path }, blob }));
  const judged = await withTrust(files, workspace, { signatures: true });
  const about = outlines.map(({ id }) => id);
  const { states, statements: spoken } = await judge(workspace, [], statements, { about });
  const active = mostTrusted(judged, (one) => one).filter(({ id }) => !isHidden(states.of(id)));
  const inStore = (store: StoreName) => active.filter((one) => one.store === store).length;
  const unreviewed = active.filter(({ trust }) => trust === 'unreviewed').length;
  const count = { team: inStore('team'), private: inStore('private'), unreviewed };
  return { count, isTrustedAll: [...judged, ...spoken].every(({ trust }) => isTrusted(trust)) };
}

/** Smaller stores are counted as quickly as a count is stored. */
const QUICK = 1000;
