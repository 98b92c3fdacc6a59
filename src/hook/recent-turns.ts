import { findDecoder } from '../agents/agents.ts';
import { type Deeds, deedsOf } from '../agents/deeds.ts';
import type { AgentEvent, ToolCall } from '../agents/event.ts';
import { pending, readEvent, type StoredEvent } from '../spool/spool.ts';

/** The turn that runs and the one before it. */
export interface RecentTurns {
  current: Deeds;
  /** `isWhole`: its prompt waits in the spool too, so that a drain has put nothing of it away. */
  previous: Deeds & { isWhole: boolean };
}

/** Most that is read of the spool: an agent waits, and turns that are longer have said enough by then. */
const MOST = { events: 400, bytes: 8_000_000 } as const;

/** What a session did lately, by the events of it that no drain has put away; newest first, and no more than needed. */
export function recentTurns(states: readonly string[], session: string): RecentTurns {
  const [current, previous]: [ToolCall[], ToolCall[]] = [[], []];
  let prompts = 0;
  for (const event of newestEvents(states, session)) {
    if (event.kind === 'prompt' && event.from === 'user' && ++prompts === 2) break;
    if (event.kind === 'tool') (prompts === 0 ? current : previous).push(event.call);
  }
  return { current: deedsOf(current), previous: { ...deedsOf(previous), isWhole: prompts === 2 } };
}

function* newestEvents(states: readonly string[], session: string): Generator<AgentEvent> {
  const waiting = states.flatMap((state) => pending(state).map((stored) => ({ state, stored })));
  waiting.sort((a, b) => b.stored.timeMs - a.stored.timeMs);
  let bytes = 0;
  for (const { state, stored } of waiting.slice(0, MOST.events)) {
    bytes += stored.size;
    if (bytes > MOST.bytes) return;
    for (const event of decoded(state, stored, session).reverse()) if (event.session === session) yield event;
  }
}

function decoded(state: string, { name }: StoredEvent, session: string): AgentEvent[] {
  try {
    const found = readEvent(state, name);
    // Parsing is what costs: most events of a busy spool are of other sessions.
    if (found === undefined || !found.payload.includes(session)) return [];
    const payload: unknown = JSON.parse(found.payload);
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
    return findDecoder(found.head.host)?.toEvents(found.head.event, { ...payload }) ?? [];
  } catch {
    return []; // A drain put it away just now, or it is damaged: the drain says so.
  }
}
