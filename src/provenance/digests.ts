import { DIGEST_SLUG, packedIds } from '../memory/packs.ts';
import { readable, type StoredRecord } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted, withTrust } from './trust.ts';

/** The digests of both stores, recognised by their names: no other record is read. */
export function digestsIn({ stores }: Workspace): StoredRecord[] {
  const digests: StoredRecord[] = [];
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.list(['observation', 'summary']).matching((name) => name.includes(DIGEST_SLUG))) {
      const stored = readable(store, entry);
      if (stored !== undefined && packedIds(stored.record).length > 0) digests.push(stored);
    }
  }
  return digests;
}

/**
 * The ids of the records in digests: they were packed, and are not missing. Only trusted digests count: otherwise an
 * untrusted branch could suppress any record. One git child, none if nothing was ever packed.
 */
export async function idsInDigests(workspace: Workspace): Promise<Set<string>> {
  const found = digestsIn(workspace);
  if (found.length === 0) return new Set();
  const judged = await withTrust(found, workspace, { signatures: true });
  return new Set(judged.flatMap(({ record, trust }) => (isTrusted(trust) ? packedIds(record) : [])));
}
