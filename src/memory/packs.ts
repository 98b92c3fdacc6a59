import { isId } from './id.ts';
import type { MemoryRecord } from './record.ts';

/** The front matter key under which a digest lists the ids of the records that it stands for. */
export const PACKS = 'packs';

/** How the title of a digest begins. */
export const DIGEST_TITLE = 'Digest of';

/** How its file name continues after the time, so that digests are found without reading every record. */
export const DIGEST_SLUG = 'digest-of-';

/** The ids of the records that `git mem pack` put into this digest; empty for any other record. */
export function packedIds({ extra }: MemoryRecord): string[] {
  const ids = extra?.[PACKS];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').filter(isId) : [];
}
