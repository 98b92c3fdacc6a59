import type { Cache } from '../index/cache.ts';
import { readLazily } from '../index/document.ts';
import type { IndexedDocument, MemoryIndex } from '../index/memory-index.ts';
import { type HiddenPassages, hiddenPassages, withoutHidden } from '../memory/hidden-passages.ts';
import { isHidden } from '../memory/marks.ts';
import { readable, type StoredRecord } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type Filed, settledAmong } from '../provenance/bound-names.ts';
import type { Freshness } from '../provenance/levels.ts';
import { type WithTrust, withReviewedRecord } from '../provenance/trust.ts';
import { freshnessOf } from '../provenance/whereabouts.ts';
import { type Annotated, annotate, presentable } from './annotate.ts';
import { type Judgement, judge, type Placed, placesOf, statementsOn } from './judgement.ts';

/** Listed records in the form that is shown, read from their files; leaves out those removed or edited since the sync. */
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
 * Records already read, in the form that is shown: judged, as reviewed if edited since, without the text of redacted ones,
 * and with summaries that do not repeat hidden ones.
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

/** Maximum observations compared with one summary, beside those of its session. */
const MOST_COMPARED = 20;

/** What hidden observations said that these summaries may repeat: those of their sessions, and those with similar words. */
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

/** Files read before other work gets its turn, such as another question to the same server. */
const AT_A_TIME = 200;

/** The freshness of records in the index. Reads the files of those not judged before. */
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
