import { isHidden } from '../../memory/marks.ts';
import { type KnownRecord, relationsOf, type StandingMark } from '../../provenance/relations.ts';
import { tokenize } from '../../recall/index/tokens.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import type { Placed } from '../../recall/query/standing.ts';
import { annotatedOf } from './cards.ts';
import { chainOf } from './chain.ts';
import type { Library } from './library.ts';
import type { RecordPage } from './protocol.ts';
import type { Shelf } from './shelf.ts';

/** Records of one list on a page. */
const MOST = { session: 200, cited: 50 };

/** Records that may name an id in their text, before they are read. */
const SUSPECTS = 200;

/** Records to either side in time. */
const AROUND = 5;

/** What lies around a record: in its session, in time, and in what others say of it. */
export interface Surroundings {
  chain: RecordPage['chain'];
  marks: StandingMark[];
  /** What the user asked for; undefined where no store has it. */
  prompt: string | undefined;
  cited: Placed[];
  session: Placed[];
  around: Placed[];
}

/** Asks the index what to read, so that it costs the same in a large memory as in a small one. */
export async function surroundingsOf(
  library: Library,
  shelf: Shelf,
  { placed, own }: { placed: Placed; own: Annotated },
): Promise<Surroundings> {
  const { id, session } = placed.document.card;
  const words = new Map(tokenize(id).map((word) => [word, 1]));
  const { companions, suspects } = await library.cache.query((index) => ({
    companions: session === undefined ? [] : index.documents(index.session(session)).map(({ card }) => card.id),
    suspects: index.candidates(words, SUSPECTS, ({ card }) => card.id !== id).map(({ card }) => card.id),
  }));
  const statements = statementsOf(shelf);
  const marks = statements.filter(({ record }) => record.kind === 'mark' && record.targets.includes(id));
  const toRead = [...new Set([...marks.map(({ record }) => record.id), ...suspects])];
  const read = await annotatedOf(library, shelf, placesOf(shelf, toRead));
  const known = new Map<string, KnownRecord>(statements.map((one) => [one.record.id, one]));
  for (const one of [...read, own]) known.set(one.record.id, one);
  const relations = relationsOf(id, [...known.values()]);
  const others = placesOf(shelf, companions).filter((one) => one !== placed);
  return {
    chain: chainOf(id, shelf, statements),
    marks: relations.marks,
    prompt: await promptOf(library, shelf, { card: placed.document.card, others }),
    cited: placesOf(
      shelf,
      relations.cited_by.map(({ record }) => record.id),
    ).slice(0, MOST.cited),
    session: others.filter(isTold).slice(-MOST.session),
    around: aroundOf(shelf, placed),
  };
}

/** The records that have a say about others, without their words. */
function statementsOf({ standing, byId }: Shelf): KnownRecord[] {
  return [...standing.statements].flatMap(([{ record, entry }, trust]) => {
    const meant = byId.get(record.id)?.entry;
    // Another file that claims the same id.
    if (meant?.path !== entry.path || meant.store !== entry.store) return [];
    return [{ record, entry, trust, state: standing.states.of(record.id) }];
  });
}

function placesOf({ byId }: Shelf, ids: string[]): Placed[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function promptOf(
  library: Library,
  shelf: Shelf,
  { card, others }: { card: Placed['document']['card']; others: Placed[] },
): Promise<string | undefined> {
  const isAsked = ({ document }: Placed) =>
    document.card.kind === 'prompt' && document.card.prompt_number === card.prompt_number;
  const asked = card.prompt_number === undefined ? undefined : others.find(isAsked);
  const [found] = asked === undefined ? [] : await annotatedOf(library, shelf, [asked]);
  return found?.record.kind === 'prompt' ? found.record.text : undefined;
}

function aroundOf({ places, standing }: Shelf, placed: Placed): Placed[] {
  const shown = places.filter(
    (one) => one === placed || (isTold(one) && !isHidden(standing.states.of(one.document.card.id))),
  );
  const at = shown.indexOf(placed);
  return shown.slice(Math.max(0, at - AROUND), at + AROUND + 1).reverse();
}

function isTold({ document }: Placed): boolean {
  return document.card.kind === 'observation' || document.card.kind === 'summary';
}
