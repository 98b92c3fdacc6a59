import { emptySummary } from '../../memory/body.ts';
import { clampPhrase, clampSentences } from '../../memory/clamp.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { LIMITS, oneLine, type Summary, storable } from '../../memory/record.ts';
import { sentencesOf, weightOf } from '../../memory/sentences.ts';
import { type DigestCommit, type DigestTurn, encodeTurns } from '../../memory/session-digest.ts';
import { isChange } from '../agents/event.ts';
import { savedIds } from '../agents/own-calls.ts';
import { checksOf } from '../extract/checks.ts';
import { firstWords } from '../extract/material.ts';
import { plainText } from '../extract/prose.ts';
import { NO_REQUEST } from '../extract/summary.ts';
import type { Turn } from '../extract/turn.ts';
import type { Cleaner } from './clean.ts';
import type { SessionState } from './session-state.ts';

/**
 * Most characters of the request, of an answer, of an answer without changes, which is all that its turn left, and of
 * all such answers in a session.
 */
const MOST = { prompt: 160, words: 300, answer: 4000, answers: 12_000 } as const;

interface Surroundings {
  commits: readonly DigestCommit[];
  /** Whether the digest may hold what was asked. */
  withRequest: boolean;
  /** Removes this machine's paths from a text. */
  local: (text: string) => string;
}

/** One turn of its session's digest; undefined if nothing was asked, said or changed in it. */
export function digestTurn(turn: Turn, { commits, withRequest, local }: Surroundings): DigestTurn | undefined {
  const { checks, last } = checksOf(turn);
  const { files, unchecked } = editedFiles(turn, last);
  const reply = local(turn.reply || (turn.reports.at(-1) ?? ''));
  const told: DigestTurn = {
    number: turn.promptNumber,
    prompt: withRequest && turn.promptFrom === 'user' ? requestLine(local(turn.prompt)) : '',
    answer: files.length + commits.length > 0 ? opening(reply) : beginningOf(reply),
    files,
    ...(unchecked > 0 && { unchecked }),
    checks: checks.map(({ command, passed }) => ({ command: oneLine(local(command)), passed })),
    commits: commits.map(({ commit, subject }) => ({ commit, subject: oneLine(local(subject)) })),
    saved: savedIds(turn.calls),
  };
  const isWork = [told.files, told.checks, told.commits, told.saved].some((list) => list.length > 0);
  return isWork || told.answer !== '' || (told.prompt !== '' && !isClientCommand(turn)) ? told : undefined;
}

/** Shows that an answer goes on, which whole sentences alone would not. */
const CUT = ' …';

/** The first words of an answer, in one line. */
function opening(reply: string): string {
  const text = firstWords(reply, MOST.words);
  const isWhole = text.endsWith('…') || firstWords(reply, MOST.words * 2).length === text.length;
  return isWhole ? text : `${text}${CUT}`;
}

/** The first lines of an answer, without blank ones; an overlong first line is cut. */
function beginningOf(reply: string): string {
  const lines = storable(reply).split('\n').map(oneLine).filter(Boolean);
  const text = lines.join('\n');
  if (text.length <= MOST.answer) return text;
  const end = text.lastIndexOf('\n', MOST.answer);
  return end < 0 ? clampSentences(lines[0] ?? '', MOST.answer) : `${text.slice(0, end)}${CUT}`;
}

/** Tells whether a turn is only a client command, such as `/clear` or `exit`: no work, and it has no end. */
export function isClientCommand({ prompt, reply }: Turn): boolean {
  return /^\s*(?:\/[\w:-]+|exit|quit)\s*$/.test(prompt) && reply === '';
}

/** A request in one line: the heading of a document, else its first sentences, else as many words as fit. */
function requestLine(prompt: string): string {
  const typed = typedIn(prompt);
  const heading = headingOf(prompt);
  const line = isRequest(heading) ? heading : oneLine(plainText(typed));
  if (line.length <= MOST.prompt) return line;
  let text = '';
  for (const sentence of sentencesOf(line)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (longer.length > MOST.prompt) break;
    text = longer;
  }
  text = text.replace(/\s\d{1,2}[.)]$/u, '');
  return text.length >= LEAST_REQUEST ? text : `${clampPhrase(line, MOST.prompt - 1)}…`;
}

/** The part of a prompt that its user typed. */
function typedIn(prompt: string): string {
  return prompt.replace(ENVELOPE, '').replace(TAGGED, ' ').replace(ATTACHED, ' ');
}

function headingOf(prompt: string): string {
  return plainText(DOCUMENT.exec(typedIn(prompt))?.[1] ?? '');
}

/** Shorter beginnings, such as "Hi." or "Ok.", are not requests. */
const LEAST_REQUEST = 30;

/** What clients add to a prompt, such as `<ide_selection>...</ide_selection>`, and names of what was attached. */
const TAGGED =
  /<((?:ide|environment|user|attached|open|editor|workspace|project|session)_[a-z_]{1,40}|system-reminder|(?:command|local-command|bash|user|task|agent)-[a-z-]{1,40})>[\s\S]*?<\/\1>/gu;
