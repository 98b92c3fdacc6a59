import type { TurnGroup } from '../extract/turns.ts';

/**
 * Tells whether these are the late events of a turn that was written before, as those of a background sub-agent are:
 * nobody asks for anything in them, and no end follows.
 */
export function isLate(group: TurnGroup, isWritten: (turn: string) => boolean): boolean {
  if (group.turn === undefined || !isWritten(group.turn)) return false;
  return group.events.every(({ event }) => event.kind === 'tool' || event.kind === 'report');
}

/** Puts late events into the turn that follows them, which tells what came of them. */
export function joinLate(turns: TurnGroup[], isWritten: (turn: string) => boolean): TurnGroup[] {
  const joined: TurnGroup[] = [];
  let late: TurnGroup | undefined;
  for (const group of turns) {
    const whole = late === undefined ? group : { ...group, events: [...late.events, ...group.events] };
    late = isLate(group, isWritten) ? whole : undefined;
    if (late === undefined) joined.push(whole);
  }
  return late === undefined ? joined : [...joined, late];
}
