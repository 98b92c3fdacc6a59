import { defaultBranches } from '../../git/default-branch.ts';
import { idOf, namesId } from '../../memory/id.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { readLedgers } from '../../memory/store/ledger.ts';
import { readable, type StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { commitOf } from '../../provenance/kept-trees.ts';
import { writeNotes } from '../briefing/notes.ts';
import { tallyPath } from '../briefing/tally.ts';
import { type Claiming, titleDisputes } from '../disputes/dispute.ts';
import type { Cache } from '../index/cache.ts';
import type { RecordIndex } from '../index/memory-index.ts';
import { judge, type Placed, placesOf, statementsOn } from './judgement.ts';
import { notCompared, noteAllCompared, type Progress, pairsIn, readProgress } from './kept-disputes.ts';

/** Most records that one drain compares with the others, newest first: about a millisecond each. */
const MOST_NEW = 500;

/** Compares the titles of trusted, active observations that were not compared yet with those of the others. */
export async function noteDisputes(workspace: Workspace, cache: Cache): Promise<void> {
  const { checkout, layout } = workspace;
  const [kept, done] = [tallyPath(layout.state, checkout, 'disputes'), tallyPath(layout.state, checkout, 'compared')];
  const before = readProgress(workspace);
  const compared = new Set(before.compared);
  const seen = new Set([...before.compared, ...before.waiting]);
  const trusting = trustBasis(workspace);
  const { places, statements, writes } = await cache.query((index) => {
    const documents = [...index.known().newest()].filter(({ card }) => card.kind === 'observation');
    const writes = index.known().writes();
    const isNew = documents.some(({ card }) => !seen.has(card.id));
    // A merge or an undo can bring back what waits.
    const isMoved = before.waiting.length > 0 && before.basis !== `${trusting} ${marksOn(index, before.waiting)}`;
    return isNew || isMoved
      ? { places: placesOf(index, documents), statements: statementsOn(index, documents), writes }
      : { places: [], statements: [], writes };
  });
  const noteCompared = () => cache.query((index) => noteAllCompared(workspace, index, writes), { glance: 'folders' });
  if (places.length === 0) return noteCompared();
  const judgement = await judge(workspace, places, statements, { signatures: false });
  const active = judgement.distinct(places).filter(judgement.isActive);
  const byId = new Map(active.map((placed) => [placed.document.card.id, placed]));
  const unknown = [...byId.keys()].filter((id) => !compared.has(id));
  const [fresh, later] = [unknown.slice(0, MOST_NEW), new Set(unknown.slice(MOST_NEW))];
  writeNotes(kept, openPairs(workspace, byId, { fresh, known: pairsIn(readNotes(kept)) }));
  const ids = places.map(({ document }) => document.card.id).filter((id) => !later.has(id));
  const waiting = ids.filter((id) => !byId.has(id));
  const basis = `${trusting} ${await cache.query((index) => marksOn(index, waiting))}`;
  const progress: Progress = { compared: ids.filter((id) => byId.has(id)), waiting, basis };
  writeNotes(done, progress);
  if (later.size === 0) await noteCompared();
}

/** The pairs among some records that no drain has found, because it has not seen one of the two yet. */
export function pairsSince(workspace: Workspace, places: readonly Placed[]): [string, string][] {
  const byId = new Map(places.map((placed) => [placed.document.card.id, placed]));
  const fresh = notCompared([...byId.keys()], workspace);
  return fresh.length === 0 ? [] : openPairs(workspace, byId, { fresh, known: [] });
}

/** The known pairs and those that new records add, without those that a third record settles by naming both. */
function openPairs(
  workspace: Workspace,
  active: ReadonlyMap<string, Placed>,
  { fresh, known: before }: { fresh: string[]; known: [string, string][] },
): [string, string][] {
  const known = new Map<string, StoredRecord | undefined>();
  /** Each is read once; undefined for one whose file is gone. */
  const read = (id: string) => {
    const placed = known.has(id) ? undefined : active.get(id);
    if (placed !== undefined) known.set(id, readable(workspace.stores[placed.entry.store], placed.entry));
    return known.get(id);
  };
  const kept = before.filter((pair) => pair.every((id) => active.has(id)));
  const isKept = new Set(kept.map(keyOf));
  const found = titleDisputes([...active.values()].map(claimOf), new Set(fresh)).filter(
    (pair) => !isKept.has(keyOf(pair)),
  );
  const isSettled = (pair: [string, string], by: Iterable<string>) =>
    [...by].some((id) => !pair.includes(id) && names(read(id), pair));
  const writtenAt = (id: string) => active.get(id)?.document.card.created ?? '';
  // A pair may be found long after the record that settled it was compared.
  const since = (pair: [string, string]) =>
    [...active.keys()].filter((id) => pair.every((one) => writtenAt(one) <= writtenAt(id)));
  return [
    ...kept.filter((pair) => !isSettled(pair, fresh)),
    ...found.filter(([one, other]) => {
      if (names(read(one), [other]) || names(read(other), [one])) return false;
      return !isSettled([one, other], since([one, other]));
    }),
  ];
}

function keyOf(pair: [string, string]): string {
  return [...pair].sort().join(' ');
}

/** Changes when an untrusted record can have become trusted: with the reviewed commits and the clone's ledger. */
function trustBasis(workspace: Workspace): string {
  const reviewed = defaultBranches(workspace).map((branch) => commitOf(workspace.checkout, branch));
  return [...reviewed, readLedgers(workspace).size].join(' ');
}

/** Changes with the marks that decide whether some records are hidden. */
function marksOn(index: RecordIndex, ids: string[]): string {
  const marks = ids.length === 0 ? [] : index.statements(new Set(ids)).map(({ card }) => card.id);
  return idOf(marks.sort().join(' '));
}

function claimOf({ document: { card } }: Placed): Claiming {
  const { id, title, files, supersedes, created } = card;
  const generated = { by: '', at: created };
  return { id, title, narrative: '', facts: [], files_modified: files, files_read: [], supersedes, generated };
}

function names(stored: StoredRecord | undefined, ids: string[]): boolean {
  return stored !== undefined && ids.every((id) => namesId(stored.text, id));
}
