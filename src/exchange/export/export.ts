import { sections } from '../../memory/body.ts';
import { encode } from '../../memory/codec.ts';
import { type MemoryRecord, type StoreName, typeOf } from '../../memory/record.ts';
import { sanitiseForTerminal, visibleJson } from '../../privacy/sanitise.ts';
import { type Annotated, tokensOf } from '../../recall/query/annotate.ts';
import { type RecordView, viewOf } from '../../recall/query/view.ts';

export const EXPORT_FORMATS = ['jsonl', 'json', 'md'] as const;
export type StreamFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Records in a format, as chunks of text. `jsonl` has one record per line, with everything that an import needs to
 * recreate the same file; `json` the same as one document; `md` is for people.
 */
export function* exported(
  records: Annotated[],
  format: StreamFormat,
  folders: Record<StoreName, string>,
): Generator<string> {
  switch (format) {
    case 'jsonl':
      for (const one of records) yield `${visibleJson(JSON.stringify(exportView(one, folders)))}\n`;
      return;
    case 'json':
      yield `{\n  "total": ${records.length},\n  "records": [`;
      for (const [i, one] of records.entries()) {
        const text = visibleJson(JSON.stringify(exportView(one, folders), null, 2)).replaceAll('\n', '\n    ');
        yield `${i > 0 ? ',' : ''}\n    ${text}`;
      }
      yield records.length > 0 ? '\n  ]\n}\n' : ']\n}\n';
      return;
    case 'md':
      yield '# Memory\n';
      for (const { record } of records) yield sanitiseForTerminal(markdownOf(record));
      return;
    default:
      format satisfies never;
  }
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

function markdownOf(record: MemoryRecord): string {
  const lines: string[] = [];
  const add = (...paragraphs: string[]) => lines.push(...paragraphs.filter(Boolean).flatMap((text) => ['', text]));
  const title = record.kind === 'mark' || record.kind === 'prompt' ? '' : record.title;
  const type = typeOf(record);
  add(`## ${title || type}`);
  add(
    [type, record.generated.at.slice(0, 10), record.branch && `\`${record.branch}\``, `\`${record.id}\``]
      .filter(Boolean)
      .join(' · '),
  );
  switch (record.kind) {
    case 'observation': {
      add(record.subtitle ? `*${record.subtitle}*` : '', record.narrative);
      add(record.facts.map((fact) => `- ${fact.replaceAll('\n', '\n  ')}`).join('\n'));
      add(filesLine('Modified', record.files_modified), filesLine('Read', record.files_read));
      break;
    }
    case 'summary':
      for (const [key, heading] of sections()) if (record[key]) add(`### ${heading}`, record[key]);
      add(filesLine('Edited', record.files_edited));
      break;
    case 'mark':
      add(
        `Of ${record.targets.map((id) => `\`${id}\``).join(', ')}${record.by ? ` by \`${record.by}\`` : ''}.`,
        record.reason,
      );
      break;
    case 'prompt':
      add(record.text);
      break;
    default:
      return record satisfies never;
  }
  return `${lines.join('\n')}\n`;
}

function filesLine(name: string, paths: string[]): string {
  return paths.length > 0 ? `${name}: ${paths.map((path) => `\`${path}\``).join(', ')}` : '';
}
