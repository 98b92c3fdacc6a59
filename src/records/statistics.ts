import { isHidden } from '../memory/marks.ts';
import { isContent } from '../memory/record.ts';
import { frequencies } from '../quantities.ts';
import type { Annotated } from './annotate.ts';

export type Counts = Record<string, number>;

/** What a memory contains and what it is worth; keys are those of `stats --json`. */
export interface Statistics {
  /** Observations and summaries that are live, and those that are superseded, retired or redacted. */
  live: number;
  hidden: number;
  by_store: Counts;
  /** Counts all records, including marks and prompts. */
  by_kind: Counts;
  /** Counts observations. */
  by_type: Counts;
  /** Counts active observations and summaries, as do those below. */
  by_month: Counts;
  by_trust: Counts;
  by_freshness: Counts;
  tokens: {
    /** Tokens needed to read all active records. */
    read: number;
    /** Tokens of the agents' work behind the records that state it, and tokens needed to read just these. */
    discovery: number;
    read_of_these: number;
    saved: number;
  };
  concepts: { name: string; count: number }[];
  files: { name: string; count: number }[];
}

/** Counts records in every way that `stats` shows; `most` is how many concepts and files are named. */
export function statisticsOf(records: Annotated[], { most }: { most: number }): Statistics {
  const content = records.filter(({ record }) => isContent(record));
  const live = content.filter(({ state }) => !isHidden(state));
  const observations = live.flatMap(({ record }) => (record.kind === 'observation' ? [record] : []));
  const worked = live.filter(({ record }) => discoveryOf(record) > 0);
  const read = sum(live.map(({ readTokens }) => readTokens));
  const discovery = sum(worked.map(({ record }) => discoveryOf(record)));
  const readOfThese = sum(worked.map(({ readTokens }) => readTokens));
  const months = live.map(({ record }) => record.generated.at.slice(0, 7));
  const concepts = observations.flatMap((one) => one.concepts);
  const files = observations.flatMap((one) => [...new Set([...one.files_modified, ...one.files_read])]);
  return {
    live: live.length,
    hidden: content.length - live.length,
    by_store: count(content.map(({ entry }) => entry.store)),
    by_kind: count(records.map(({ record }) => record.kind)),
    by_type: count(observations.map(({ type }) => type)),
    by_month: Object.fromEntries(frequencies(months).sort(([a], [b]) => (a < b ? -1 : 1))),
    by_trust: count(live.map(({ trust }) => trust)),
    by_freshness: count(live.map(({ freshness }) => freshness)),
    tokens: { read, discovery, read_of_these: readOfThese, saved: discovery - readOfThese },
    concepts: top(concepts, most),
    files: top(files, most),
  };
}

function discoveryOf(record: Annotated['record']): number {
  return isContent(record) ? (record.discovery_tokens ?? 0) : 0;
}

/** Counts, most common first. Names come from records: one such as `__proto__` must stay a name. */
function count(names: string[]): Counts {
  return Object.fromEntries(frequencies(names));
}

function top(names: string[], most: number): { name: string; count: number }[] {
  const commonest = frequencies(names).slice(0, most);
  return commonest.map(([name, n]) => ({ name, count: n }));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
