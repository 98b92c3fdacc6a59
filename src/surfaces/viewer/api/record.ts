import { splitFrontMatter } from '../../../memory/front-matter.ts';
import { originOf } from '../../../provenance/why.ts';
import type { Annotated } from '../../../records/annotate.ts';
import { recordWithOthers } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type CodeLinks, codeLinks } from '../../../review/code-links.ts';
import { cardOf, filesOf, rawText } from '../cards.ts';
import type { Library } from '../library.ts';
import { provenanceOf, surroundingsOf } from '../record-origin.ts';
import type { FileOfRecord, RecordPage } from '../record-protocol.ts';

/** Everything about one record; throws no-such-record, ambiguous-id. A redacted one has no text. */
export async function recordPage(library: Library, prefix: string): Promise<RecordPage> {
  const { workspace } = library.project;
  const { own, records } = await recordWithOthers(workspace, library.cache, prefix.trim().slice(0, 80));
  const { record, entry, state } = own;
  const places = filesOf(record).map(({ path }) => own.cited.find((file) => file.path === path)?.movedTo ?? path);
  const links = await codeLinks(workspace, 'HEAD', places);
  const [snapshot, origin] = await Promise.all([library.snapshot(), originOf(workspace, own)]);
  const { prompt, ...around } = surroundingsOf(record.id, records, snapshot);
  const raw = state.redacted ? '' : rawText(own, workspace);
  return {
    card: cardOf(own),
    subtitle: record.kind === 'observation' ? (record.subtitle ?? '') : '',
    markdown: raw === '' ? '' : splitFrontMatter(raw, entry.path).body.replace(/^\n+/, ''),
    raw,
    path: `${foldersOf(workspace)[entry.store]}/${entry.path}`,
    facts: record.kind === 'observation' ? record.facts : [],
    files: filesOf(record).map((file) => fileOf(file, own, links)),
    provenance: { ...provenanceOf(own, origin, links), prompt },
    ...around,
  };
}

/** A cited file as the page shows it. */
export function fileOf(
  { path, change }: ReturnType<typeof filesOf>[number],
  { cited, missing }: Pick<Annotated, 'cited' | 'missing'>,
  links: CodeLinks | undefined,
): FileOfRecord {
  const file = cited.find((one) => one.path === path);
  return {
    path,
    change,
    freshness: file?.freshness ?? 'unknown',
    now_at: file?.movedTo ?? null,
    missing: missing.flatMap((one) => (one.path === path ? [one.name] : [])),
    url: links?.files.get(file?.movedTo ?? path),
  };
}
