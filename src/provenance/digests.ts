import { DIGEST_SLUG, packedIds } from '../memory/packs.ts';
import type { StoredRecord } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted, trustOf } from './trust.ts';

/** The digests of both stores, recognised by their names: no other record is read. */
export function digestsIn({ stores }: Workspace): StoredRecord[] {
  const digests: StoredRecord[] = [];
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.list(['observation', 'summary']).matching((name) => name.includes(DIGEST_SLUG))) {
      try {
        const stored = store.read(entry);
        if (packedIds(stored.record).length > 0) digests.push(stored);
      } catch {
        // A digest that does not parse stands for nothing; `git mem check` names it.
      }
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
  const trusts = await trustOf(found, workspace, { signatures: true });
  return new Set(found.flatMap(({ record }, i) => (isTrusted(trusts[i] ?? 'unreviewed') ? packedIds(record) : [])));
}
