import type { Agent, AgentEvent } from './event.ts';

/** The usable events of a payload: a tool call without the tool's name is not one. */
export function usable<T extends { event: AgentEvent }>(found: readonly T[]): T[] {
  return found.filter(({ event }) => event.kind !== 'tool' || event.call.tool !== '');
}

/** Tells whether a payload that yielded nothing was not understood, as may happen with a newer client. */
export function isNotUnderstood({ events = [], quiet = [] }: Partial<Agent>, event: string): boolean {
  return events.includes(event) && !quiet.includes(event);
}
