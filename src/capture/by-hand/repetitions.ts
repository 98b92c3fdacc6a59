import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { passagesHolding, passagesIn, passagesOf, searchableAmong } from '../../memory/redaction.ts';
import type { Entry } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isProof } from '../extract/rules/draft.ts';
import { NO_REQUEST } from '../extract/summary.ts';

/** The file of a record that repeats a sentence of others: a summary, a sibling, a prompt, a mark's reason. */
export interface Repetition {
  entry: Entry;
  record: MemoryRecord;
  /** Its passages that hold such a sentence, as `passagesOf` gives them. */
  passages: string[];
}

/**
 * Finds every other record of both stores that contains one of their sentences, whole or within a longer one, whatever
 * the case and the punctuation. Formulas do not count: a proof as the rules word it, and the title of a session without
 * a request, are the same in records that have nothing else in common.
 */
export function repetitionsOf(workspace: Workspace, records: MemoryRecord[]): Repetition[] {
  const formulas = new Set(records.flatMap(formulasOf));
  const searchable = searchableAmong(new Set(records.flatMap(passagesOf))).filter((passage) => !formulas.has(passage));
  const ids = new Set(records.map(({ id }) => id));
  const found: Repetition[] = [];
  if (searchable.length === 0) return found;
  for (const { entry, record } of filesOf(workspace)) {
    if (ids.has(record.id)) continue;
    const passages = passagesHolding(record, searchable);
    if (passages.length > 0) found.push({ entry, record, passages });
  }
  return found;
}

/** The formulas of these records that others contain too: redacting them would keep out unrelated records. */
export function commonFormulas(workspace: Workspace, records: MemoryRecord[]): Set<string> {
  const formulas = new Set(records.flatMap(formulasOf));
  const ids = new Set(records.map(({ id }) => id));
  const common = new Set<string>();
  if (formulas.size === 0) return common;
  for (const { record } of filesOf(workspace)) {
    if (ids.has(record.id)) continue;
    for (const passage of passagesOf(record)) if (formulas.has(passage)) common.add(passage);
  }
  return common;
}

/** Passages with a fixed wording, the same in any record. */
function formulasOf(record: MemoryRecord): string[] {
  const facts = record.kind === 'observation' ? record.facts.filter(isProof) : [];
  const title = record.kind === 'summary' && record.title === NO_REQUEST ? [NO_REQUEST] : [];
  return [...facts, ...title].flatMap(passagesIn);
}

function* filesOf({ stores }: Workspace): Generator<{ entry: Entry; record: MemoryRecord }> {
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) {
      try {
        yield { entry, record: store.read(entry, outlineReader).record };
      } catch {
        // A record that does not parse is never shown; `git mem check` names it.
      }
    }
  }
}
