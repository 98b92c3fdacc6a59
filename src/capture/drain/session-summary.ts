import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { LIMITS, type Summary } from '../../memory/record.ts';
import type { SessionSummary } from '../extract/extractor.ts';
import { summarise } from '../extract/summary.ts';
import type { Cleaner } from './clean.ts';
import type { SessionState } from './session-state.ts';

/**
 * What holds at the end of a session; undefined if it left no observation, if no extractor gave a summary, or if the
 * agent saved one itself. A later summary of the same session replaces the earlier ones.
 */
export async function summaryOf(state: SessionState, cleaner: Cleaner): Promise<Summary | undefined> {
  const { summary, earlier, summaries } = state;
  if (summary === undefined || earlier.length === 0 || state.summarisedByAgent) return undefined;
  const parts = summarise(
    summary,
    earlier.map(({ title }) => title),
  );
  const clean = (text: string) => cleaner.text(text);
  return {
    id: idOf(state.session, 'summary', String(summaries.length), String(state.lines.length)),
    kind: 'summary',
    type: 'summary',
    title: await clean(parts.title),
    files_read: state.files_read.slice(0, LIMITS.files),
    files_edited: state.files_modified.slice(0, LIMITS.files),
    supersedes: summaries,
    session: state.session,
    prompt_number: state.prompts,
    ...(state.branch && { branch: state.branch }),
    ...(state.commit && { commit: state.commit }),
    generated: { by: state.host, at: wholeSeconds(state.lastAt) },
    ...(state.extractor && { extractor: state.extractor }),
    discovery_tokens: state.tokens,
    request: await clean(parts.request),
    investigated: await clean(parts.investigated),
    learned: await clean(parts.learned),
    completed: await clean(parts.completed),
    next_steps: await clean(parts.next_steps),
    notes: await clean(parts.notes),
  };
}

/** A session's summary without the entries that repeat what was redacted. */
export function withoutRedacted(summary: SessionSummary, isFree: (text: string) => boolean): SessionSummary {
  return {
    request: isFree(summary.request) ? summary.request : '',
    investigated: summary.investigated.filter(isFree),
    learned: summary.learned.filter(isFree),
    completed: summary.completed.filter(isFree),
    next_steps: summary.next_steps.filter(isFree),
    notes: summary.notes.filter(isFree),
  };
}
