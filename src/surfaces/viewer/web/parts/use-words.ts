import type { RecordUse } from '../../../../recall/query/record-use.ts';
import { numberOf } from '../dates.ts';

/** The uses of a record, in sessions. */
export function useWords({ injected, fetched, followed }: RecordUse): string {
  const sessions = (count: number) => (count === 1 ? '1 session' : `${numberOf(count)} sessions`);
  if (injected + fetched === 0) return 'never injected or opened';
  return `injected in ${sessions(injected)}, opened in ${numberOf(fetched)}, followed by work in ${numberOf(followed)}`;
}
