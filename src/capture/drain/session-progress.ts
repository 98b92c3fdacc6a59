import type { Observation } from '../../memory/record.ts';
import { isTurnEnd } from '../agents/event.ts';
import { isCommit } from '../agents/occasion.ts';
import { deedsOf, isOwnSummary } from '../agents/own-calls.ts';
import { commandReads } from '../agents/shell-reads.ts';
import { editsOf } from '../extract/edits.ts';
import type { Extraction } from '../extract/extractor.ts';
import { firstWords } from '../extract/first-words.ts';
import { renderTurn } from '../extract/material.ts';
import type { Turn } from '../extract/turn.ts';
import type { SpooledEvent, TurnGroup } from '../extract/turns.ts';
import { workOf } from '../extract/work.ts';
import { digestLine } from './session-digest.ts';
import { afterWork } from './session-evidence.ts';
import { type SessionState, seenHash } from './session-state.ts';

/** How many observations its state keeps, the last ones: it bounds a session that is resumed for weeks. */
const KEPT = 60;

/** Most commits that are kept of a session, the last ones: its digest names them, 41 bytes each. */
const MOST_COMMITS = 100;

/** Most characters that are kept of an answer, as context for the next prompt: "yes" replies to its last question. */
const REPLY_MAX = 300;

/** A session's state after one of its turns is kept. `withRequest`: the digest may hold what was asked. */
export function afterTurn(
  state: SessionState,
  { group, turn, withRequest }: { group: TurnGroup; turn: Turn; withRequest: boolean },
): SessionState {
  const { promptNumber } = turn;
  const { branch, commit } = headOf(group.events);
  const { edited } = editsOf(turn);
  const line = digestLine(turn, edited, withRequest);
  const isKept = state.pending.some(({ key }) => key === turn.key);
  const characters = renderTurn(turn).newCharacters;
  const commits = commitsIn(group.events, state);
  const isLate = group.turn !== undefined && Object.hasOwn(state.turns, group.turn);
  return {
    ...state,
    prompts: Math.max(state.prompts, promptNumber),
    turns: group.turn === undefined ? state.turns : { ...state.turns, [group.turn]: promptNumber },
    pending: isKept ? state.pending : [...state.pending, { key: turn.key, characters }],
    lines: line === undefined || isKept ? state.lines : [...state.lines, line],
    lastTurn: deedsOf(turn.calls),
    ...(turn.calls.some(isOwnSummary) && { summarisedByAgent: true }),
    files_read: [...new Set([...state.files_read, ...readsOf(turn)])],
    files_modified: [...new Set([...state.files_modified, ...edited])],
    tokens: state.tokens + (isKept ? 0 : workOf(turn)),
    ...(branch && { branch }),
    ...(commit && { commit }),
    startedAt: [state.startedAt ?? '', turn.startedAt].filter(Boolean).sort()[0],
    // Something follows the end.
    endedAt: undefined,
    isCut: isLate ? state.isCut : !group.events.some(({ event }) => isTurnEnd(event)),
    commits,
    evidence: isKept ? state.evidence : afterWork(state.evidence, turn, commits.at(-1) !== state.commits.at(-1)),
    unsummarised: true,
    lastAt: [turn.endedAt, state.lastAt].sort().at(-1) ?? '',
    seen: [...state.seen, ...keysOf(group.events)],
  };
}

/** The files that a turn read, including those read by plain shell commands. */
function readsOf({ calls }: Turn): string[] {
  const paths = calls.flatMap((call) => (call.action === 'read' ? call.paths : commandReads(call.command ?? '')));
  return paths.filter((path) => !path.startsWith('/'));
}

/** What an extractor made of turns. */
interface Extracted {
  turns: Turn[];
  extraction: Extraction;
  records: Observation[];
}

/** A session's state after an extractor has seen `turns`, `pending` are left, and its records are written. */
export function afterExtraction(
  { answer: _, failure: __, ...state }: SessionState,
  { turns, pending, extraction, records }: Pick<SessionState, 'pending'> & Extracted,
): SessionState {
  const replaced = new Set(records.flatMap(({ supersedes }) => supersedes));
  const written = records.map(({ id, type, title, narrative, facts, files_modified }) => {
    return { id, type, title, narrative, facts, files_modified };
  });
  const reply = turns.findLast((turn) => turn.reply !== '')?.reply;
  const { summary, extractor } = extraction;
  return {
    ...state,
    pending,
    earlier: [...state.earlier.filter(({ id }) => !replaced.has(id)), ...written].slice(-KEPT),
    ...(summary && { summary }),
    ...(reply !== undefined && { reply: firstWords(reply, REPLY_MAX) }),
    extractor,
    unsummarised: true,
  };
}

/** The hashes under which events are remembered as seen. */
export function keysOf(events: SpooledEvent[]): string[] {
  return events.flatMap(({ event }) => (event.key === undefined ? [] : [seenHash(event.key)]));
}

/**
 * The session's commits after these events: a command that commits, after which HEAD is another than before it, because
 * not every host reports how a command ended.
 */
function commitsIn(events: SpooledEvent[], { commits, commit }: SessionState): string[] {
  const made = [...commits];
  let head = commit;
  for (const { event, commit: now } of events) {
    if (now === undefined) continue;
    const isMade = event.kind === 'tool' && isCommit(event.call) && now !== head;
    if (isMade && (head !== undefined || event.call.ok)) made.push(now);
    head = now;
  }
  return [...new Set(made)].slice(-MOST_COMMITS);
}

/** The branch and commit at the end of these events, if any of them has them. */
export function headOf(events: SpooledEvent[]): { branch?: string; commit?: string } {
  const last = events.findLast(({ branch }) => branch !== undefined) ?? events[0];
  return { ...(last?.branch && { branch: last.branch }), ...(last?.commit && { commit: last.commit }) };
}
