import type { Workspace } from '../../memory/store/workspace.ts';
import type { Freshness } from '../../provenance/freshness.ts';
import { judgeOf } from '../../provenance/whereabouts.ts';
import { readLazily } from '../index/read-lazily.ts';
import type { Placed } from './judgement.ts';

/** Files read before other work gets its turn, such as another question to the same server. */
const AT_A_TIME = 200;

/** The blobs of cited files, by the record's own blob, whose content never changes. */
export type Anchors = Map<string, Record<string, string>>;

/**
 * The freshness of records in the index. Reads the files whose anchors are not known yet, and adds them to `anchors`.
 */
export async function freshnessOf(
  workspace: Workspace,
  places: Placed[],
  anchors: Anchors = new Map(),
): Promise<Map<Placed, Freshness>> {
  for (let at = 0; at < places.length; at += AT_A_TIME) {
    const unread = places.slice(at, at + AT_A_TIME).filter(({ document }) => !anchors.has(document.blob));
    await Promise.all(unread.map((placed) => readAnchors(workspace, placed, anchors)));
    if (unread.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const cited = places.map(({ document }) => anchors.get(document.blob) ?? {});
  const judged = await judgeOf(workspace, cited);
  return new Map(places.map((placed, i) => [placed, judged.of(cited[i] ?? {})]));
}

async function readAnchors({ stores }: Workspace, { document, entry }: Placed, anchors: Anchors): Promise<void> {
  if (document.card.kind !== 'observation') return;
  try {
    const { record, blob } = await readLazily(stores[entry.store], entry);
    if (record.kind === 'observation') anchors.set(blob, record.anchors);
  } catch {
    // Removed since: the next sync drops it.
  }
}

/** The records with this freshness, in their order; all of them if none is given. */
export async function withFreshness(workspace: Workspace, places: Placed[], wanted?: Freshness): Promise<Placed[]> {
  if (wanted === undefined) return places;
  const freshness = await freshnessOf(workspace, places);
  return places.filter((placed) => freshness.get(placed) === wanted);
}
