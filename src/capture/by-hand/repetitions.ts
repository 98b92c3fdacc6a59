import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { passagesHolding, passagesIn, passagesOf, searchableAmong } from '../../memory/redaction.ts';
import type { Entry, Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { NO_REQUEST } from '../extract/summary.ts';

/** The file of a record that repeats a sentence of others: a summary, a sibling, a prompt, a mark's reason. */
export interface Repetition {
  entry: Entry;
  record: MemoryRecord;
  /** Its passages that hold such a sentence, as `passagesOf` gives them. */
  passages: string[];
}

/** What other records have in common with some. */
export interface Shared {
  repetitions: Repetition[];
  /** Formulas of these records that others contain too: redacting them would keep out unrelated records. */
  formulas: Set<string>;
}

/**
 * Finds every other record of both stores that contains one of their sentences, whole or within a longer one, whatever
 * the case and the punctuation. The title of a session without a request does not count: such sessions have nothing else
 * in common.
 */
export function sharedWith({ stores }: Workspace, records: MemoryRecord[]): Shared {
  const formulas = new Set(records.flatMap(formulasOf));
  const searchable = searchableAmong(new Set(records.flatMap(passagesOf))).filter((passage) => !formulas.has(passage));
  const ids = new Set(records.map(({ id }) => id));
  const shared: Shared = { repetitions: [], formulas: new Set() };
  if (searchable.length + formulas.size === 0) return shared;
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) {
      const record = ids.has(entry.id) ? undefined : readable(store, entry);
      if (record === undefined) continue;
      const passages = passagesHolding(record, searchable);
      if (passages.length > 0) shared.repetitions.push({ entry, record, passages });
      if (formulas.size === 0) continue;
      for (const passage of passagesOf(record)) if (formulas.has(passage)) shared.formulas.add(passage);
    }
  }
  return shared;
}

/** A record of a store; undefined if it does not parse: then it is never shown, and `git mem check` names it. */
export function readable(store: Store, entry: Entry): MemoryRecord | undefined {
  try {
    return store.read(entry, outlineReader).record;
  } catch {
    return undefined;
  }
}

/** Passages with a fixed wording, the same in any record. */
function formulasOf(record: MemoryRecord): string[] {
  return record.kind === 'summary' && record.title === NO_REQUEST ? passagesIn(NO_REQUEST) : [];
}
