import { deedsOf } from '../agents/deeds.ts';
import type { Extraction } from '../extract/extractor.ts';
import type { Turn } from '../extract/turn.ts';
import type { SpooledEvent, TurnGroup } from '../extract/turns.ts';
import { workOf } from '../extract/work.ts';
import type { Observation } from '../memory/record.ts';
import { isTelling } from './session-end.ts';
import { type SessionState, seenHash } from './session-state.ts';

/** How many requests, and how many observations, later turns of a session are shown. */
const KEPT = { requests: 20, earlier: 60 } as const;

/** What is remembered of a session once a turn of it is written. */
export function afterTurn(
  state: SessionState,
  done: { group: TurnGroup; turn: Turn; extraction: Extraction; records: Observation[] },
): SessionState {
  const { group, turn, extraction, records } = done;
  const { digest, extractor } = extraction;
  const { promptNumber } = turn;
  const { branch, commit } = headOf(group.events);
  const replaced = new Set(records.flatMap(({ supersedes }) => supersedes));
  const earlier = records.map(({ id, type, title, narrative, facts, files_modified }) => ({
    ...{ id, type, title, narrative, facts, files_modified },
  }));
  const read = turn.calls.filter((call) => call.action === 'read').flatMap(({ paths }) => paths);
  const modified = records.flatMap((record) => record.files_modified);
  return {
    ...state,
    prompts: Math.max(state.prompts, promptNumber),
    turns: group.turn === undefined ? state.turns : { ...state.turns, [group.turn]: promptNumber },
    requests: digest.request ? [...state.requests, digest.request].slice(-KEPT.requests) : state.requests,
    earlier: [...state.earlier.filter(({ id }) => !replaced.has(id)), ...earlier].slice(-KEPT.earlier),
    digests: [
      ...state.digests,
      {
        digest: { ...digest },
        promptNumber,
        files_read: [...new Set(read)],
        files_modified: [...new Set(modified)],
        tokens: workOf(turn),
      },
    ],
    ...(branch && { branch }),
    ...(commit && { commit }),
    extractor,
    lastTurn: { ...deedsOf(turn.calls) },
    // A turn that adds nothing, such as a thank-you, makes no summary out of date.
    unsummarised: state.unsummarised || records.length > 0 || isTelling(digest),
    lastAt: [turn.endedAt, state.lastAt].sort().at(-1) ?? '',
    seen: [...state.seen, ...keysOf(group.events)],
  };
}

/** The hashes under which events are remembered as seen. */
export function keysOf(events: SpooledEvent[]): string[] {
  return events.flatMap(({ event }) => (event.key === undefined ? [] : [seenHash(event.key)]));
}

/** The branch and commit at the end of these events, where any of them knows. */
export function headOf(events: SpooledEvent[]): { branch?: string; commit?: string } {
  const last = events.findLast(({ branch }) => branch !== undefined) ?? events[0];
  return { ...(last?.branch && { branch: last.branch }), ...(last?.commit && { commit: last.commit }) };
}
