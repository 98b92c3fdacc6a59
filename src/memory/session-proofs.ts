import { CHANGE_TYPES, type MemoryRecord } from './record.ts';

/** What a session itself showed about the work of its turns, by their prompt numbers. */
export interface SessionProofs {
  checked?: readonly number[] | undefined;
  takenBack?: readonly number[] | undefined;
}

/**
 * What its session showed about a record that changed files: a failed check passed in its turn, or the change was
 * restored. What was found out stays true.
 */
export function shownBySession(
  { checked = [], takenBack = [] }: SessionProofs,
  record: MemoryRecord,
): { isChecked?: true; isTakenBack?: true } {
  if (record.kind !== 'observation' || record.files_modified.length === 0) return {};
  const number = record.prompt_number ?? -1;
  const isTakenBack = takenBack.includes(number) && CHANGE_TYPES.includes(record.type);
  return { ...(checked.includes(number) && { isChecked: true }), ...(isTakenBack && { isTakenBack: true }) };
}
