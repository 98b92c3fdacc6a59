import { WITHHELD } from '../../memory/redaction.ts';
import { type JudgedStatement, replacementsIn } from '../../provenance/relations.ts';
import type { RecordPage } from './protocol.ts';
import { chainAround, chainState } from './replacing.ts';
import type { Snapshot } from './snapshot.ts';

/** The chain of records around one that replace each other, within a snapshot. */
export function chainOf(id: string, snapshot: Snapshot, statements: JudgedStatement[]): RecordPage['chain'] {
  return chainAround(id, replacementsIn(statements), (one) => nodeOf(one, snapshot));
}

function nodeOf(id: string, { byId, judgement }: Snapshot): RecordPage['chain']['nodes'][number] {
  const card = byId.get(id)?.document.card;
  if (card === undefined) return { id, title: '', state: 'missing' };
  const state = judgement.states.of(id);
  return { id, title: state.redacted ? WITHHELD : card.title, state: chainState(state) };
}
