import { readSessions } from '../../capture/drain/session-state.ts';
import { onlooker, pending, readEvent } from '../../capture/spool/spool.ts';
import { lastStarts } from '../../inject/prompt/injected.ts';
import type { Layout } from '../../memory/store/layout.ts';

/** When the last event of each host arrived (milliseconds since 1970), for hosts with a known session or start. */
export function lastEvents(layout: Pick<Layout, 'state' | 'otherStates'>): Map<string, number> {
  const last = new Map<string, number>();
  const note = (host: string, atMs: number) => last.set(host, Math.max(last.get(host) ?? 0, atMs || 0));
  // At time 0 no session counts as old, so reading forgets nothing.
  for (const { host, lastAt } of readSessions(layout.state, 0)) note(host, Date.parse(lastAt));
  for (const state of [layout.state, ...layout.otherStates]) {
    // A start alone leaves no session behind.
    for (const { host, atMs } of lastStarts(state)) note(host, atMs);
    for (const { name, timeMs } of pending(state)) {
      const host = onlooker(() => readEvent(state, name))?.head.host;
      if (host !== undefined) note(host, timeMs);
    }
  }
  return last;
}
