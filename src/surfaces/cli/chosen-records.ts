import { GitMemError } from '../../errors.ts';
import { searchSources } from '../../exchange/links/search.ts';
import type { NamedSource, Source } from '../../exchange/links/sources.ts';
import { KINDS } from '../../memory/record.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import type { Filter } from '../../recall/query/card-filter.ts';
import { type Packed, readPacked } from '../../recall/query/packed.ts';
import { select } from '../../recall/query/read.ts';
import { readRecords } from '../../recall/query/records.ts';

/** Records that filters alone select without `--limit`: whole ones are long, and more of them bury the first. */
export const LIMIT = 10;

export interface Chosen {
  found: { annotated: Annotated; source: Source }[];
  /** Ids of packed records, each with the digest that replaced it. */
  packed: Packed[];
  missing: string[];
}

interface Request {
  /** Also look in linked repositories for ids without an origin. */
  isLinked: boolean;
  filter: Filter;
  limit: number | undefined;
}

/** The links named in ids such as `lib:k3v9`. */
export function namesIn(ids: string[]): string[] {
  return ids.flatMap((id) => originIn(id)?.origin ?? []);
}

/**
 * The named records that pass the filters, whatever their state; without names the records that the filters select.
 * Throws ambiguous-id.
 */
export async function choose(
  { own, linked }: { own: Source; linked: NamedSource[] },
  ids: string[],
  request: Request,
): Promise<Chosen> {
  const { isLinked, filter, limit } = request;
  if (ids.length === 0) {
    const { hits } = await searchSources(own, linked, { text: '', filter, limit: limit ?? LIMIT });
    return { found: hits, packed: [], missing: [] };
  }
  const ownIds = ids.filter((id) => originIn(id) === undefined);
  const here = await chooseOwn(own, ownIds, request);
  const found = here.found;
  const missing: string[] = [];
  for (const id of [...here.missing, ...ids.filter((one) => originIn(one) !== undefined)]) {
    const named = originIn(id);
    const asked = named ? linked.filter(({ origin }) => origin === named.origin) : isLinked ? linked : [];
    const there = await readThere(asked, named?.id ?? id);
    if (there.length === 0) missing.push(id);
    found.push(...there.filter(({ annotated }) => passes(annotated, filter)));
  }
  return { found: found.slice(0, limit), packed: here.packed, missing };
}

function originIn(id: string): { origin: string; id: string } | undefined {
  const [, origin, rest] = /^([^:]+):(.+)$/s.exec(id) ?? [];
  return origin !== undefined && rest !== undefined ? { origin, id: rest } : undefined;
}

function passes(annotated: Annotated, filter: Filter): boolean {
  return select([annotated], { kind: [...KINDS], ...filter, all: true }).length > 0;
}

async function chooseOwn(own: Source, ids: string[], { filter, limit }: Request): Promise<Chosen> {
  const { workspace, cache } = own;
  const marked = (annotated: Annotated) => ({ annotated, source: own });
  if (ids.length === 0) return { found: [], packed: [], missing: [] };
  const named = await readRecords(workspace, cache, ids);
  const found = named.found.filter((one) => passes(one, filter)).slice(0, limit);
  const { packed, missing } = await readPacked(workspace, cache, named.missing);
  const digests = new Map(packed.map(({ digest }) => [digest.record.id, digest]));
  for (const { record } of found) digests.delete(record.id);
  return { found: [...found, ...digests.values()].map(marked), packed, missing };
}

/** The one record of linked repositories that an id names; empty if there is none. */
async function readThere(linked: NamedSource[], id: string): Promise<Chosen['found']> {
  const found: { annotated: Annotated; source: NamedSource }[] = [];
  for (const source of linked) {
    const named = await readRecords(source.workspace, source.cache, [id]);
    // What is private in another repository stays there.
    const open = named.found.filter(({ entry }) => entry.store === 'team');
    found.push(...open.map((annotated) => ({ annotated, source })));
  }
  if (found.length < 2) return found;
  const names = found.map(({ annotated, source }) => `${source.origin}:${annotated.record.id}`);
  throw new GitMemError('ambiguous-id', `"${id}" names ${found.length} records: ${names.join(', ')}.`, {
    hint: 'Give one of these.',
  });
}
