import type { TurnDigest } from '../extract/extractor.ts';
import { summarise } from '../extract/summary.ts';
import { wholeSeconds } from '../memory/file-name.ts';
import { idOf } from '../memory/id.ts';
import { LIMITS, type Summary } from '../memory/record.ts';
import type { Cleaner } from './clean.ts';
import type { SessionState } from './session-state.ts';

/**
 * The summary of everything a session did so far; undefined when nothing in it deserves one. A later summary of the
 * same session replaces the earlier ones.
 */
export async function summaryOf(state: SessionState, cleaner: Cleaner): Promise<Summary | undefined> {
  if (!state.digests.some(({ digest }) => isTelling(digest))) return undefined;
  const parts = summarise(state.digests);
  const clean = (text: string) => cleaner.text(text);
  return {
    id: idOf(state.session, 'summary', String(state.summaries.length), String(state.digests.length)),
    kind: 'summary',
    type: 'summary',
    title: await clean(parts.title),
    files_read: [...new Set(state.digests.flatMap(({ files_read }) => files_read))].slice(0, LIMITS.files),
    files_edited: [...new Set(state.digests.flatMap(({ files_modified }) => files_modified))].slice(0, LIMITS.files),
    supersedes: state.summaries,
    session: state.session,
    prompt_number: state.prompts,
    ...(state.branch && { branch: state.branch }),
    ...(state.commit && { commit: state.commit }),
    generated: { by: state.host, at: wholeSeconds(state.lastAt) },
    ...(state.extractor && { extractor: state.extractor }),
    discovery_tokens: state.digests.reduce((sum, { tokens }) => sum + tokens, 0),
    request: await clean(parts.request),
    investigated: await clean(parts.investigated),
    learned: await clean(parts.learned),
    completed: await clean(parts.completed),
    next_steps: await clean(parts.next_steps),
    notes: await clean(parts.notes),
  };
}

/** Tells whether a turn added anything that a summary would say; a request or a look around alone is nothing. */
export function isTelling({ learned, completed, next_steps, notes }: TurnDigest): boolean {
  return [learned, completed, next_steps, notes].some((entries) => entries.length > 0);
}
