import { type Deeds, deedsOf } from '../agents/deeds.ts';
import type { ToolCall } from '../agents/event.ts';
import { newestEvents } from '../drain/waiting-events.ts';

/** What was seen of a turn. `isWhole`: its prompt is still in the spool, so that no drain has processed any of it. */
export type SeenDeeds = Deeds & { isWhole: boolean };

/** The turn that runs and the one before it. */
export interface RecentTurns {
  current: SeenDeeds;
  previous: SeenDeeds;
}

/** What a session did lately, from its events that no drain has processed; newest first, and no more than needed. */
export function recentTurns(states: readonly string[], session: string): RecentTurns {
  const [current, previous]: [ToolCall[], ToolCall[]] = [[], []];
  let prompts = 0;
  for (const { event } of newestEvents(states, session)) {
    if (event.kind === 'prompt' && event.from === 'user' && ++prompts === 2) break;
    if (event.kind === 'tool') (prompts === 0 ? current : previous).push(event.call);
  }
  return {
    current: { ...deedsOf(current), isWhole: prompts > 0 },
    previous: { ...deedsOf(previous), isWhole: prompts === 2 },
  };
}
