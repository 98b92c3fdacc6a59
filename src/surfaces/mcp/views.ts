import { isContent, typeOf } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import { foldersOf } from '../../recall/query/store-folders.ts';

/** A record in a list, in the JSON shape of a search hit. */
export function hitOf(annotated: Annotated, workspace: Workspace) {
  const { record, entry, trust, freshness, readTokens } = annotated;
  return {
    id: record.id,
    kind: record.kind,
    type: typeOf(record),
    title: isContent(record) ? record.title : '',
    created: record.generated.at,
    path: `${foldersOf(workspace)[entry.store]}/${entry.path}`,
    trust,
    freshness,
    read_tokens: readTokens,
  };
}
