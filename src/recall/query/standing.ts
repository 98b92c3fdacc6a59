import { parseFileName } from '../../memory/file-name.ts';
import { type EffectiveStates, foldMarks } from '../../memory/marks.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Entry, StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { removedMarks } from '../../provenance/lasting-marks.ts';
import { isTrusted, mostTrusted, reviewedTrees, type Trust, trustOf } from '../../provenance/trust.ts';
import type { IndexedDocument, MemoryIndex } from '../index/memory-index.ts';

/** A document of the index with its file's entry: what can be judged without reading the file. */
export interface Placed {
  document: IndexedDocument;
  entry: Entry;
}

/** Which of the records count, by trust, and what the trusted ones among them say of the others. */
export interface Standing {
  trust(placed: Placed): Trust;
  /** One of each id, in their order: a stranger's file may claim the id of a record that is trusted. */
  distinct(places: Placed[]): Placed[];
  states: EffectiveStates;
  /** The records that have a say, as `annotate` takes them. */
  statements: Map<StoredRecord, Trust>;
}

/** Documents with their entries; those whose file the index does not know are left out. */
export function placesOf(index: MemoryIndex, documents: Iterable<IndexedDocument>): Placed[] {
  const placed: Placed[] = [];
  for (const document of documents) {
    const path = index.pathOf(document.row);
    const name = path === undefined ? undefined : parseFileName(path);
    if (path === undefined || name === undefined) continue;
    placed.push({ document, entry: { store: document.store, kind: document.card.kind, path, ...name } });
  }
  return placed;
}

const NONE: never[] = [];

/** As much of a document as judging needs: there may be a million of them. */
export function bare({ row, blob, store, card }: IndexedDocument): IndexedDocument {
  const { id, kind, type, created, supersedes, mark } = card;
  return {
    ...{ row, blob, store, terms: NONE },
    card: {
      ...{ id, kind, type, title: '', created, concepts: NONE, files: NONE, modified: 0 },
      ...{ supersedes: supersedes.length > 0 ? supersedes : NONE, ...(mark && { mark }) },
    },
  };
}

/** Of more ids than this all statements are read, which is quicker than to ask about each. */
const FEW = 1000;

/** The records that have a say about these; about others too where these are many. */
export function statementsOn(index: MemoryIndex, documents: Iterable<IndexedDocument>): Placed[] {
  const ids = new Set<string>();
  for (const { card } of documents) ids.add(card.id);
  return placesOf(index, index.statements(ids.size > FEW ? undefined : ids));
}

/** A standing of everything that an index held at one version of it. */
export interface Judged {
  version: string;
  standing: Standing;
}

/** Judges records and statements as `trustOf` does; `about` are the ids that statements are wanted on. */
export async function judge(
  workspace: Workspace,
  records: Placed[],
  statements: Placed[],
  {
    signatures = true,
    about = records.map(({ document }) => document.card.id),
  }: { signatures?: boolean; about?: Iterable<string> } = {},
): Promise<Standing> {
  const all = [...statements, ...records].map(toStored);
  const { linked } = workspace;
  const branches = await reviewedTrees(workspace);
  const [levels, removed] = await Promise.all([
    trustOf(all, workspace, { branches, signatures: signatures && !linked }),
    removedMarks(workspace, new Set(statements.map(({ document }) => document.blob)), {
      branches,
      about,
    }),
  ]);
  const spoken = new Map(all.slice(0, statements.length).map((stored, i) => [stored, levels[i] ?? 'unreviewed']));
  for (const mark of removed) spoken.set(mark, 'own');
  const trusts = new Map(
    records.map(({ document }, i) => [document.row, levels[statements.length + i] ?? 'unreviewed']),
  );
  const heard = [...spoken].filter(([, level]) => isTrusted(level)).map(([{ record }]) => record);
  const levelOf = ({ document }: Placed) => trusts.get(document.row) ?? 'unreviewed';
  // What the clone over there wrote has a say over there; here it is a stranger's.
  const trust = (placed: Placed) => (linked && levelOf(placed) !== 'reviewed' ? 'unreviewed' : levelOf(placed));
  const distinct = (places: Placed[]) =>
    mostTrusted(places, (placed) => {
      return { id: placed.document.card.id, store: placed.entry.store, trust: levelOf(placed) };
    });
  return { trust, distinct, states: foldMarks(heard), statements: spoken };
}

/** As much of a record as judging needs; its words stay in the file. */
function toStored({ document: { card, blob }, entry }: Placed): StoredRecord {
  const { id, title, supersedes, mark } = card;
  const generated = { by: '', at: card.created };
  const record: MemoryRecord = mark
    ? {
        kind: 'mark',
        id,
        generated,
        type: mark.type,
        targets: mark.targets,
        ...(mark.by && { by: mark.by }),
        reason: '',
      }
    : {
        ...{ kind: 'observation', id, generated, type: card.type, title, supersedes, narrative: '', facts: [] },
        ...{ concepts: [], files_modified: [], files_read: [], anchors: {} },
      };
  return { entry, record, blob, text: '' };
}
