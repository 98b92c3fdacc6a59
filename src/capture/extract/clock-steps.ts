import { type AgentEvent, isTurnEnd } from '../agents/event.ts';

/** An event and its time, ISO 8601, UTC. */
interface Timed {
  at: string;
  event: AgentEvent;
}

/** Clocks of machine and file system are taken to differ by less; an event further ahead was before a step back. */
const AHEAD_MS = 60_000;

/**
 * The events of one session in their true order if the clock was put back in the middle of a turn: by their times, the
 * turn's end then comes before its prompt, which would wait for an end for as long as the step was. `events` are sorted
 * by time. Events before the step are moved to the first event that belongs to no prompt, and get its time.
 */
export function withoutSteps<T extends Timed>(events: T[], now: string): T[] {
  const to = firstUnprompted(events);
  const from = firstAhead(events, now) ?? afterEnd(events);
  const begin = to === undefined ? undefined : events[to];
  if (to === undefined || begin === undefined || from === undefined || from <= to) return events;
  const moved = events.slice(from).map((spooled) => ({ ...spooled, at: begin.at }));
  return [...events.slice(0, to), ...moved, ...events.slice(to, from)];
}

/** The first event of a turn that nothing began, else the end of a session in which nothing else is wrong. */
function firstUnprompted(events: Timed[]): number | undefined {
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
function firstAhead(events: Timed[], now: string): number | undefined {
  const limit = new Date(Date.parse(now) + AHEAD_MS).toISOString();
  const last = events.at(-1);
  return last !== undefined && last.at > limit ? events.findIndex(({ at }) => at > now) : undefined;
}

/** The place after a session's end, if a prompt without start or turn end follows, and its turn ended before. */
function afterEnd(events: Timed[]): number | undefined {
  const end = events.findLastIndex(({ event }) => event.kind === 'session-end');
  const tail = end < 0 ? [] : events.slice(end + 1);
  const prompt = tail.findLastIndex(({ event }) => event.kind === 'prompt');
  if (prompt < 0 || tail.some(({ event }) => event.kind === 'session-start')) return undefined;
  if (tail.slice(prompt).some(({ event }) => event.kind === 'turn-end')) return undefined;
  const wentOn = events
    .slice(0, end)
    .some(({ event }) => event.kind === 'turn-end' && event.turn === turnOf(tail[prompt]));
  return wentOn ? end + 1 : undefined;
}

function turnOf(spooled: Timed | undefined): string | undefined {
  return spooled?.event.kind === 'prompt' ? spooled.event.turn : undefined;
}
