import type { Environment } from '../repo/layout.ts';
import { objectIds } from '../repo/objects.ts';
import type { StoredRecord } from '../store/store.ts';

/**
 * Where a record stands by its provenance, never by what it says of itself. `reviewed`: the same blob is in the tree of
 * the default branch. `own`: this clone's ledger has its blob. `edited`: a reviewed path with other content.
 * `unreviewed`: everything else.
 */
export type Trust = 'reviewed' | 'own' | 'edited' | 'unreviewed';

/** The trust of each record, in their order; one git child for any number of records. */
export async function trustOf(
  records: StoredRecord[],
  options: { root: string; ledger: Set<string>; env: Environment; branch: string | undefined },
): Promise<Trust[]> {
  const { root, ledger, env, branch } = options;
  const team = branch === undefined ? [] : records.filter(({ entry }) => entry.store === 'team');
  const expressions = team.map(({ entry }) => `${branch}:.memory/${entry.path}`);
  const blobs = (await objectIds(root, expressions, env)) ?? [];
  const reviewed = new Map(team.map((record, i) => [record, blobs[i]]));
  return records.map((record) => {
    const blob = reviewed.get(record);
    if (blob === record.blob) return 'reviewed';
    if (ledger.has(record.blob)) return 'own';
    return blob === undefined ? 'unreviewed' : 'edited';
  });
}

/** Tells whether a record's word counts: the text was reviewed, or written here. */
export function isTrusted(trust: Trust): boolean {
  return trust === 'reviewed' || trust === 'own';
}
