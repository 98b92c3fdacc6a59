import { resolveId } from '../../memory/id.ts';
import { packedIds } from '../../memory/packs.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { digestsIn } from '../../provenance/digests.ts';
import type { Cache } from '../index/cache.ts';
import type { Annotated } from './annotate.ts';
import { readRecords } from './records.ts';

/** The full id of a packed record, and the digest that replaces it. */
export interface Packed {
  id: string;
  digest: Annotated;
}

/** The digests for ids that no longer name a record, and the prefixes found nowhere; throws ambiguous-id. */
export async function readPacked(
  workspace: Workspace,
  cache: Cache,
  prefixes: string[],
): Promise<{ packed: Packed[]; missing: string[] }> {
  if (prefixes.length === 0) return { packed: [], missing: [] };
  const packers = new Map(digestsIn(workspace).flatMap(({ record }) => packedIds(record).map((id) => [id, record.id])));
  const ids = [...packers.keys()];
  const named = prefixes.map((prefix) => {
    const isKnown = prefix.length >= 4 && ids.some((id) => id.startsWith(prefix.toLowerCase()));
    return { prefix, id: isKnown ? resolveId(prefix, ids) : '' };
  });
  const wanted = new Set(named.flatMap(({ id }) => packers.get(id) ?? []));
  const { found } = await readRecords(workspace, cache, [...wanted]);
  const digests = new Map(found.map((digest) => [digest.record.id, digest]));
  const packed: Packed[] = [];
  const missing: string[] = [];
  for (const { prefix, id } of named) {
    const digest = digests.get(packers.get(id) ?? '');
    if (digest) packed.push({ id, digest });
    else missing.push(prefix);
  }
  return { packed, missing };
}
