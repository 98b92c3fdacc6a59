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
 * Groups events by session and user turn. A turn is complete when its end event came, when a later turn of the session
 * began, when the session ended, or when its last event is older than `idleBefore` (ISO 8601); `all` completes every
 * turn. If the clock was put back, as `now` shows, events are taken in their true order; one that is further in the
 * future than a session may be idle counts as over.
 */
export function groupTurns(events: SpooledEvent[], options: Grouping): SessionGroup[] {
  const sessions = grouped([...events].sort(byTime), ({ event }) => event.session);
  return [...sessions].map(([session, list]) => groupSession(session, list, options));
}

interface Grouping {
  idleBefore: string;
  /** Left out for old events, for which only their own times are known. */
  now?: string;
  all: boolean;
}

function groupSession(session: string, sorted: SpooledEvent[], options: Grouping): SessionGroup {
  const { idleBefore, now } = options;
  const events = now === undefined ? sorted : withoutSteps(sorted, now);
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
  const idle =
    last !== undefined && (last.at < idleBefore || (now !== undefined && last.at > mirrored(idleBefore, now)));
  const ended = idle || (end !== undefined && end === last);
  for (const [index, group] of turns.entries()) {
    const endedAfter =
      end !== undefined && group.events.every((spooled) => events.indexOf(spooled) < events.indexOf(end));
    const hasEnd = group.events.some(({ event }) => isTurnEnd(event));
    group.complete = options.all || idle || hasEnd || endedAfter || index < turns.length - 1;
  }
  return { session, turns, boundaries, ended };
}

/** The time as long after `time` as `before` is before it. */
function mirrored(before: string, time: string): string {
  return new Date(2 * Date.parse(time) - Date.parse(before)).toISOString();
}

/** File system clocks are coarse: a turn's last events often share one time, and then their kinds give the order. */
function byTime(a: SpooledEvent, b: SpooledEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  const order = EVENT_KINDS.indexOf(a.event.kind) - EVENT_KINDS.indexOf(b.event.kind);
  return order || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Clocks of machine and file system are taken to differ by less; an event further ahead was before a step back. */
const AHEAD_MS = 60_000;

/**
 * The events of one session in their true order if the clock was put back in the middle of a turn: by their times, the
 * turn's end then comes before its prompt, which would wait for an end for as long as the step was. `events` are sorted
 * by time. Events before the step are moved to the first event that belongs to no prompt, and get its time.
 */
function withoutSteps(events: SpooledEvent[], now: string): SpooledEvent[] {
  const to = firstUnprompted(events);
  const from = firstAhead(events, now) ?? afterEnd(events);
  const begin = to === undefined ? undefined : events[to];
  if (to === undefined || begin === undefined || from === undefined || from <= to) return events;
  const moved = events.slice(from).map((spooled) => ({ ...spooled, at: begin.at }));
  return [...events.slice(0, to), ...moved, ...events.slice(to, from)];
}

/** The first event of a turn that nothing began, else the end of a session in which nothing else is wrong. */
function firstUnprompted(events: SpooledEvent[]): number | undefined {
  const prompted = new Set<string>();
  let isOpen = false;
  for (const [i, { event }] of events.entries()) {
    if (event.kind === 'prompt') {
      isOpen = true;
      if (event.turn !== undefined) prompted.add(event.turn);
    } else if (event.kind === 'tool' || event.kind === 'report' || event.kind === 'turn-end') {
      if (event.turn === undefined ? !isOpen : !prompted.has(event.turn)) return i;
      if (isTurnEnd(event)) isOpen = false;
    }
  }
  const end = events.findLastIndex(({ event }) => event.kind === 'session-end');
  return end < 0 ? undefined : end;
}

/** The first event in the future by the current clock, if one of them is further ahead than clocks can differ. */
function firstAhead(events: SpooledEvent[], now: string): number | undefined {
  const limit = new Date(Date.parse(now) + AHEAD_MS).toISOString();
  const last = events.at(-1);
  return last !== undefined && last.at > limit ? events.findIndex(({ at }) => at > now) : undefined;
}

/** The place after a session's end, if a prompt without start or turn end follows, and its turn ended before. */
function afterEnd(events: SpooledEvent[]): number | undefined {
  const end = events.findLastIndex(({ event }) => event.kind === 'session-end');
  const tail = end < 0 ? [] : events.slice(end + 1);
  const prompt = tail.findLastIndex(({ event }) => event.kind === 'prompt');
  if (prompt < 0 || tail.some(({ event }) => event.kind === 'session-start')) return undefined;
  if (tail.slice(prompt).some(({ event }) => event.kind === 'turn-end')) return undefined;
  const turn = tail[prompt]?.event.turn;
  const wentOn = events.slice(0, end).some(({ event }) => event.kind === 'turn-end' && event.turn === turn);
  return wentOn ? end + 1 : undefined;
}
