import type { RecordPage } from './record-protocol.ts';

/** Most records in one chain: a chain is shown whole. */
const MOST_IN_CHAIN = 100;

/** The records around one that replace each other, each after those that it replaces; circles end. */
export function chainAround(
  id: string,
  pairs: readonly { old: string; by: string }[],
  nodeOf: (id: string) => RecordPage['chain'][number],
): RecordPage['chain'] {
  const near = new Map<string, string[]>();
  const join = (a: string, b: string) => near.set(a, [...(near.get(a) ?? []), b]);
  for (const { old, by } of pairs) {
    join(old, by);
    join(by, old);
  }
  const ids = new Set([id]);
  for (const one of ids) for (const next of near.get(one) ?? []) if (ids.size < MOST_IN_CHAIN) ids.add(next);
  const seen = new Set<string>();
  const upTo = (one: string): string[] => {
    if (seen.has(one) || !ids.has(one)) return [];
    seen.add(one);
    return [...pairs.flatMap(({ old, by }) => (by === one ? upTo(old) : [])), one];
  };
  return [...ids].flatMap(upTo).map(nodeOf);
}

/** The state that a record of the chain shows. */
export function chainState(state: {
  redacted: boolean;
  retired: boolean;
  superseded_by: string[];
}): RecordPage['chain'][number]['state'] {
  if (state.redacted || state.retired) return 'retired';
  return state.superseded_by.length > 0 ? 'superseded' : 'active';
}

/**
 * Most records in the lists beside a record, of its session and of those that cite it: each is read from its file, and longer
 * lists are what the feed is for.
 */
export const MOST = { session: 200, cited: 50 };
