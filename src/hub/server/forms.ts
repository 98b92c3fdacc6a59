import { shortestPrefixes } from '../../memory/id.ts';
import { recordFile } from '../../memory/store/store.ts';
import { rounded } from '../../quantities.ts';
import { type Annotated, presentable, tokensOf } from '../../records/annotate.ts';
import type { Card } from '../../surfaces/viewer/protocol.ts';
import type { Hub } from '../open.ts';
import type { Viewer } from '../port.ts';
import type { HubCard, HubFilter, HubHit, HubRecord } from '../port-reading.ts';

/** The folder of a repository's records, as paths name it. */
export const FOLDERS = { team: '.memory', private: '' };

/** A record for the viewer's lists, which cannot be filtered by branch here. */
export function cardOf(hit: HubCard): Card {
  const { redacted } = hit.state;
  return { ...listed(hit), branch: null, store: 'team', edited: false, redacted, inputs: [] };
}

/** A record in the form of the other surfaces; of a redacted one only its existence. */
export function annotatedOf({ record, path, created, state, trust, freshness }: HubRecord): Annotated {
  const inStore = path.replace(/^\.memory\//, '');
  return presentable({
    record,
    entry: { store: 'team', kind: record.kind, path: inStore, id: record.id, time: created, slug: '' },
    shortId: shortestPrefixes([record.id]).get(record.id) ?? record.id,
    state,
    trust,
    edited: false,
    freshness,
    verified: state.verified,
    missing: [],
    cited: [],
    readTokens: tokensOf(recordFile(record).bytes.toString('utf8')),
  });
}

/** A record of a list in JSON. */
export function listed({ state: { redacted: _, verified_by: __, ...state }, ...card }: HubCard) {
  return { ...card, ...state };
}

/** A hit in JSON. */
export function hitOf(hit: HubHit) {
  const { excerpt: snippet, ...card } = listed(hit);
  return { ...card, snippet, score: rounded(hit.score), confidence: rounded(hit.confidence), also: hit.also };
}

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
