import type { NamedSource, Source } from '../../exchange/places/reader.ts';
import type { StoreName } from '../../memory/record.ts';
import type { Annotated } from '../../records/annotate.ts';
import { readRecords } from '../../records/records.ts';

export interface Chosen {
  found: { annotated: Annotated; source: Source }[];
  missing: string[];
  /** What else begins like a given id, without being reviewed. */
  alike: string[];
}

/** The repositories named in ids such as `lib:k3v9`. */
export function namesIn(ids: string[]): string[] {
  return ids.flatMap((id) => originIn(id)?.origin ?? []);
}

/** The named records, whatever their state; with `store` only those in it. Throws ambiguous-id. */
export async function choose(
  { own, others }: { own: Source; others: NamedSource[] },
  ids: string[],
  store?: StoreName,
): Promise<Chosen> {
  const ownIds = ids.filter((id) => originIn(id) === undefined);
  const here = await readRecords(own.workspace, own.cache, ownIds);
  const found: Chosen['found'] = here.found.map((annotated) => ({ annotated, source: own }));
  const missing: string[] = [];
  for (const id of [...here.missing, ...ids.filter((one) => originIn(one) !== undefined)]) {
    const named = originIn(id);
    const there = named === undefined ? [] : await readThere(others, named);
    if (there.length === 0) missing.push(id);
    found.push(...there);
  }
  return {
    found: found.filter(({ annotated }) => (store ?? annotated.entry.store) === annotated.entry.store),
    missing,
    alike: here.alike,
  };
}

function originIn(id: string): { origin: string; id: string } | undefined {
  const [, origin, rest] = /^([^:]+):(.+)$/s.exec(id) ?? [];
  return origin !== undefined && rest !== undefined ? { origin, id: rest } : undefined;
}

/** The record of another repository that an id names; empty if there is none. */
async function readThere(
  others: NamedSource[],
  { origin, id }: { origin: string; id: string },
): Promise<Chosen['found']> {
  const source = others.find((one) => one.origin === origin);
  if (source === undefined) return [];
  const { found } = await readRecords(source.workspace, source.cache, [id]);
  // What is private in another repository stays there.
  return found.filter(({ entry }) => entry.store === 'team').map((annotated) => ({ annotated, source }));
}
