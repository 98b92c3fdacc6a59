import type { Hub, Viewer } from '../port.ts';
import type { HubCard, HubFilter } from '../port-reading.ts';

/** Observations and summaries around a time, oldest first: at most so many before and after it, and those of that time. */
export async function around(
  hub: Hub,
  viewer: Viewer,
  filter: HubFilter,
  { at, before, after }: { at: string; before: number; after: number },
): Promise<HubCard[]> {
  const only: HubFilter = { ...filter, kind: ['observation', 'summary'] };
  const older = await hub.feed(viewer, { ...only, until: at }, { offset: 0, limit: before + 1 });
  const later = { ...only, since: at };
  const { total } = await hub.feed(viewer, later, { offset: 0, limit: 1 });
  const newer = await hub.feed(viewer, later, { offset: Math.max(0, total - after - 1), limit: after + 1 });
  const all = new Map([...newer.items, ...older.items].map((card) => [`${card.repository}:${card.id}`, card]));
  return [...all.values()].reverse();
}
