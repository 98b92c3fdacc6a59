import { isObject, jsonIn } from '../../json.ts';
import type { Layout } from '../../memory/store/layout.ts';
import { findDecoder } from '../agents/agents.ts';
import { type AgentEvent, isTurnEnd } from '../agents/event.ts';
import type { SpooledEvent, TurnGroup } from '../extract/turns.ts';
import { countEvents, pending, readEvent, type StoredEvent } from '../spool/spool.ts';

/** An event that no drain has processed. */
export interface WaitingEvent {
  host: string;
  /** Root of the worktree whose launcher took it. */
  root: string;
  branch?: string | undefined;
  /** When it was put into the spool (ISO 8601, UTC). */
  at: string;
  event: AgentEvent;
}

/** The most that is read of the spool, because an agent waits for the reply; drains after each turn leave less. */
const MOST = { events: 400, bytes: 8_000_000 };

/** Events that wait in some state folders, newest first. With `session`, only that session's, which is far quicker. */
export function* newestEvents(
  states: readonly string[],
  session = '',
  most: typeof MOST = MOST,
): Generator<WaitingEvent> {
  const waiting = states.flatMap((state) => pending(state).map((stored) => ({ state, stored })));
  waiting.sort((a, b) => b.stored.timeMs - a.stored.timeMs);
  let bytes = 0;
  for (const { state, stored } of waiting.slice(0, most.events)) {
    bytes += stored.size;
    if (bytes > most.bytes) return;
    for (const found of decoded(state, stored, session).reverse()) {
      if (session === '' || found.event.session === session) yield found;
    }
  }
}

function decoded(state: string, { name, timeMs }: StoredEvent, session: string): WaitingEvent[] {
  try {
    const found = readEvent(state, name);
    // Parsing is the expensive part: most events of a busy spool belong to other sessions.
    if (found === undefined || !found.payload.includes(session)) return [];
    const payload = jsonIn(found.payload);
    if (!isObject(payload)) return [];
    const { host, event, root, branch } = found.head;
    const at = new Date(timeMs).toISOString();
    return (findDecoder(host)?.toEvents(event, payload) ?? []).map((one) => ({ host, root, branch, at, event: one }));
  } catch {
    return []; // A drain processed it just now, or it is damaged: the drain reports it.
  }
}

/** A session in its first turn, which only the spool knows about. */
export interface BegunSession {
  session: string;
  host: string;
  branch: string | undefined;
  prompts: number;
  startedAt: string;
  lastAt: string;
  /** Its newest event ends neither its turn nor the session. */
  isCut: boolean;
}

/** Sessions with a prompt that only the spool knows about. The prompt is not redacted yet, so it is left out. */
export function begunSessions(states: readonly string[], known: ReadonlySet<string>): BegunSession[] {
  const found = new Map<string, BegunSession>();
  for (const { host, branch, at, event } of newestEvents(states)) {
    const { session } = event;
    if (known.has(session)) continue;
    const isCut = event.kind !== 'turn-end' && event.kind !== 'session-end';
    const before = found.get(session) ?? { session, host, branch, prompts: 0, startedAt: at, lastAt: at, isCut };
    const isAsked = event.kind === 'prompt' && event.from === 'user';
    found.set(session, { ...before, prompts: before.prompts + Number(isAsked), startedAt: at });
  }
  return [...found.values()].filter(({ prompts }) => prompts > 0);
}

/**
 * Tells whether these are late events of a turn that was already written, such as those of a background sub-agent: they
 * contain no prompt, and no end follows.
 */
export function isLate(group: TurnGroup, isWritten: (turn: string) => boolean): boolean {
  if (group.turn === undefined || !isWritten(group.turn)) return false;
  return group.events.every(({ event }) => event.kind === 'tool' || event.kind === 'report');
}

/**
 * Moves late events into the turn that follows them, which says what came of them. Without such a turn they stay a
 * separate group, even if one drain sees them together with their own turn, whose answer does not cover them. That
 * group is complete when the session is over (`isOver`).
 */
export function joinLate(turns: TurnGroup[], isWritten: (turn: string) => boolean, isOver: boolean): TurnGroup[] {
  const joined: TurnGroup[] = [];
  let late: TurnGroup | undefined;
  for (const whole of turns) {
    const { group, after } = split(whole);
    const more = late === undefined ? group : { ...group, events: [...late.events, ...group.events] };
    late = isLate(group, isWritten) ? more : undefined;
    if (late === undefined) joined.push(more);
    // A turn that has an end is not late itself.
    late ??= after && { ...after, complete: isOver };
  }
  return late === undefined ? joined : [...joined, late];
}

/** A turn, and what sub-agents did once it had ended. */
function split(group: TurnGroup): { group: TurnGroup; after?: TurnGroup } {
  const { events } = group;
  const end = events.findIndex(({ event }) => isTurnEnd(event));
  const rest = events.slice(end + 1);
  if (group.turn === undefined || end < 0 || rest.length === 0 || !rest.every(isOfSubagent)) return { group };
  return { group: { ...group, events: events.slice(0, end + 1) }, after: { ...group, events: rest } };
}

function isOfSubagent({ event }: SpooledEvent): boolean {
  return (event.kind === 'tool' || event.kind === 'report') && event.agent !== undefined;
}

/** How many events wait, and how many were set aside as unreadable, in every place where a hook may have put them. */
export function backlog({ state, otherStates }: Layout): { pending: number; failed: number } {
  const counts = [state, ...otherStates].map(countEvents);
  return {
    pending: counts.reduce((sum, { pending }) => sum + pending, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}
