import { makerWords } from '../../memory/author.ts';
import type { Statement } from '../../memory/marks.ts';
import { isContent } from '../../memory/record.ts';
import { WITHHELD } from '../../memory/redaction.ts';
import { type JudgedMark, type JudgedStatement, relationsOf, replacementsIn } from '../../provenance/relations.ts';
import type { Origin, RecordedCommit } from '../../provenance/why.ts';
import type { Annotated } from '../../records/annotate.ts';
import type { Placed } from '../../records/judgement.ts';
import { suspectsOf } from '../../records/records.ts';
import type { CodeLinks } from '../../review/code-links.ts';
import { annotatedOf } from './cards.ts';
import type { Library } from './library.ts';
import type { RecordPage } from './record-protocol.ts';
import { chainAround, chainState, MOST } from './replacing.ts';
import type { Snapshot } from './snapshot.ts';

/** Where a record comes from, without its prompt. */
export function provenanceOf(
  { record, readTokens }: Annotated,
  { trust_reason, recorded, history_ends, reverted_by }: Origin,
  links?: CodeLinks,
): RecordPage['provenance'] {
  const made = isContent(record) ? record : undefined;
  return {
    by: makerWords(record.generated),
    extractor: made?.extractor ?? null,
    prompt: null,
    prompt_number: record.prompt_number ?? null,
    trust_reason,
    recorded: recorded ? commitOf(recorded, links) : null,
    history_ends: history_ends ?? false,
    reverted_by: reverted_by?.commit ?? null,
    discovery_tokens: made?.discovery_tokens ?? null,
    read_tokens: readTokens,
  };
}

/** A commit for a page, with its address on the code host if that is known. */
function commitOf({ date, ...commit }: RecordedCommit, links?: CodeLinks): RecordPage['provenance']['recorded'] {
  return { ...commit, at: new Date(date).toISOString(), ...(links && { url: links.commit(commit.commit) }) };
}

export function markOf({ mark, trust, active }: JudgedMark): RecordPage['marks'][number] {
  const { id, type, reason, generated, guards } = mark;
  const made = { by: makerWords(generated), created: generated.at };
  return { id, type, reason, ...made, trust, active, ...(guards && { guards }) };
}

/** The context of a record: its session, and the records that mention it. */
export interface Surroundings {
  chain: RecordPage['chain'];
  marks: JudgedMark[];
  /** The user's prompt; undefined if no store has it. */
  prompt: string | undefined;
  cited: Placed[];
  session: Placed[];
}

/** Asks the index which records to read, so that it costs the same in a large memory as in a small one. */
export async function surroundingsOf(
  library: Library,
  snapshot: Snapshot,
  { placed, own }: { placed: Placed; own: Annotated },
): Promise<Surroundings> {
  const { id, session } = placed.document.card;
  const { companions, suspects } = await library.cache.query((index) => ({
    companions: session === undefined ? [] : index.documents(index.session(session)).map(({ card }) => card.id),
    suspects: suspectsOf(index, id),
  }));
  const statements = statementsOf(snapshot);
  const speakers = statements.filter(({ record }) => isAbout(record, id)).map(({ record }) => record.id);
  const read = await annotatedOf(library, snapshot, placesOf(snapshot, [...new Set([...speakers, ...suspects])]));
  const relations = relationsOf(id, [...read, own], statements);
  const others = placesOf(snapshot, companions).filter((one) => one !== placed);
  return {
    chain: chainAround(id, replacementsIn(statements), (one) => nodeOf(one, snapshot)),
    marks: relations.marks,
    prompt: await promptOf(library, snapshot, { card: placed.document.card, others }),
    cited: placesOf(
      snapshot,
      relations.cited_by.map(({ record }) => record.id),
    ).slice(0, MOST.cited),
    session: others.filter(({ document }) => isContent(document.card)).slice(-MOST.session),
  };
}

/** What records of the snapshot say about others; another file with the same id does not count. */
function statementsOf({ judgement, byId }: Snapshot): JudgedStatement[] {
  return judgement.statements.filter(({ record, entry }) => {
    const meant = byId.get(record.id)?.entry;
    return meant?.path === entry.path && meant.store === entry.store;
  });
}

function isAbout(statement: Statement, id: string): boolean {
  if (statement.kind === 'prompt') return false;
  return (statement.kind === 'mark' ? statement.targets : statement.supersedes).includes(id);
}

function placesOf({ byId }: Snapshot, ids: string[]): Placed[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function promptOf(
  library: Library,
  snapshot: Snapshot,
  { card, others }: { card: Placed['document']['card']; others: Placed[] },
): Promise<string | undefined> {
  const isAsked = ({ document }: Placed) =>
    document.card.kind === 'prompt' && document.card.prompt_number === card.prompt_number;
  const asked = card.prompt_number === undefined ? undefined : others.find(isAsked);
  const [found] = asked === undefined ? [] : await annotatedOf(library, snapshot, [asked]);
  return found?.record.kind === 'prompt' ? found.record.text : undefined;
}

function nodeOf(id: string, { byId, judgement }: Snapshot): RecordPage['chain'][number] {
  const card = byId.get(id)?.document.card;
  if (card === undefined) return { id, title: '', state: 'missing' };
  const state = judgement.states.of(id);
  return { id, title: state.redacted ? WITHHELD : card.title, state: chainState(state) };
}
