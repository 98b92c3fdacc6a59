import { splitFrontMatter } from '../../../memory/front-matter.ts';
import { originOf } from '../../../provenance/why.ts';
import type { Annotated } from '../../../records/annotate.ts';
import { foldersOf } from '../../../records/view.ts';
import { type CodeLinks, codeLinks } from '../../../review/code-links.ts';
import { cardOf, cardsOf, filesOf, rawText, recordNamed } from '../cards.ts';
import type { Library } from '../library.ts';
import type { Card } from '../protocol.ts';
import { markOf, provenanceOf, type Surroundings, surroundingsOf } from '../record-origin.ts';
import type { FileOfRecord, RecordPage } from '../record-protocol.ts';
import type { Snapshot } from '../snapshot.ts';

/** Everything about one record; throws no-such-record, ambiguous-id. A redacted one has no text. */
export async function recordPage(library: Library, prefix: string): Promise<RecordPage> {
  const { workspace } = library.project;
  const snapshot = await library.snapshot();
  const { placed, own } = await recordNamed(library, snapshot, prefix);
  const { record, entry, state } = own;
  const places = filesOf(record).map(({ path }) => own.cited.find((file) => file.path === path)?.movedTo ?? path);
  const links = await codeLinks(workspace, 'HEAD', places);
  const [around, origin] = await Promise.all([
    surroundingsOf(library, snapshot, { placed, own }),
    originOf(workspace, own),
  ]);
  const lists = await cardLists(library, snapshot, around);
  const raw = state.redacted ? '' : rawText(own, workspace);
  return {
    card: cardOf(own),
    subtitle: record.kind === 'observation' ? (record.subtitle ?? '') : '',
    markdown: raw === '' ? '' : splitFrontMatter(raw, entry.path).body.replace(/^\n+/, ''),
    raw,
    path: `${foldersOf(workspace)[entry.store]}/${entry.path}`,
    facts: record.kind === 'observation' ? record.facts : [],
    files: filesOf(record).map((file) => fileOf(file, own, links)),
    // The prompt may contain the redacted text.
    provenance: { ...provenanceOf(own, origin, links), prompt: state.redacted ? null : (around.prompt ?? null) },
    chain: around.chain,
    marks: around.marks.map(markOf),
    ...lists,
  };
}

async function cardLists(
  library: Library,
  snapshot: Snapshot,
  { cited, session }: Surroundings,
): Promise<Pick<RecordPage, 'cited_by' | 'session'>> {
  const all = [...new Set([...cited, ...session])];
  const cards = new Map((await cardsOf(library, snapshot, all)).map((card) => [card.id, card]));
  const of = (places: typeof all): Card[] => places.flatMap(({ document }) => cards.get(document.card.id) ?? []);
  return { cited_by: of(cited), session: of(session) };
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
