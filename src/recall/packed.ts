import { resolveId } from '../memory/id.ts';
import { packedIds } from '../memory/packs.ts';
import type { Annotated } from './annotate.ts';

/** The digests that stand for these ids, which name no record any more, and what is found nowhere; throws ambiguous-id. */
export function pickPacked(
  records: Annotated[],
  prefixes: string[],
): { packed: { id: string; digest: Annotated }[]; missing: string[] } {
  const digests = new Map(records.flatMap((one) => packedIds(one.record).map((id) => [id, one] as const)));
  const ids = [...digests.keys()];
  const packed: { id: string; digest: Annotated }[] = [];
  const missing: string[] = [];
  for (const prefix of prefixes) {
    const isKnown = prefix.length >= 4 && ids.some((id) => id.startsWith(prefix.toLowerCase()));
    const id = isKnown ? resolveId(prefix, ids) : '';
    const digest = digests.get(id);
    if (digest) packed.push({ id, digest });
    else missing.push(prefix);
  }
  return { packed, missing };
}
