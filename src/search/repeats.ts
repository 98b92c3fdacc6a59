import { authorOf } from '../memory/author.ts';
import { sectionsOf } from '../memory/body.ts';
import { type EffectiveState, isHidden } from '../memory/marks.ts';
import { isContent, type Observation, type Summary } from '../memory/record.ts';
import type { Entry } from '../memory/store/source.ts';
import { missingWords } from '../provenance/freshness.ts';
import { isActive, isTrusted } from '../provenance/trust.ts';
import type { Annotated } from '../records/annotate.ts';
import { type Comparable, type NearDuplicateOptions, nearDuplicates } from './duplicates.ts';

/** A record that says the same as a better one, and the share of their words that both have. */
interface Repeat<One extends Rated> {
  gone: One;
  kept: One;
  similarity: number;
}

/** What decides which of two records to keep; without an entry it is in the team's store. */
interface Rated extends Pick<Annotated<Observation | Summary>, 'record'> {
  state: Pick<EffectiveState, 'pinned' | 'verified'>;
  entry?: Pick<Entry, 'store'>;
}

/**
 * The records that say the same as a better one, each once. The better one is, in this order: pinned, verified, in the
 * team's rather than the private store, by a person or the agent, newer, longer. Only records similar to a kept one count
 * as its repeats, so that similarity is not chained. `mayGo` tells whether one may go for the other.
 */
export function repeatsAmong<One extends Rated>(
  records: readonly One[],
  { mayGo = () => true, ...options }: NearDuplicateOptions & { mayGo?: (gone: One, kept: One) => boolean } = {},
): Repeat<One>[] {
  const byId = new Map(records.map((one) => [one.record.id, one]));
  const neighbours = new Map<string, { id: string; similarity: number }[]>();
  for (const { a, b, similarity } of nearDuplicates(records.map(comparableOf), options)) {
    neighbours.set(a, [...(neighbours.get(a) ?? []), { id: b, similarity }]);
    neighbours.set(b, [...(neighbours.get(b) ?? []), { id: a, similarity }]);
  }
  const settled = new Set<string>();
  const near = records.filter(({ record }) => neighbours.has(record.id));
  return near.toSorted(byWorth).flatMap((kept) => {
    if (settled.has(kept.record.id)) return [];
    settled.add(kept.record.id);
    const repeats = (neighbours.get(kept.record.id) ?? []).flatMap(({ id, similarity }) => {
      const gone = byId.get(id);
      return gone && !settled.has(id) && mayGo(gone, kept) ? [{ gone, kept, similarity }] : [];
    });
    for (const { gone } of repeats) settled.add(gone.record.id);
    return repeats;
  });
}

/** The compared parts of a record: its words and the files it cites. */
function comparableOf({ record }: Pick<Rated, 'record'>): Comparable {
  if (record.kind === 'observation') {
    const { id, kind, title, narrative, facts, files_modified, files_read } = record;
    const text = [narrative, ...facts].join('\n');
    return { id, group: kind, title, text, files: [...files_modified, ...files_read] };
  }
  const { id, kind, title, files_edited: files } = record;
  return { id, group: kind, title, text: Object.values(sectionsOf(record)).join('\n'), files };
}

/** Sorts the better of two records that say the same first. */
function byWorth(a: Rated, b: Rated): number {
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
  /** `duplicate`: only a reader can tell whether it says the same. `check`: whether it still holds. */
  reason: 'duplicate' | 'stale' | 'check';
  words: string;
  /** duplicate: the record to keep. */
  by?: Annotated;
}

/** The share of common words from which one record is taken to repeat another: a person decides. */
const IN_SUBSTANCE = 0.7;

/** The active, trusted observations that may be retired, each with its first reason; none pinned or verified. */
export function proposalsIn(records: Annotated[]): Proposal[] {
  const active = records.filter(
    (one): one is Annotated<Observation | Summary> => isContent(one.record) && isActive(one),
  );
  // Never a record that a person vouches for, and never a shared one in favour of a private one.
  const mayGo = ({ state, entry }: Annotated, kept: Annotated) =>
    !state.pinned && !state.verified && (entry.store === 'private' || kept.entry.store === 'team');
  const repeats = repeatsAmong(active, { threshold: IN_SUBSTANCE, mayGo });
  const better = new Map(repeats.map(({ gone, kept }) => [gone.record.id, kept]));
  return records.filter(isTidied).flatMap((annotated): Proposal[] => {
    const { record, freshness, missing, state } = annotated;
    if (state.disputed) {
      return [{ annotated, reason: 'check', words: 'Another active record supersedes the same one.' }];
    }
    const by = better.get(record.id);
    if (by !== undefined)
      return [{ annotated, reason: 'duplicate', words: `Most of its words are in ${by.record.id}.`, by }];
    if (freshness === 'gone') return [{ annotated, reason: 'stale', words: 'Every file it cites is gone.' }];
    if (freshness === 'touched') return [{ annotated, reason: 'check', words: `${missingWords(missing)}.` }];
    return [];
  });
}

function isTidied(annotated: Annotated): annotated is Annotated<Observation> {
  const { record, state, trust } = annotated;
  return record.kind === 'observation' && !isHidden(state) && !state.pinned && !state.verified && isTrusted(trust);
}
