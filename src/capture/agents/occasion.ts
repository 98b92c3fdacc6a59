import type { Agent } from './event.ts';

/** A moment at which an agent may be asked to save what it learned. */
export type Occasion = { session: string } & ({ kind: 'prompt'; text: string } | { kind: 'turn-end' });

/** The occasion that a host's event is; undefined for all others. */
export function occasionOf(agent: Agent, event: string, payload: Record<string, unknown>): Occasion | undefined {
  if (!agent.asks.includes(event)) return undefined;
  // The turn's end was already delayed once; the key is Claude Code's, and other hosts use it too.
  if (payload.stop_hook_active === true) return undefined;
  for (const found of agent.toEvents(event, payload)) {
    const { session } = found;
    // A sub-agent does not see the whole turn; its parent is asked.
    if (found.agent !== undefined) continue;
    if (found.kind === 'turn-end') return { kind: 'turn-end', session };
    if (found.kind === 'prompt' && found.from === 'user') return { kind: 'prompt', session, text: found.text };
  }
  return undefined;
}
