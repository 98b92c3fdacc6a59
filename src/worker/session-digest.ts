import { clampPhrase } from '../extract/clamp.ts';
import { firstWords } from '../extract/first-words.ts';
import type { Turn } from '../extract/turn.ts';
import { wholeSeconds } from '../memory/file-name.ts';
import { idOf } from '../memory/id.ts';
import { LIMITS, oneLine, type Summary } from '../memory/record.ts';
import type { Cleaner } from './clean.ts';
import type { SessionState } from './session-state.ts';

/** Most characters of what was asked and of what was answered, and most files, in a line. */
const MOST = { asked: 160, answered: 240, files: 6 } as const;

/** One turn as a line of its session's digest; empty where nothing was asked, said or changed in it. */
export function digestLine(turn: Turn, edited: string[], withRequest: boolean): string {
  const asked = withRequest && turn.promptFrom === 'user' ? clampPhrase(turn.prompt, MOST.asked) : '';
  const answered = firstWords(turn.reply || (turn.reports.at(-1) ?? ''), MOST.answered);
  const more = edited.length > MOST.files ? ` and ${edited.length - MOST.files} more` : '';
  const files = edited.length === 0 ? '' : `(${edited.slice(0, MOST.files).join(', ')}${more})`;
  const said = [asked, answered].filter(Boolean).join(' — ');
  return said === '' && files === '' ? '' : oneLine(`${turn.promptNumber}. ${said} ${files}`);
}

/**
 * The digest of a session for the private store: a line for each turn, so that what became no record can be found. A
 * later one replaces the earlier. Undefined for a session in which nothing happened.
 */
export async function digestOf(state: SessionState, cleaner: Cleaner): Promise<Summary | undefined> {
  const { lines, digests, session, host, branch, commit } = state;
  if (lines.length === 0) return undefined;
  const clean = await Promise.all(lines.map((line) => cleaner.text(line)));
  const first = clean[0]?.replace(/^\d+\. /, '') ?? '';
  return {
    id: idOf(session, 'digest', String(lines.length)),
    kind: 'summary',
    type: 'digest',
    title: clampPhrase(first, LIMITS.title) || 'Session without a stated request',
    files_read: state.files_read.slice(0, LIMITS.files),
    files_edited: state.files_modified.slice(0, LIMITS.files),
    supersedes: digests,
    session,
    prompt_number: state.prompts,
    ...(branch && { branch }),
    ...(commit && { commit }),
    generated: { by: host, at: wholeSeconds(state.lastAt) },
    request: clean.map((line) => `- ${line}`).join('\n'),
    ...{ investigated: '', learned: '', completed: '', next_steps: '', notes: '' },
  };
}
