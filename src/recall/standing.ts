import type { IndexedDocument, MemoryIndex } from '../cache/memory-index.ts';
import { parseFileName } from '../memory/file-name.ts';
import { type EffectiveStates, foldMarks } from '../memory/marks.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { isTrusted, type Trust, trustOf } from '../provenance/trust.ts';
import { defaultBranch } from '../repo/locate.ts';
import { type Entry, readLedger, type StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';

/** A document of the index with its file's entry: what can be judged without reading the file. */
export interface Placed {
  document: IndexedDocument;
  entry: Entry;
}

/** Which of the records count, by trust, and what the trusted ones among them say of the others. */
export interface Standing {
  trust(placed: Placed): Trust;
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

/** Judges records and statements with one git child. */
export async function judge(workspace: Workspace, records: Placed[], statements: Placed[]): Promise<Standing> {
  const { checkout, env, ledger } = workspace;
  const all = [...statements, ...records].map(toStored);
  const branch = defaultBranch(checkout);
  const levels = await trustOf(all, { root: checkout.root, ledger: readLedger(ledger), env, branch });
  const spoken = new Map(all.slice(0, statements.length).map((stored, i) => [stored, levels[i] ?? 'unreviewed']));
  const trusts = new Map(records.map((placed, i) => [placed, levels[statements.length + i] ?? 'unreviewed']));
  const heard = [...spoken].filter(([, level]) => isTrusted(level)).map(([{ record }]) => record);
  return { trust: (placed) => trusts.get(placed) ?? 'unreviewed', states: foldMarks(heard), statements: spoken };
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
