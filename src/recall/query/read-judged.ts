import type { StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { WithTrust } from '../../provenance/trust.ts';
import { readLazily } from '../index/read-lazily.ts';
import { type Annotated, annotate, presentable } from './annotate.ts';
import type { Judgement, Placed } from './judgement.ts';

/** Listed records in the form that is shown, read from their files; without those removed or edited since the sync. */
export async function readJudged(
  workspace: Workspace,
  places: Placed[],
  judgement: Judgement,
): Promise<{ placed: Placed; annotated: Annotated }[]> {
  const read = (await Promise.all(places.map((placed) => readUnchanged(workspace, placed)))).flat();
  const pool = read.map(({ placed, stored }) => ({ ...stored, trust: judgement.trust(placed) }));
  const annotated = await presented(workspace, pool, judgement);
  return read.flatMap(({ placed }, i) => {
    const one = annotated[i];
    return one === undefined ? [] : [{ placed, annotated: one }];
  });
}

/**
 * Records already read, in the form that is shown: judged, and without the text of redacted ones.
 */
export async function presented(
  workspace: Workspace,
  read: WithTrust<StoredRecord>[],
  { states }: Judgement,
): Promise<Annotated[]> {
  return (await annotate(workspace, read, states)).map(presentable);
}

async function readUnchanged(
  workspace: Workspace,
  placed: Placed,
): Promise<{ placed: Placed; stored: StoredRecord }[]> {
  try {
    const stored = await readLazily(workspace.stores[placed.entry.store], placed.entry);
    // Edited since the sync: its content is no longer what was judged.
    return stored.blob === placed.document.blob ? [{ placed, stored }] : [];
  } catch {
    return []; // The next sync drops it too, and `git mem check` reports what does not parse.
  }
}