/** What Codex's editor extension writes before what its user typed. */
const ENVELOPE = /^[\s\S]*^## My request for Codex:?$/mu;
/** A document, after a line that says what to do with it. */
const DOCUMENT = /^\s*(?:[^\n#]{1,80}[:：]\s*)?# (?:plan: )?([^\n]+)\n/iu;
const ATTACHED = /\[(?:Image|Pasted text|Attachment)[^\]\n]{0,80}\]/gu;

/**
 * The digest of a session for the private store, without redacted passages. A later one replaces the earlier. Undefined
 * for a session in which nothing happened.
 */
export async function digestOf(
  state: SessionState,
  cleaner: Cleaner,
  isFree: (text: string) => boolean,
): Promise<Summary | undefined> {
  const { digests, session, host, branch, commit, inputs } = state;
  if (state.lines.length === 0) return undefined;
  const turns = await Promise.all(bounded(state.lines).map((turn) => cleanTurn(turn, cleaner, isFree)));
  return {
    id: idOf(session, 'digest', String(state.lines.length)),
    kind: 'summary',
    type: 'digest',
    title: titleOf(turns),
    files_read: state.files_read,
    files_edited: state.files_modified,
    supersedes: digests,
    session,
    prompt_number: state.prompts,
    ...(branch && { branch }),
    ...(commit && { commit }),
    inputs,
    discovery_tokens: state.tokens,
    ...(state.startedAt && { started: wholeSeconds(state.startedAt) }),
    ...(state.isCut && { stopped: 'interrupted' }),
    commits: [...new Set(turns.flatMap((turn) => turn.commits.map((one) => one.commit)))],
    generated: { by: host, at: wholeSeconds(state.endedAt ?? state.lastAt) },
    ...emptySummary(),
    request: encodeTurns(turns),
  };
}

/** The turns, with the answers of the last ones and only the first words of those before. */
function bounded(turns: readonly DigestTurn[]): DigestTurn[] {
  let first = turns.length;
  for (let left: number = MOST.answers; first > 0; first--) {
    left -= turns[first - 1]?.answer.length ?? 0;
    if (left < 0) break;
  }
  return turns.map((turn, i) => (i < first ? { ...turn, answer: opening(turn.answer) } : turn));
}

async function cleanTurn(turn: DigestTurn, cleaner: Cleaner, isFree: (text: string) => boolean): Promise<DigestTurn> {
  const clean = async (text: string) => (isFree(text) ? oneLine(await cleaner.text(text)) : '');
  const line = async (text: string) => {
    const kept = await clean(sentencesOf(text).filter(isFree).join(' '));
    return text.endsWith(CUT) && !kept.endsWith(CUT) ? `${kept}${CUT}` : kept;
  };
  const checks = await Promise.all(turn.checks.map(async (one) => ({ ...one, command: await clean(one.command) })));
  return {
    ...turn,
    prompt: await clean(turn.prompt),
    answer: (await Promise.all(turn.answer.split('\n').map(line))).filter(Boolean).join('\n'),
    checks: checks.filter(({ command }) => command !== ''),
    commits: await Promise.all(turn.commits.map(async (one) => ({ ...one, subject: await clean(one.subject) }))),
  };
}

/**
 * The subjects of a session's commits; else the request of the turn that changed the most files, the first of several; else any
 * prompt; else the first sentence of the last answer.
 */
function titleOf(turns: readonly DigestTurn[]): string {
  const subjects = turns.flatMap(({ commits }) => commits.map(({ subject }) => titleIn(subject))).filter(Boolean);
  const asked = turns.filter(({ prompt }) => isRequest(prompt)).toSorted((a, b) => b.files.length - a.files.length);
  const [answered = NO_REQUEST] = sentencesOf(
    firstWords(turns.findLast(({ answer }) => answer)?.answer ?? '', MOST.words),
  );
  const title = joined(subjects) || asked[0]?.prompt || turns.find(({ prompt }) => prompt)?.prompt || answered;
  return capital(clampPhrase(clampSentences(title, LIMITS.title), LIMITS.title));
}

/** A phrase with a capital letter, unless it begins with a name. */
function capital(phrase: string): string {
  return phrase.replace(/^\p{Ll}+(?= )/u, (word) => word.slice(0, 1).toUpperCase() + word.slice(1));
}

/** As many whole subjects as a title can hold, the last first and follow-ups at the end, and how many are left out. */
function joined(subjects: readonly string[]): string {
  const ordered = [...new Set([...subjects.filter((subject) => !FOLLOW_UP.test(subject)).reverse(), ...subjects])];
  const rest = (many: number) => (many < ordered.length ? ` (+${ordered.length - many})` : '');
  const lineOf = (many: number) => ordered.slice(0, many).join('; ') + rest(many);
  return lineOf(Math.max(1, ordered.findLastIndex((_, i) => lineOf(i + 1).length <= LIMITS.title) + 1));
}

/** Conventional Commits types (https://www.conventionalcommits.org) other than the work itself, and review feedback. */
const FOLLOW_UP = /^(?:chore|docs?|style|tests?|ci|build)(?:\([^)]*\))?!?:|\breview (?:comments?|feedback)\b/iu;

/** "Yes, do it" asks for nothing by itself. */
function isRequest(sentence: string): boolean {
  return weightOf(sentence) >= 4;
}

/** A commit's subject without the emoji or `:code:` before it; empty where it says nothing about the work. */
function titleIn(subject: string): string {
  const bare = subject.replace(
    /^(?:\s|\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\ufe0f\u200d]|:[a-z0-9_+-]+:)+/u,
    '',
  );
  return /^(?:Merge (?:branch|remote|pull|tag|commit)|fixup!|squash!|amend!|wip\b)/iu.test(bare) ? '' : bare;
}

/** The files that the agent's own tools changed in a turn; those changed after its last check come last, and are counted. */
function editedFiles({ calls }: Turn, lastCheck: number): { files: string[]; unchecked: number } {
  const changedIn = (some: typeof calls) =>
    some.filter((call) => call.ok !== false && isChange(call)).flatMap(({ paths }) => paths);
  const later = new Set(lastCheck < 0 ? [] : changedIn(calls.slice(lastCheck)));
  const earlier = changedIn(calls).filter((path) => !later.has(path));
  return { files: [...new Set([...earlier, ...later])], unchecked: later.size };
}
