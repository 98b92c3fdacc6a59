import { isHidden } from '../../memory/marks.ts';
import type { Observation, Summary } from '../../memory/record.ts';
import { isTrusted } from '../../provenance/trust.ts';
import type { Annotated } from '../query/annotate.ts';
import { type Comparable, DUPLICATE_THRESHOLD, nearDuplicates } from './duplicates.ts';

/** Records that say the same, and which of them to keep. */
export interface DuplicateGroup {
  keep: Annotated;
  /** Each with how alike it is to the kept one. */
  others: { annotated: Annotated; similarity: number }[];
}

type Told = Annotated<Observation | Summary>;

/**
 * The live records that say the same as a better one. The best of a group is, in this order: pinned, verified, the
 * team's rather than the private store's, reviewed, with every cited file unchanged, the longer text, the older one. Only
 * what is like the kept record itself joins its group, so that likeness is not handed on from one to the next. Pinned and
 * verified records are never proposed to go, and nothing that others see goes for the sake of a private record.
 */
export function duplicateGroups(records: Annotated[], threshold = DUPLICATE_THRESHOLD): DuplicateGroup[] {
  const live = records.filter(isTold).filter(({ state, trust }) => !isHidden(state) && isTrusted(trust));
  const byId = new Map(live.map((one) => [one.record.id, one]));
  const neighbours = new Map<string, { id: string; similarity: number }[]>();
  for (const { a, b, similarity } of nearDuplicates(live.map(comparableOf), { threshold })) {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      neighbours.set(from, [...(neighbours.get(from) ?? []), { id: to, similarity }]);
    }
  }
  const settled = new Set<string>();
  const groups: DuplicateGroup[] = [];
  for (const keep of live.toSorted(byWorth)) {
    if (settled.has(keep.record.id)) continue;
    settled.add(keep.record.id);
    const others = (neighbours.get(keep.record.id) ?? []).flatMap(({ id, similarity }) => {
      const annotated = byId.get(id);
      return annotated && !settled.has(id) && mayGo(annotated, keep) ? [{ annotated, similarity }] : [];
    });
    for (const { annotated } of others) settled.add(annotated.record.id);
    if (others.length > 0) groups.push({ keep, others });
  }
  return groups;
}

/** What of a record is compared: its words and the files that it cites. */
export function comparableOf({ record }: { record: Observation | Summary }): Comparable {
  if (record.kind === 'observation') {
    const { id, kind, title, narrative, facts, files_modified, files_read } = record;
    return {
      id,
      group: kind,
      title,
      text: [narrative, ...facts].join('\n'),
      files: [...files_modified, ...files_read],
    };
  }
  const { id, kind, title, request, investigated, learned, completed, next_steps, notes, files_edited } = record;
  const text = [request, investigated, learned, completed, next_steps, notes].join('\n');
  return { id, group: kind, title, text, files: files_edited };
}

function isTold(annotated: Annotated): annotated is Told {
  return annotated.record.kind === 'observation' || annotated.record.kind === 'summary';
}

function mayGo({ state, entry }: Annotated, keep: Annotated): boolean {
  return !state.pinned && !state.verified && (entry.store === 'private' || keep.entry.store === 'team');
}

function byWorth(a: Told, b: Told): number {
  const claims: ((one: Told) => boolean)[] = [
    ({ state }) => state.pinned,
    ({ state }) => state.verified,
    ({ entry }) => entry.store === 'team',
    ({ trust }) => trust === 'reviewed',
    ({ freshness }) => freshness === 'fresh',
  ];
  for (const claim of claims) if (claim(a) !== claim(b)) return claim(a) ? -1 : 1;
  const length = (one: Told) => one.record.title.length + comparableOf(one).text.length;
  const [older, younger] = [`${a.record.generated.at} ${a.record.id}`, `${b.record.generated.at} ${b.record.id}`];
  return length(b) - length(a) || (older < younger ? -1 : 1);
}
