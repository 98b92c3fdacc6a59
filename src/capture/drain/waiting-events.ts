import { isObject, jsonIn } from '../../json.ts';
import { findDecoder } from '../agents/agents.ts';
import type { AgentEvent } from '../agents/event.ts';
import { pending, readEvent } from '../spool/spool.ts';

/** An event that no drain has processed. */
export interface WaitingEvent {
  host: string;
  /** Root of the worktree whose launcher took it. */
  root: string;
  event: AgentEvent;
}

/** How much of the spool is read at most: an agent waits for the reply. */
const MOST = { events: 400, bytes: 8_000_000 } as const;

/** Events that wait in some state folders, newest first. With `session`, only that session's, which is far quicker. */
export function* newestEvents(states: readonly string[], session = ''): Generator<WaitingEvent> {
  const waiting = states.flatMap((state) => pending(state).map((stored) => ({ state, stored })));
  waiting.sort((a, b) => b.stored.timeMs - a.stored.timeMs);
  let bytes = 0;
  for (const { state, stored } of waiting.slice(0, MOST.events)) {
    bytes += stored.size;
    if (bytes > MOST.bytes) return;
    for (const found of decoded(state, stored.name, session).reverse()) {
      if (session === '' || found.event.session === session) yield found;
    }
  }
}

function decoded(state: string, name: string, session: string): WaitingEvent[] {
  try {
    const found = readEvent(state, name);
    // Parsing is the expensive part: most events of a busy spool belong to other sessions.
    if (found === undefined || !found.payload.includes(session)) return [];
    const payload = jsonIn(found.payload);
    if (!isObject(payload)) return [];
    const { host, event, root } = found.head;
    return (findDecoder(host)?.toEvents(event, payload) ?? []).map((one) => ({ host, root, event: one }));
  } catch {
    return []; // A drain processed it just now, or it is damaged: the drain reports it.
  }
}
