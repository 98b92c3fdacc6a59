import { noteFetched } from '../../../capture/by-hand/fetched.ts';
import { splitFrontMatter } from '../../../memory/front-matter.ts';
import { isContent } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { type FileHistory, fileHistory } from '../../../provenance/history.ts';
import { pullRequestOf } from '../../../provenance/pull-request.ts';
import { originOf } from '../../../provenance/why.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { evidenceOf } from '../../../recall/query/evidence.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import { countUse } from '../../../recall/query/use.ts';
import { type CodeLinks, codeLinks } from '../../../review/code-links.ts';
import { cardOf, cardsOf, filesOf } from '../cards.ts';
import type { Library } from '../library.ts';
import type { Card } from '../protocol.ts';
import type { FileOfRecord, RecordPage } from '../protocol-record.ts';
import { recordNamed } from '../record-named.ts';
import { commitOf, markOf, provenanceOf } from '../record-origin.ts';
import type { Snapshot } from '../snapshot.ts';
import { type Surroundings, surroundingsOf } from '../surroundings.ts';

/** Everything about one record; throws no-such-record, ambiguous-id. A redacted one has no text. */
export async function recordPage(library: Library, prefix: string): Promise<RecordPage> {
  const { workspace } = library.project;
  const snapshot = await library.snapshot();
  const { placed, own } = await recordNamed(library, snapshot, prefix);
  const { record, entry, state } = own;
  const histories = record.kind === 'observation' ? await fileHistory(workspace, record) : [];
  const places = filesOf(record).map(({ path }) => histories.find(({ file }) => file === path)?.moved_to ?? path);
  const links = await codeLinks(workspace, 'HEAD', places);
  const [around, provenance, known] = await Promise.all([
    surroundingsOf(library, snapshot, { placed, own }),
    originIn(workspace, own, links),
    evidenceOf(workspace, library.cache, [own]),
  ]);
  const evidence = known.get(own.record.id);
  const uses = isContent(own.record) ? await countUse(workspace, library.cache, new Date()) : undefined;
  await noteFetched(workspace, [own.record.id], new Date());
  const lists = await cardLists(library, snapshot, around);
  const raw = state.redacted ? '' : workspace.stores[entry.store].load(entry).text;
  return {
    card: cardOf(own),
    subtitle: record.kind === 'observation' ? (record.subtitle ?? '') : '',
    markdown: raw === '' ? '' : splitFrontMatter(raw, entry.path).body.replace(/^\n+/, ''),
    raw,
    path: `${foldersOf(workspace)[entry.store]}/${entry.path}`,
    facts: record.kind === 'observation' ? record.facts : [],
    ...(evidence && { evidence }),
    ...(uses && { used: uses.of(own.record.id) }),
    files: filesOf(record).map((file) => fileOf(file, histories, links)),
    // The prompt may contain the redacted text.
    provenance: { ...provenance, prompt: state.redacted ? null : (around.prompt ?? null) },
    chain: around.chain,
    marks: around.marks.map(markOf),
    ...lists,
  };
}

async function cardLists(
  library: Library,
  snapshot: Snapshot,
  { cited, session, around, rivals }: Surroundings,
): Promise<Pick<RecordPage, 'cited_by' | 'session' | 'around' | 'rivals'>> {
  const all = [...new Set([...cited, ...session, ...around, ...rivals])];
  const cards = new Map((await cardsOf(library, snapshot, all)).map((card) => [card.id, card]));
  const of = (places: typeof all): Card[] => places.flatMap(({ document }) => cards.get(document.card.id) ?? []);
  return { cited_by: of(cited), session: of(session), around: of(around), rivals: of(rivals) };
}

function fileOf(
  { path, change }: ReturnType<typeof filesOf>[number],
  histories: FileHistory[],
  links: CodeLinks | undefined,
): FileOfRecord {
  const history = histories.find(({ file }) => file === path);
  const { freshness = 'unknown', moved_to = null, commits_since = null, last } = history ?? {};
  const last_commit = last ? commitOf(last, links) : null;
  return {
    path,
    change,
    freshness,
    now_at: moved_to,
    commits_since,
    last_commit,
    url: links?.files.get(moved_to ?? path),
  };
}

async function originIn(
  workspace: Workspace,
  own: Annotated,
  links: CodeLinks | undefined,
): Promise<RecordPage['provenance']> {
  const origin = await originOf(workspace, own);
  const commits = [origin.landed, origin.added].filter((commit) => commit !== undefined);
  return provenanceOf(own, { ...origin, pull_request: await pullRequestOf(workspace, commits) }, links);
}
