import { readNotes } from '../../memory/store/json-file.ts';
import { readable, type StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isText, writeNotes } from '../briefing/notes.ts';
import { tallyPath } from '../briefing/tally.ts';
import { type Claiming, titleDisputes } from '../disputes/dispute.ts';
import type { Cache } from '../index/cache.ts';
import { judge, type Placed, placesOf, statementsOn } from './judgement.ts';
import { pairsIn } from './kept-disputes.ts';

/** Most records that one drain compares with the others, newest first: about a millisecond each. */
const MOST_NEW = 500;

/** Compares the titles of trusted, live observations that were not compared yet with those of the others. */
export async function noteDisputes(workspace: Workspace, cache: Cache): Promise<void> {
  const { checkout, layout } = workspace;
  const [kept, done] = [tallyPath(layout.state, checkout, 'disputes'), tallyPath(layout.state, checkout, 'compared')];
  const noted = readNotes(done);
  const before = new Set(Array.isArray(noted) ? noted.filter(isText) : []);
  const { places, statements } = await cache.query((index) => {
    const documents = [...index.known().newest()].filter(({ card }) => card.kind === 'observation');
    const isNew = documents.some(({ card }) => !before.has(card.id));
    return isNew ? { places: placesOf(index, documents), statements: statementsOn(index, documents) } : NOTHING;
  });
  if (places.length === 0) return;
  const judgement = await judge(workspace, places, statements, { signatures: false });
  const live = judgement.distinct(places).filter(judgement.isLive);
  const byId = new Map(live.map((placed) => [placed.document.card.id, placed]));
  const unknown = [...byId.keys()].filter((id) => !before.has(id));
  const [fresh, later] = [unknown.slice(0, MOST_NEW), new Set(unknown.slice(MOST_NEW))];
  const read = reader(workspace, byId);
  const found = titleDisputes(live.map(claimOf), new Set(fresh)).filter(
    ([one, other]) => !names(read(one), [other]) && !names(read(other), [one]),
  );
  const pairs = [...pairsIn(readNotes(kept)), ...found].filter((pair) => pair.every((id) => byId.has(id)));
  // A record that names both, written after them, settles what they say.
  const open = pairs.filter((pair) => !fresh.some((id) => !pair.includes(id) && names(read(id), pair)));
  writeNotes(kept, open);
  // Those that are not live count as compared: they are not looked at again in each drain.
  writeNotes(
    done,
    places.flatMap(({ document: { card } }) => (later.has(card.id) ? [] : [card.id])),
  );
}

const NOTHING: { places: Placed[]; statements: Placed[] } = { places: [], statements: [] };

function claimOf({ document: { card } }: Placed): Claiming {
  const { id, title, files, supersedes, created } = card;
  const generated = { by: '', at: created };
  return { id, title, narrative: '', facts: [], files_modified: files, files_read: [], supersedes, generated };
}

/** Reads records by id, each once; undefined for one whose file is gone. */
function reader({ stores }: Workspace, places: ReadonlyMap<string, Placed>): (id: string) => StoredRecord | undefined {
  const known = new Map<string, StoredRecord | undefined>();
  return (id) => {
    const placed = known.has(id) ? undefined : places.get(id);
    if (placed !== undefined) known.set(id, readable(stores[placed.entry.store], placed.entry));
    return known.get(id);
  };
}

function names(stored: StoredRecord | undefined, ids: string[]): boolean {
  return stored !== undefined && ids.every((id) => stored.text.includes(id));
}
