import type { Agent } from './event.ts';

/** A moment at which an agent may be asked to save what it learned. */
export interface Occasion {
  kind: 'prompt' | 'turn-end';
  session: string;
}

/** The occasion that a host's event is; undefined for all others. */
export function occasionOf(agent: Agent, event: string, payload: Record<string, unknown>): Occasion | undefined {
  if (!agent.asks.includes(event)) return undefined;
  // The turn's end was already delayed once; the key is Claude Code's, and other hosts use it too.
  if (payload.stop_hook_active === true) return undefined;
  for (const { kind, session, agent: subagent, ...found } of agent.toEvents(event, payload)) {
    const isAsked = kind === 'turn-end' || (kind === 'prompt' && 'from' in found && found.from === 'user');
    // A sub-agent does not see the whole turn; its parent is asked.
    if (isAsked && subagent === undefined) return { kind, session };
  }
  return undefined;
}
