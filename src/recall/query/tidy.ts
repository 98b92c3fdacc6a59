import { isHidden } from '../../memory/marks.ts';
import type { Observation } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { usedInCommits } from '../../provenance/used-trailers.ts';
import type { Cache } from '../index/cache.ts';
import { duplicateGroups } from '../search/duplicate-groups.ts';
import type { Annotated } from './annotate.ts';
import { undoneAmong } from './evidence.ts';
import { withReverts } from './reverted.ts';
import { countUse, type UseCounts } from './use.ts';

/** Why a record may be retired. */
export const TIDY_REASONS = ['superseded', 'doubtful', 'stale', 'unused'] as const;
export type TidyReason = (typeof TIDY_REASONS)[number];

/** A record that a person may want to retire. */
export interface Proposal {
  annotated: Annotated<Observation>;
  reason: TidyReason;
  words: string;
  /** superseded: the record that says it better. */
  by?: Annotated;
  /** doubtful: the record that contradicts it. */
  rival?: Annotated;
}

/** The share of words from which one record says what the other says; `dedupe` looks more closely. */
const IN_SUBSTANCE = 0.7;

/** Uses in this clone and in the history's trailers. */
export interface LastUse {
  counts: UseCounts;
  /** Tells whether a record is older than a time, in milliseconds since 1970, and was not used since. */
  isUnused(annotated: Annotated, beforeMs: number): boolean;
}

/** What is known about the use of records; one git child. */
export async function lastUseIn(workspace: Workspace, cache: Cache, now: Date): Promise<LastUse> {
  const [counts, trailers] = await Promise.all([countUse(workspace, cache, now), usedInCommits(workspace)]);
  const lastMs = (id: string) => Math.max(counts.of(id).lastMs, trailers.get(id)?.lastMs ?? 0);
  return {
    counts,
    isUnused: ({ record }, beforeMs) => Date.parse(record.generated.at) < beforeMs && lastMs(record.id) < beforeMs,
  };
}

/**
 * The active observations that may be retired, each with its first reason; never a pinned or verified one, nor one that
 * is not trusted. What was not used counts only if use was counted all that time.
 */
export async function proposalsIn(
  workspace: Workspace,
  cache: Cache,
  { records, now, unusedMs }: { records: Annotated[]; now: Date; unusedMs: number },
): Promise<Proposal[]> {
  const active = (await withReverts(workspace, records.filter(isTidied))).filter(isTidied);
  const better = new Map(
    duplicateGroups(records, IN_SUBSTANCE).flatMap(({ keep, others }) => {
      return others.map(({ annotated }) => [annotated.record.id, keep] as const);
    }),
  );
  const byId = new Map(active.map((annotated) => [annotated.record.id, annotated]));
  const undone = await undoneAmong(workspace, cache, active);
  const use = await lastUseIn(workspace, cache, now);
  const beforeMs = now.getTime() - unusedMs;
  const isCounted = use.counts.sinceMs <= beforeMs;
  return active.flatMap((annotated): Proposal[] => {
    const { record, freshness, state, disputedBy } = annotated;
    const proposed = (reason: TidyReason, words: string, more: Pick<Proposal, 'by' | 'rival'> = {}) => [
      { annotated, reason, words, ...more },
    ];
    const by = better.get(record.id);
    if (by !== undefined) return proposed('superseded', `${by.record.id} says the same.`, { by });
    if (undone.has(record.id)) return proposed('doubtful', 'Its change was taken back.');
    if (state.disputed || disputedBy.length > 0) {
      const rival = byId.get(disputedBy[0] ?? '');
      const words = `${disputedBy[0] ?? 'Another record'} contradicts it.`;
      return proposed('doubtful', words, { ...(rival && { rival }) });
    }
    if (freshness === 'gone') return proposed('stale', 'Every file it cites is gone.');
    if (!isCounted || !use.isUnused(annotated, beforeMs)) return [];
    if (freshness === 'touched') return proposed('stale', 'A file it cites changed, and nobody used it since.');
    return proposed('unused', 'It was neither injected nor opened.');
  });
}

function isTidied(annotated: Annotated): annotated is Annotated<Observation> {
  const { record, state, trust } = annotated;
  return record.kind === 'observation' && !isHidden(state) && !state.pinned && !state.verified && isTrusted(trust);
}
