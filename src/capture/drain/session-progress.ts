import type { Observation } from '../../memory/record.ts';
import type { DigestTurn } from '../../memory/session-digest.ts';
import { isTurnEnd } from '../agents/event.ts';
import { deedsOf, isOwnSummary } from '../agents/own-calls.ts';
import type { Extraction } from '../extract/extractor.ts';
import { firstWords, renderTurn } from '../extract/material.ts';
import { type Turn, workOf } from '../extract/turn.ts';
import type { SpooledEvent, TurnGroup } from '../extract/turns.ts';
import { isClientCommand } from './session-digest.ts';
import { type SessionState, seenHash } from './session-state.ts';

/** How many of its newest observations a session's state keeps, which bounds a session resumed for weeks. */
const KEPT = 60;

/** Most characters kept of an answer, as context for the next prompt: "yes" replies to its last question. */
const REPLY_MAX = 300;

/** What came of a turn. */
interface Taken {
  group: TurnGroup;
  turn: Turn;
  /** Its part of the digest. */
  told: DigestTurn | undefined;
  /** What replaced commits of earlier turns. */
  remade: ReadonlyMap<string, string | undefined>;
  /** It waits for an extractor. */
  isKept: boolean;
}

/** A session's state after one of its turns. */
export function afterTurn(state: SessionState, { group, turn, told, remade, isKept }: Taken): SessionState {
  const { promptNumber } = turn;
  const reads = turn.calls.filter(({ action }) => action === 'read');
  const { branch, commit } = headOf(group.events);
  const isLate = group.turn !== undefined && Object.hasOwn(state.turns, group.turn);
  // A drain killed before it acknowledged the turn's events leaves them to be taken again.
  const isKnown = state.lastKey === turn.key;
  const lines = state.lines.map((line) => ({
    ...line,
    commits: line.commits.flatMap((one) => {
      const commit = remade.has(one.commit) ? remade.get(one.commit) : one.commit;
      return commit === undefined ? [] : [{ ...one, commit }];
    }),
  }));
  return {
    ...state,
    prompts: Math.max(state.prompts, promptNumber),
    turns: group.turn === undefined ? state.turns : { ...state.turns, [group.turn]: promptNumber },
    pending:
      isKept && !isKnown ? [...state.pending, { key: turn.key, characters: renderTurn(turn).length }] : state.pending,
    lines: told === undefined || isKnown ? lines : [...lines, { ...told }],
    lastKey: turn.key,
    lastTurn: deedsOf(turn.calls),
    ...(turn.calls.some(isOwnSummary) && { summarisedByAgent: true }),
    files_read: [...new Set([...state.files_read, ...reads.flatMap(({ paths }) => paths)])],
    files_modified: [...new Set([...state.files_modified, ...(told?.files ?? [])])],
    inputs: [...new Set([...state.inputs, ...turn.inputs])].sort(),
    tokens: state.tokens + (isKnown ? 0 : workOf(turn)),
    ...(branch && { branch }),
    ...(commit && { commit }),
    startedAt: [state.startedAt ?? '', turn.startedAt].filter(Boolean).sort()[0],
    // The session went on after its end.
    endedAt: undefined,
    // A client command neither ends a turn nor leaves one open.
    isCut: isLate || isClientCommand(turn) ? state.isCut : !group.events.some(({ event }) => isTurnEnd(event)),
    unsummarised: true,
    lastAt: [turn.endedAt, state.lastAt].sort().at(-1) ?? '',
    seen: [...state.seen, ...keysOf(group.events)],
  };
}

/** A session's state after an extractor saw `turns` and its records were written; `pending` are left. */
export function afterExtraction(
  { answer: _, failure: __, ...state }: SessionState,
  {
    turns,
    pending,
    extraction,
    records,
  }: Pick<SessionState, 'pending'> & { turns: Turn[]; extraction: Extraction; records: Observation[] },
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

/** The branch and commit at the end of these events, if any of them has one. */
export function headOf(events: SpooledEvent[]): { branch?: string; commit?: string } {
  const last = events.findLast(({ branch }) => branch !== undefined) ?? events[0];
  return { ...(last?.branch && { branch: last.branch }), ...(last?.commit && { commit: last.commit }) };
}
