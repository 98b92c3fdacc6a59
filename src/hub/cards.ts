import { cardOf as indexCardOf, textsOf } from '../index/document.ts';
import type { Field } from '../index/memory-index.ts';
import type { EffectiveState } from '../memory/marks.ts';
import { isContent, type MemoryRecord, typeOf } from '../memory/record.ts';
import type { Freshness } from '../provenance/levels.ts';
import { snippetIn } from '../search/snippet.ts';
import type { HubCard } from './port-reading.ts';

/** A record as the database gives it. */
export interface StoredCard {
  repository: number;
  row: number;
  oid: string;
  path: string;
  author: string;
  freshness: Freshness;
  state: EffectiveState;
  record: MemoryRecord;
}

/** A record for lists; with a question's weights its excerpt is the sentence that answers best. */
export function cardOf(
  { record, path, author, freshness, state }: StoredCard,
  repository: string,
  { weights = new Map(), field }: { weights?: ReadonlyMap<string, number>; field?: Field | undefined } = {},
): HubCard {
  const { id, kind, generated, session = null, branch = null } = record;
  const { title, concepts, files } = indexCardOf(record);
  return {
    repository,
    id,
    kind,
    type: typeOf(record),
    title,
    excerpt: isContent(record) ? snippetIn(textsOf(record), weights, field) : '',
    created: generated.at,
    author,
    session,
    branch,
    concepts,
    files,
    path,
    trust: 'reviewed',
    freshness,
    state,
  };
}
