import type { BriefingOptions } from '../../../src/inject/briefing/briefing.ts';
import type { Candidate } from '../../../src/inject/briefing/briefing-lines.ts';
import { storePath } from '../../../src/memory/file-name.ts';
import { idOf } from '../../../src/memory/id.ts';
import type { EffectiveState } from '../../../src/memory/marks.ts';
import type { Observation, Summary } from '../../../src/memory/record.ts';
import { observationOf, summaryOf } from '../../support/written-records.ts';

/** The session that a briefing is for, where one is. */
export const SESSION = '65939976-74e7-49bb-921b-c8315e7665e8';

/** The options of an ordinary start. */
export function options(changes: Partial<BriefingOptions> = {}): BriefingOptions {
  return {
    source: 'startup',
    changedFiles: new Set(),
    tokens: 1000,
    observations: 50,
    summaries: 3,
    injectUnreviewed: false,
    ...changes,
  };
}

/** What marks say of a record: nothing but this. */
export function state(changes: Partial<EffectiveState> = {}): EffectiveState {
  const nothing = {
    superseded_by: [],
    retired: false,
    redacted: false,
    pinned: false,
    verified: false,
    verified_by: [],
    disputed: false,
  };
  return { ...nothing, ...changes };
}

/** A part of a record, and when it was made. */
export type At<R> = Partial<R> & { at?: string };

let made = 0;

/** An observation of this clone, with a part of what is known of it. */
export function observation(
  { at = '2026-11-20T20:05:01Z', ...fields }: At<Observation>,
  extras: Partial<Candidate> = {},
): Candidate<Observation> {
  const id = idOf('briefing', String(made++));
  const record = observationOf({ id, generated: { by: 'test', at }, ...fields });
  return { ...candidate(record), ...extras, record };
}

/** The same of a session. */
export function summary(
  { at = '2026-11-20T20:30:11Z', ...fields }: At<Summary>,
  extras: Partial<Candidate> = {},
): Candidate<Summary> {
  const id = idOf('briefing', String(made++));
  const record = summaryOf({ id, generated: { by: 'test', at }, ...fields });
  return { ...candidate(record), ...extras, record };
}

/** So many plain ones, ten minutes apart, newest first. */
export function observations(count: number): Candidate<Observation>[] {
  return Array.from({ length: count }, (_, i) => {
    const at = `${new Date(Date.UTC(2026, 10, 20, 12) - i * 600_000).toISOString().slice(0, 19)}Z`;
    return observation({ title: `The parser drops row ${i} when the buffer is full`, at });
  });
}

/** The lines of records, between headings and closing words. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => /^[0-9a-hjkmnp-tv-z]{4,10} \d{4}-\d\d-\d\d /.test(line));
}

function candidate<R extends Observation | Summary>(record: R): Candidate<R> {
  const time = record.generated.at;
  return {
    record,
    entry: { store: 'team', kind: record.kind, path: storePath(record), id: record.id, time, slug: '' },
    shortId: record.id.slice(0, 6),
    state: state(),
    trust: 'own',
    edited: false,
    freshness: 'fresh',
    verified: false,
    missing: [],
    cited: [],
    readTokens: 100,
  };
}
