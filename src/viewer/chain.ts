import { WITHHELD } from '../memory/redaction.ts';
import { type KnownRecord, replacementsIn } from '../provenance/relations.ts';
import type { RecordPage } from './protocol.ts';
import type { Shelf } from './shelf.ts';

/** Records in one picture. */
const MOST = 100;

/** The records that replace each other around one, nearest first; edges lead from the older to what replaces it. */
export function chainOf(id: string, shelf: Shelf, statements: KnownRecord[]): RecordPage['chain'] {
  const pairs = replacementsIn(statements);
  const near = new Map<string, string[]>();
  const join = (a: string, b: string) => near.set(a, [...(near.get(a) ?? []), b]);
  for (const { old, by } of pairs) {
    join(old, by);
    join(by, old);
  }
  const ids = new Set([id]);
  for (const one of ids) for (const next of near.get(one) ?? []) if (ids.size < MOST) ids.add(next);
  const edges = pairs.filter(({ old, by }) => ids.has(old) && ids.has(by));
  const distinct = new Map(edges.map(({ old, by }) => [`${old} ${by}`, { from: old, to: by }]));
  return { nodes: [...ids].map((one) => nodeOf(one, shelf)), edges: [...distinct.values()] };
}

function nodeOf(id: string, { byId, standing }: Shelf): RecordPage['chain']['nodes'][number] {
  const card = byId.get(id)?.document.card;
  if (card === undefined) return { id, title: '', state: 'missing' };
  const { redacted, retired, superseded_by } = standing.states.of(id);
  const state = redacted || retired ? 'retired' : superseded_by.length > 0 ? 'superseded' : 'live';
  return { id, title: redacted ? WITHHELD : card.title, state };
}
