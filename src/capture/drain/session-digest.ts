import { emptySummary } from '../../memory/body.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { LIMITS, oneLine, type Summary } from '../../memory/record.ts';
import { clampPhrase, clampSentences } from '../extract/clamp.ts';
import { firstWords } from '../extract/first-words.ts';
import { sentencesOf } from '../extract/sentences.ts';
import { NO_REQUEST } from '../extract/summary.ts';
import type { Turn } from '../extract/turn.ts';
import type { Cleaner } from './clean.ts';
import type { DigestLine, SessionState } from './session-state.ts';

/** Most characters of the request (a sentence) and of the answer (two), and most files, in the line of one turn. */
const MOST = { asked: 160, answered: 240, files: 6 } as const;

/** One turn as a line of its session's digest; undefined if nothing was asked, said or changed in it. */
export function digestLine(turn: Turn, files: string[], withRequest: boolean): DigestLine | undefined {
  const asked = withRequest && turn.promptFrom === 'user' ? clampPhrase(turn.prompt, MOST.asked) : '';
  const answered = sentencesOf(firstWords(turn.reply || (turn.reports.at(-1) ?? ''), MOST.answered));
  if (asked === '' && answered.length === 0 && files.length === 0) return undefined;
  return { turn: turn.promptNumber, asked, answered, files };
}

function textOf({ turn, asked, answered, files }: DigestLine): string {
  const more = files.length > MOST.files ? ` and ${files.length - MOST.files} more` : '';
  const named = files.length === 0 ? '' : `(${files.slice(0, MOST.files).join(', ')}${more})`;
  return oneLine(`- ${turn}. ${[asked, answered.join(' ')].filter(Boolean).join(' — ')} ${named}`);
}

/** Whole sentences where one ends early enough: "never in floats" is not to end before its point. */
function titleOf(text: string): string {
  const sentences = clampSentences(text, LIMITS.title);
  return clampPhrase(sentences.endsWith('…') ? text : sentences, LIMITS.title);
}

/**
 * The digest of a session for the private store: a line for each turn, without redacted passages, so that turns that
 * became no record can be found. A later one replaces the earlier. Undefined for a session in which nothing happened.
 */
export async function digestOf(
  state: SessionState,
  cleaner: Cleaner,
  isFree: (text: string) => boolean,
): Promise<Summary | undefined> {
  const { lines, digests, session, host, branch, commit } = state;
  if (lines.length === 0) return undefined;
  const free = lines.map((line) => ({
    ...line,
    asked: isFree(line.asked) ? line.asked : '',
    answered: line.answered.filter(isFree),
  }));
  const title = free.map(({ asked, answered }) => asked || (answered[0] ?? '')).find(Boolean) ?? '';
  return {
    id: idOf(session, 'digest', String(lines.length)),
    kind: 'summary',
    type: 'digest',
    title: titleOf(await cleaner.text(title)) || NO_REQUEST,
    files_read: state.files_read,
    files_edited: state.files_modified,
    supersedes: digests,
    session,
    prompt_number: state.prompts,
    ...(branch && { branch }),
    ...(commit && { commit }),
    discovery_tokens: state.tokens,
    ...(state.startedAt && { started: wholeSeconds(state.startedAt) }),
    ...(state.isCut && { stopped: 'interrupted' }),
    commits: state.commits,
    checked: state.evidence.checked,
    taken_back: state.evidence.takenBack,
    extractor: 'rules',
    generated: { by: host, at: wholeSeconds(state.endedAt ?? state.lastAt) },
    ...emptySummary(),
    request: await cleaner.text(free.map(textOf).join('\n')),
  };
}
