import type { Workspace } from '../memory/store/workspace.ts';
import { activeRedactions, redactionsOf } from '../provenance/redactions.ts';
import { error, type Problem } from './problem.ts';
import type { FiledRecord, RecordSet } from './records.ts';

/**
 * Problems of records that repeat a redacted passage and are not redacted themselves. A mark in the same change counts
 * before it is trusted: its only effect here is that a person has a look.
 */
export async function repeatedRedactions(
  workspace: Workspace,
  set: RecordSet,
  checked: FiledRecord[],
): Promise<Problem[]> {
  const brought = redactionsOf(set.records.flatMap(({ record }) => (record.kind === 'mark' ? [record] : [])));
  const all = [await activeRedactions(workspace), brought];
  return checked.flatMap(({ record, file: { path } }) => {
    if (all.some(({ ids }) => ids.has(record.id))) return [];
    const mark = all.map((redactions) => redactions.against(record)).find((id) => id !== undefined);
    if (mark === undefined) return [];
    const message = `It repeats what was redacted by the mark ${mark}.`;
    const hint = `Take the passage out, or \`git mem redact ${record.id}\`; \`git mem undo ${mark}\` lifts the redaction.`;
    return [error('redacted-again', path, message, hint, record.id)];
  });
}
