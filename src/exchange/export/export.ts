import { encode } from '../../memory/codec.ts';
import type { StoreName } from '../../memory/record.ts';
import { visibleJson } from '../../privacy/sanitise.ts';
import { type Annotated, tokensOf } from '../../records/annotate.ts';
import { type RecordView, viewOf } from '../../records/view.ts';

/** Records as JSON lines, one each, with everything that an import needs to recreate the same file. */
export function* exported(records: Annotated[], folders: Record<StoreName, string>): Generator<string> {
  for (const one of records) yield `${visibleJson(JSON.stringify(exportView(one, folders)))}\n`;
}

/** The JSON shape with the fields that lists leave out, so that nothing is lost. */
function exportView(annotated: Annotated, folders: Record<StoreName, string>): RecordView {
  const { record } = annotated;
  return {
    ...viewOf(annotated, folders),
    // Of the record, not of the file, which a person may have formatted differently.
    read_tokens: tokensOf(encode(record)),
    ...((record.kind === 'observation' || record.kind === 'mark') && record.anchors && { anchors: record.anchors }),
    ...(record.kind === 'mark' && record.hashed_with && { hashed_with: record.hashed_with }),
    ...(record.kind === 'mark' && record.hashes && { hashes: record.hashes }),
    ...(record.extra && { extra: record.extra }),
  };
}
