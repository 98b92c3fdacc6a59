import { makerWords } from '../../memory/author.ts';
import { isContent } from '../../memory/record.ts';
import { WITHHELD } from '../../memory/redaction.ts';
import { type JudgedMark, type JudgedStatement, relationsOf, replacementsIn } from '../../provenance/relations.ts';
import type { Origin, RecordedCommit } from '../../provenance/why.ts';
import type { Annotated } from '../../records/annotate.ts';
import type { CodeLinks } from '../../review/code-links.ts';
import { cardOf } from './cards.ts';
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

/** The chain and the lists beside a record; `records` are those that may be in them, newest first, including itself. */
export function surroundingsOf(
  id: string,
  records: Annotated[],
  snapshot: Snapshot,
): Pick<RecordPage, 'chain' | 'marks' | 'cited_by' | 'session'> & { prompt: string | null } {
  const statements = statementsOf(snapshot);
  const { marks, cited_by, session, prompt } = relationsOf(id, records, statements);
  return {
    chain: chainAround(id, replacementsIn(statements), (one) => nodeOf(one, snapshot)),
    marks: marks.map(markOf),
    cited_by: cited_by.slice(0, MOST.cited).map(cardOf),
    session: session.slice(-MOST.session).map(cardOf),
    prompt: prompt?.text ?? null,
  };
}

/** What records of the snapshot say about others; another file with the same id does not count. */
function statementsOf({ judgement, byId }: Snapshot): JudgedStatement[] {
  return judgement.statements.filter(({ record, entry }) => {
    const meant = byId.get(record.id)?.entry;
    return meant?.path === entry.path && meant.store === entry.store;
  });
}

function nodeOf(id: string, { byId, judgement }: Snapshot): RecordPage['chain'][number] {
  const card = byId.get(id)?.document.card;
  if (card === undefined) return { id, title: '', state: 'missing' };
  const state = judgement.states.of(id);
  return { id, title: state.redacted ? WITHHELD : card.title, state: chainState(state) };
}
