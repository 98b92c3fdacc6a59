import { isContent, type StoreName, typeOf } from '../../memory/record.ts';
import type { Annotated } from '../../recall/query/annotate.ts';

/** A record in a list, in the JSON shape of a search hit. */
export function hitOf(annotated: Annotated, folders: Record<StoreName, string>) {
  const { record, entry, trust, freshness, readTokens } = annotated;
  return {
    id: record.id,
    kind: record.kind,
    type: typeOf(record),
    title: isContent(record) ? record.title : '',
    created: record.generated.at,
    path: `${folders[entry.store]}/${entry.path}`,
    trust,
    freshness,
    read_tokens: readTokens,
  };
}
