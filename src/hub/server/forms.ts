import { shortestPrefixes } from '../../memory/id.ts';
import { recordFile } from '../../memory/store/store.ts';
import { rounded } from '../../quantities.ts';
import { type Annotated, presentable, tokensOf } from '../../recall/query/annotate.ts';
import type { Card } from '../../surfaces/viewer/protocol.ts';
import type { HubCard, HubHit, HubRecord } from '../port-reading.ts';

/** The folder of a repository's records, as paths name it. */
export const FOLDERS = { team: '.memory', private: '' };

/** A record for the viewer's lists, which cannot be filtered by branch here. */
export function cardOf(hit: HubCard): Card {
  const { redacted } = hit.state;
  return { ...listed(hit), branch: null, store: 'team', edited: false, redacted };
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
