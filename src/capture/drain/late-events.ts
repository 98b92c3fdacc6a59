import { isTurnEnd } from '../agents/event.ts';
import type { SpooledEvent, TurnGroup } from '../extract/turns.ts';

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
