import type { Agent, AgentEvent } from './event.ts';

/** The events of a payload that can be used: a tool call without the tool's name is none. */
export function usable<T extends { event: AgentEvent }>(found: readonly T[]): T[] {
  return found.filter(({ event }) => event.kind !== 'tool' || event.call.tool !== '');
}

/** Tells whether a payload that came to nothing was not understood, as those of a newer client may not be. */
export function isStrange({ events = [], quiet = [] }: Partial<Agent>, event: string): boolean {
  return events.includes(event) && !quiet.includes(event);
}
