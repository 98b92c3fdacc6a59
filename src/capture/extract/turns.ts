import { grouped } from '../../quantities.ts';
import { type AgentEvent, EVENT_KINDS, isTurnEnd } from '../agents/event.ts';

/** An event with what the spool knows about it. */
export interface SpooledEvent {
  /** Name of the spool file, to acknowledge by. */
  name: string;
  /** ISO 8601, UTC. */
  at: string;
  host: string;
  /** Root of the worktree whose launcher took the event. */
  root: string;
  branch?: string;
  commit?: string;
  /** The commit that HEAD named when the hook ran; absent where only the time of the event is known. */
  head?: string | undefined;
  event: AgentEvent;
}

/** The events of one user turn, oldest first. */
export interface TurnGroup {
  session: string;
  /** The host's id of the turn, where it has one. */
  turn: string | undefined;
  events: SpooledEvent[];
  complete: boolean;
}

/** What a session did, in order: its turns and the events between them. */
export interface SessionGroup {
  session: string;
  turns: TurnGroup[];
  /** Session starts, compactions and session ends, oldest first. */
  boundaries: SpooledEvent[];
  /** True when the session ended and nothing followed, or it has been idle. */
  ended: boolean;
}

/**
 * Groups events by session and user turn. A turn is complete when its end event came, when a later turn of the session began,
 * when the session ended, or when its last event is older than `idleBefore` (ISO 8601); `all` completes every turn. If the clock
 * was set back in mid-turn, the turn waits until it is idle.
 */
export function groupTurns(events: SpooledEvent[], options: Grouping): SessionGroup[] {
  const sessions = grouped([...events].sort(byTime), ({ event }) => event.session);
  return [...sessions].map(([session, list]) => groupSession(session, list, options));
}

interface Grouping {
  idleBefore: string;
  all: boolean;
}

function groupSession(session: string, events: SpooledEvent[], { idleBefore, all }: Grouping): SessionGroup {
  const boundaries: SpooledEvent[] = [];
  const turns: TurnGroup[] = [];
  const byHostId = new Map<string, TurnGroup>();
  for (const spooled of events) {
    const { event } = spooled;
    if (event.kind === 'session-start' || event.kind === 'session-end' || event.kind === 'compaction') {
      boundaries.push(spooled);
      continue;
    }
    let group = event.turn === undefined ? turns.at(-1) : byHostId.get(event.turn);
    // If the host has no turn ids, a prompt begins a turn.
    const begins = group === undefined || (event.turn === undefined && event.kind === 'prompt');
    if (begins || group === undefined) {
      group = { session, turn: event.turn, events: [], complete: false };
      turns.push(group);
      if (event.turn !== undefined) byHostId.set(event.turn, group);
    }
    group.events.push(spooled);
  }

  const last = events.at(-1);
  const end = boundaries.findLast(({ event }) => event.kind === 'session-end');
  const idle = last !== undefined && last.at < idleBefore;
  const ended = idle || (end !== undefined && end === last);
  for (const [index, group] of turns.entries()) {
    const endedAfter =
      end !== undefined && group.events.every((spooled) => events.indexOf(spooled) < events.indexOf(end));
    const hasEnd = group.events.some(({ event }) => isTurnEnd(event));
    group.complete = all || idle || hasEnd || endedAfter || index < turns.length - 1;
  }
  return { session, turns, boundaries, ended };
}

/** File system clocks are coarse: a turn's last events often share one time, and then their kinds give the order. */
function byTime(a: SpooledEvent, b: SpooledEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  const order = EVENT_KINDS.indexOf(a.event.kind) - EVENT_KINDS.indexOf(b.event.kind);
  return order || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
