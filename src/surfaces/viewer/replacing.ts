import type { RecordPage } from './protocol-record.ts';

/** Most records in one chain: a chain is drawn whole. */
const MOST_IN_CHAIN = 100;

/** The records around one that replace each other, nearest first; edges lead from the older one to its replacement. */
export function chainAround(
  id: string,
  pairs: readonly { old: string; by: string }[],
  nodeOf: (id: string) => RecordPage['chain']['nodes'][number],
): RecordPage['chain'] {
  const near = new Map<string, string[]>();
  const join = (a: string, b: string) => near.set(a, [...(near.get(a) ?? []), b]);
  for (const { old, by } of pairs) {
    join(old, by);
    join(by, old);
  }
  const ids = new Set([id]);
  for (const one of ids) for (const next of near.get(one) ?? []) if (ids.size < MOST_IN_CHAIN) ids.add(next);
  const edges = pairs.filter(({ old, by }) => ids.has(old) && ids.has(by));
  const distinct = new Map(edges.map(({ old, by }) => [`${old} ${by}`, { from: old, to: by }]));
  return { nodes: [...ids].map(nodeOf), edges: [...distinct.values()] };
}

/** The state that a node of the chain shows. */
export function chainState(state: {
  redacted: boolean;
  retired: boolean;
  superseded_by: string[];
}): RecordPage['chain']['nodes'][number]['state'] {
  if (state.redacted || state.retired) return 'retired';
  return state.superseded_by.length > 0 ? 'superseded' : 'active';
}

/**
 * Most records in the lists beside a record, on either side in time, of its session, and that mention it: each is read
 * from its file, and a longer list is what the feed is for.
 */
export const MOST = { around: 5, session: 200, cited: 50 };

/** A record between those before and after it, oldest first; `all` is newest first, and only what is shown counts. */
export function neighbours<T>(own: T, all: T[], isShown: (one: T) => boolean): T[] {
  const shown = all.filter((one) => one === own || isShown(one));
  const at = shown.indexOf(own);
  return shown.slice(Math.max(0, at - MOST.around), at + MOST.around + 1).reverse();
}
