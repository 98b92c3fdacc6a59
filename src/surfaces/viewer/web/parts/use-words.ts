import type { RecordUse } from '../../../../recall/query/record-use.ts';
import { countOf, numberOf } from '../dates.ts';

/** The uses of a record, in sessions. */
export function useWords({ injected, fetched, followed }: RecordUse): string {
  if (injected + fetched === 0) return 'never injected or opened';
  return `injected in ${countOf(injected, 'session')}, opened in ${numberOf(fetched)}, followed by work in ${numberOf(followed)}`;
}
