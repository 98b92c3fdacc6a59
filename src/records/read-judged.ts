import type { Cache } from '../index/cache.ts';
import type { IndexedDocument, MemoryIndex } from '../index/memory-index.ts';
import { readLazily } from '../index/read-lazily.ts';
import { type HiddenPassages, hiddenPassages, withoutHidden } from '../memory/hidden-passages.ts';
import { isHidden } from '../memory/marks.ts';
import { readable, type StoredRecord } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type WithTrust, withReviewedRecord } from '../provenance/trust.ts';
import { type Annotated, annotate, presentable } from './annotate.ts';
import { type Judgement, judge, type Placed, placesOf, statementsOn } from './judgement.ts';

/** Listed records in the form that is shown, read from their files; without those removed or edited since the sync. */
export async function readJudged(
  workspace: Workspace,
  cache: Cache,
  places: Placed[],
  judgement: Judgement,
): Promise<{ placed: Placed; annotated: Annotated }[]> {
  const read = (await Promise.all(places.map((placed) => readUnchanged(workspace, placed)))).flat();
  const pool = read.map(({ placed, stored }) => ({ ...stored, trust: judgement.trust(placed) }));
  const annotated = await presented(workspace, cache, pool, judgement);
  return read.flatMap(({ placed }, i) => {
    const one = annotated[i];
    return one === undefined ? [] : [{ placed, annotated: one }];
  });
}

/**
 * Records already read, in the form that is shown: judged, as they were reviewed where they were edited since, without
 * the text of redacted ones, and summaries without what hidden ones said.
 */
export async function presented(
  workspace: Workspace,
  cache: Cache,
  read: WithTrust<StoredRecord>[],
  { states }: Judgement,
): Promise<Annotated[]> {
  const told = await withReviewedRecord(read, workspace);
  const hidden = await hiddenBeside(workspace, cache, told);
  const pool = told.map((one) => ({ ...one, record: withoutHidden(one.record, hidden) }));
  return (await annotate(workspace, pool, states)).map(presentable);
}

/** Most observations that are compared with one summary, beside those of its session. */
const MOST_COMPARED = 20;

/** What hidden observations said that these summaries may repeat: those of their sessions, and those with the same words. */
async function hiddenBeside(workspace: Workspace, cache: Cache, read: StoredRecord[]): Promise<HiddenPassages> {
  const summaries = read.filter(({ record }) => record.kind === 'summary');
  if (summaries.length === 0) return hiddenPassages([], []);
  const { places, statements } = await cache.query(
    (index) => {
      const found = summaries.flatMap((one) => observationsBeside(index, one));
      const documents = [...new Map(found.map((one) => [one.row, one])).values()];
      return { places: placesOf(index, documents), statements: statementsOn(index, documents) };
    },
    { glance: 'folders' },
  );
  const judgement = await judge(workspace, places, statements, { signatures: false });
  const isGone = ({ document }: Placed) => isHidden(judgement.states.of(document.card.id));
  if (!places.some(isGone)) return hiddenPassages([], []);
  const textOf = ({ entry }: Placed) => readable(workspace.stores[entry.store], entry)?.record ?? [];
  return hiddenPassages(places.filter(isGone).flatMap(textOf), places.filter(judgement.isActive).flatMap(textOf));
}

function observationsBeside(index: MemoryIndex, { record, blob }: StoredRecord): IndexedDocument[] {
  const isObservation = ({ card }: IndexedDocument) => card.kind === 'observation';
  const own = record.session === undefined ? [] : index.documents(index.session(record.session));
  const [document] = index.named(record.id).filter((one) => one.blob === blob);
  const terms = [...new Set(document?.terms.join(' ').split(' '))].filter(Boolean);
  const { documents, frequencies } = index.statistics(terms);
  const weights = new Map(terms.map((term) => [term, Math.log(1 + documents / (frequencies.get(term) ?? 1))]));
  return [...own.filter(isObservation), ...index.candidates(weights, MOST_COMPARED, isObservation)];
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
