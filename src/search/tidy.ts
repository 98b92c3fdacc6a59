import { isHidden } from '../memory/marks.ts';
import type { Observation } from '../memory/record.ts';
import { missingWords } from '../provenance/freshness.ts';
import { isTrusted } from '../provenance/trust.ts';
import type { Annotated } from '../records/annotate.ts';
import { duplicateGroups } from './duplicate-groups.ts';

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

/**
 * The active observations that may be retired, each with its first reason; never a pinned or verified one, nor one that
 * is not trusted.
 */
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
