import { defaultBranches } from '../git/default-branch.ts';
import type { Cache } from '../index/cache.ts';
import type { MemoryIndex, Outline } from '../index/memory-index.ts';
import { fieldsOf, jsonIn } from '../json.ts';
import { stampOf } from '../kept/stamp.ts';
import { commitOf } from '../kept/trees.ts';
import { isHidden } from '../memory/marks.ts';
import type { StoreName } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted, mostTrusted, withTrust } from '../provenance/trust.ts';
import { judge, type Placed, placesOf } from '../records/judgement.ts';

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

// Counting active records means asking git about every one, which takes most of the time of a `status`. A count is kept
// in the index with a key of everything that it depends on, and is lost with the index. It is kept only if every record
// and mark is trusted: not everything that could make an untrusted one count, such as a key that the user allows, is
// visible from here.

/** The observations and summaries that `list` shows, by store, and those among them that nobody reviewed. */
interface LiveCount {
  team: number;
  private: number;
  unreviewed: number;
}

/**
 * The kept count, if nothing that it depends on has changed, and a key of all that; without `basis` where files cannot show
 * changes.
 */
function keptCount(workspace: Workspace, index: MemoryIndex): { basis: string | undefined; count?: LiveCount } {
  const basis = basisOf(workspace, index.writes());
  if (basis === undefined) return { basis };
  const { basis: of, team, private: own } = fieldsOf(jsonIn(index.meta(nameOf(workspace)) ?? ''));
  const isKept = of === basis && typeof team === 'number' && typeof own === 'number';
  return isKept ? { basis, count: { team, private: own, unreviewed: 0 } } : { basis };
}

/** Keeps a count of records that are all trusted. */
async function keepCount(workspace: Workspace, cache: Cache, basis: string, count: LiveCount): Promise<void> {
  const { team, private: own } = count;
  const text = JSON.stringify({ basis, team, private: own });
  await cache.write((index) => index.setMeta(nameOf(workspace), text), { glance: 'folders' });
}

function basisOf(workspace: Workspace, writes: string | undefined): string | undefined {
  const { checkout, at, ledger, otherLedgers } = workspace;
  if (writes === undefined || at !== undefined) return undefined;
  const reviewed = defaultBranches(workspace).map((branch) => commitOf(checkout, branch));
  if (reviewed.includes(undefined)) return undefined;
  const lists = [ledger, ...otherLedgers].flatMap((path) => [path, `${path}-marks`, `${path}-accepted`]);
  return [writes, ...reviewed, ...lists.map(stampOf)].join(' ');
}

function nameOf({ checkout }: Workspace): string {
  return `live ${checkout.root}`;
}
