import { type Cache, openCache } from '../cache/cache.ts';
import type { IndexedDocument } from '../cache/memory-index.ts';
import { type EffectiveStates, foldMarks, isHidden } from '../memory/marks.ts';
import type { StoreName } from '../memory/record.ts';
import { mostTrusted, type Trust } from '../provenance/trust.ts';
import type { Workspace } from '../store/workspace.ts';
import { countRecords } from './record-count.ts';
import { bare, judge, placesOf, statementsOn } from './standing.ts';
import { noteHidden, tallyPath } from './tally.ts';

/** The observations and summaries that `list` shows, by store, and those among them that nobody reviewed. */
export interface LiveCount {
  team: number;
  private: number;
  unreviewed: number;
}

/** Records that are judged at once. */
const JUDGED_AT_ONCE = 50_000;

/** Counts what is live, and keeps for the status line how many files are not. */
export async function countLive(workspace: Workspace, cache: Cache, now: Date): Promise<LiveCount> {
  const { places, statements } = await cache.query((index) => ({
    places: placesOf(index, barely(index.newest())),
    statements: statementsOn(index, index.statements()),
  }));
  const told = places.filter(({ entry: { kind } }) => kind === 'observation' || kind === 'summary');
  const judged: { id: string; store: StoreName; trust: Trust }[] = [];
  let states: EffectiveStates = foldMarks([]);
  // A part after the other: what is known of each while it is judged takes more room than the answer.
  for (let at = 0; at === 0 || at < told.length; at += JUDGED_AT_ONCE) {
    const some = told.slice(at, at + JUDGED_AT_ONCE);
    const standing = await judge(workspace, some, at === 0 ? statements : []);
    if (at === 0) states = standing.states;
    for (const placed of some) {
      judged.push({ id: placed.document.card.id, store: placed.entry.store, trust: standing.trust(placed) });
    }
  }
  const live = mostTrusted(judged, (one) => one).filter(({ id }) => !isHidden(states.of(id)));
  noteListing(workspace, live.length, now);
  const inStore = (store: StoreName) => live.filter((one) => one.store === store).length;
  const unreviewed = live.filter(({ trust }) => trust === 'unreviewed').length;
  return { team: inStore('team'), private: inStore('private'), unreviewed };
}

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
export function noteListing(workspace: Workspace, live: number, now: Date): void {
  const { checkout, layout, at } = workspace;
  if (at !== undefined) return;
  const listed = countRecords(
    [layout.memory, layout.private],
    tallyPath(layout.state, checkout, 'counts'),
    now.getTime(),
  );
  noteHidden(workspace, listed - live);
}

function* barely(documents: Iterable<IndexedDocument>): Generator<IndexedDocument> {
  for (const document of documents) yield bare(document);
}
