import type { HubCard, HubHit, HubRecord } from '../../hub/port-reading.ts';
import { shortestPrefixes } from '../../memory/id.ts';
import { recordFile } from '../../memory/store/store.ts';
import { rounded } from '../../quantities.ts';
import { type Annotated, presentable, tokensOf } from '../../recall/query/annotate.ts';
import type { Card } from '../viewer/protocol.ts';

/** The folder of a repository's records, as paths name it. */
export const FOLDERS = { team: '.memory', private: '' };

/** A record for the viewer's lists, which cannot be filtered by branch here. */
export function cardOf(hit: HubCard): Card {
  const { redacted } = hit.state;
  return { ...listed(hit), branch: null, store: 'team', edited: false, redacted, reverted_by: null };
}

/** A record in the form of the other surfaces; of a redacted one only its existence. */
export function annotatedOf({ record, path, created, state, trust, freshness, disputedBy }: HubRecord): Annotated {
  const inStore = path.replace(/^\.memory\//, '');
  return presentable({
    record,
    entry: { store: 'team', kind: record.kind, path: inStore, id: record.id, time: created, slug: '' },
    shortId: shortestPrefixes([record.id]).get(record.id) ?? record.id,
    state,
    trust,
    edited: false,
    freshness,
    disputedBy,
    readTokens: tokensOf(recordFile(record).bytes.toString('utf8')),
  });
}

/** A record of a list in JSON. */
export function listed({ state: { redacted: _, ...state }, disputedBy, ...card }: HubCard) {
  return { ...card, ...state, disputed: state.disputed || disputedBy.length > 0, disputed_by: disputedBy };
}

/** A hit in JSON. */
export function hitOf(hit: HubHit) {
  const { excerpt: snippet, ...card } = listed(hit);
  return { ...card, snippet, score: rounded(hit.score), confidence: rounded(hit.confidence), also: hit.also };
}
