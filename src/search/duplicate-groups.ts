import { authorOf } from '../memory/author.ts';
import { sectionsOf } from '../memory/body.ts';
import { type EffectiveState, isHidden } from '../memory/marks.ts';
import { isContent, type Observation, type Summary } from '../memory/record.ts';
import type { Entry } from '../memory/store/source.ts';
import { missingWords } from '../provenance/freshness.ts';
import { isActive, isTrusted } from '../provenance/trust.ts';
import type { Annotated } from '../records/annotate.ts';
import { type Comparable, DUPLICATE_THRESHOLD, nearDuplicates } from './duplicates.ts';

/** Records that say the same, and which of them to keep. */
export interface DuplicateGroup {
  keep: Annotated;
  others: { annotated: Annotated; similarity: number }[];
}

type ActiveRecord = Annotated<Observation | Summary>;

/**
 * The active records that say the same as a better one. The best of a group is, in this order: pinned, verified, the
 * team's rather than the private store's, by a person or the agent, the newer one, the longer text. Only records similar
 * to the kept record itself join its group, so that similarity is not chained. Pinned and verified records are never
 * proposed for removal, and no record that others see is removed for a private one.
 */
export function duplicateGroups(records: Annotated[], threshold = DUPLICATE_THRESHOLD): DuplicateGroup[] {
  const active = records.filter(isActiveRecord).filter(isActive);
  const byId = new Map(active.map((one) => [one.record.id, one]));
  const neighbours = new Map<string, { id: string; similarity: number }[]>();
  for (const { a, b, similarity } of nearDuplicates(active.map(comparableOf), { threshold })) {
    neighbours.set(a, [...(neighbours.get(a) ?? []), { id: b, similarity }]);
    neighbours.set(b, [...(neighbours.get(b) ?? []), { id: a, similarity }]);
  }
  const settled = new Set<string>();
  const groups: DuplicateGroup[] = [];
  for (const keep of active.toSorted(byWorth)) {
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

/** The compared parts of a record: its words and the files it cites. */
export function comparableOf({ record }: { record: Observation | Summary }): Comparable {
  if (record.kind === 'observation') {
    const { id, kind, title, narrative, facts, files_modified, files_read } = record;
    const text = [narrative, ...facts].join('\n');
    return { id, group: kind, title, text, files: [...files_modified, ...files_read] };
  }
  const { id, kind, title, files_edited: files } = record;
  return { id, group: kind, title, text: Object.values(sectionsOf(record)).join('\n'), files };
}

function isActiveRecord(annotated: Annotated): annotated is ActiveRecord {
  return isContent(annotated.record);
}

function mayGo({ state, entry }: Annotated, keep: Annotated): boolean {
  return !state.pinned && !state.verified && (entry.store === 'private' || keep.entry.store === 'team');
}

/** What says which of two records to keep; without an entry it is in the team's store. */
type Rated = Pick<ActiveRecord, 'record'> & {
  state: Pick<EffectiveState, 'pinned' | 'verified'>;
  entry?: Pick<Entry, 'store'>;
};

/** The better of two records that say the same comes first. */
export function byWorth(a: Rated, b: Rated): number {
  const claims: ((one: Rated) => boolean)[] = [
    ({ state }) => state.pinned,
    ({ state }) => state.verified,
    ({ entry }) => entry?.store !== 'private',
    ({ record }) => ['person', 'agent'].includes(authorOf(record)),
  ];
  for (const claim of claims) if (claim(a) !== claim(b)) return claim(a) ? -1 : 1;
  const [at, otherAt] = [a.record.generated.at, b.record.generated.at];
  if (at !== otherAt) return at > otherAt ? -1 : 1;
  const length = (one: Rated) => one.record.title.length + comparableOf(one).text.length;
  return length(b) - length(a) || (a.record.id < b.record.id ? -1 : 1);
}

/** A record that a person may want to retire. */
export interface Proposal {
  annotated: Annotated<Observation>;
  /** `check`: only a reader can tell whether it still holds. */
  reason: 'duplicate' | 'stale' | 'check';
  words: string;
  /** duplicate: the record to keep. */
  by?: Annotated;
}

/** The share of words from which one record is taken to say what the other says: a person decides. */
const IN_SUBSTANCE = 0.7;

/** The active, trusted observations that may be retired, each with its first reason; none pinned or verified. */
export function proposalsIn(records: Annotated[]): Proposal[] {
  const better = new Map(
    duplicateGroups(records, IN_SUBSTANCE).flatMap(({ keep, others }) => {
      return others.map(({ annotated }) => [annotated.record.id, keep] as const);
    }),
  );
  return records.filter(isTidied).flatMap((annotated): Proposal[] => {
    const { record, freshness, missing, state } = annotated;
    const by = better.get(record.id);
    if (by !== undefined) return [{ annotated, reason: 'duplicate', words: `${by.record.id} says the same.`, by }];
    if (freshness === 'gone') return [{ annotated, reason: 'stale', words: 'Every file it cites is gone.' }];
    if (state.disputed) {
      return [{ annotated, reason: 'check', words: 'Another active record supersedes the same one.' }];
    }
    if (freshness === 'touched') return [{ annotated, reason: 'check', words: `${missingWords(missing)}.` }];
    return [];
  });
}

function isTidied(annotated: Annotated): annotated is Annotated<Observation> {
  const { record, state, trust } = annotated;
  return record.kind === 'observation' && !isHidden(state) && !state.pinned && !state.verified && isTrusted(trust);
}
