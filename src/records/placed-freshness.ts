import { readLazily } from '../index/read-lazily.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type Filed, settledAmong } from '../provenance/bound-names.ts';
import type { Freshness } from '../provenance/freshness.ts';
import { freshnessOf } from '../provenance/whereabouts.ts';
import type { Placed } from './judgement.ts';

/** Files read before other work gets its turn, such as another question to the same server. */
const AT_A_TIME = 200;

/** The freshness of records in the index. Reads the files of those that were not judged before. */
export async function placedFreshness(workspace: Workspace, places: Placed[]): Promise<Map<Placed, Freshness>> {
  const settled = settledAmong(workspace, new Set(places.map(({ document }) => document.blob)));
  const filed: Filed[] = [];
  for (let at = 0; at < places.length; at += AT_A_TIME) {
    const some = places.slice(at, at + AT_A_TIME).filter(({ document }) => document.card.kind === 'observation');
    filed.push(...(await Promise.all(some.map((placed) => readUnsettled(workspace, placed, settled)))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const judged = await freshnessOf(workspace, filed);
  return new Map(places.map((placed) => [placed, judged(placed.document.blob).freshness]));
}

async function readUnsettled(
  { stores }: Workspace,
  { document: { blob }, entry }: Placed,
  settled: ReadonlySet<string>,
): Promise<Filed> {
  if (settled.has(blob)) return { blob };
  try {
    const stored = await readLazily(stores[entry.store], entry);
    return stored.blob === blob ? stored : { blob };
  } catch {
    return { blob }; // Removed since: the next sync drops it.
  }
}

/** The records with this freshness, in their order; all of them if none is given. */
export async function withFreshness(workspace: Workspace, places: Placed[], wanted?: Freshness): Promise<Placed[]> {
  if (wanted === undefined) return places;
  const freshness = await placedFreshness(workspace, places);
  return places.filter((placed) => freshness.get(placed) === wanted);
}
