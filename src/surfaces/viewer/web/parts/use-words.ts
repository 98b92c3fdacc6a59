import type { RecordUse } from '../../../../recall/query/record-use.ts';
import { countOf, numberOf } from '../dates.ts';

/** The uses of a record, in sessions. */
export function useWords({ injected, fetched, followed }: RecordUse): string {
  const counts: [what: string, count: number][] = [
    ['injected in', injected],
    ['opened in', fetched],
    ['followed by work in', followed],
  ];
  const [first, ...others] = counts.filter(([, count]) => count > 0);
  if (first === undefined) return 'never injected or opened';
  const more = others.map(([what, count]) => `, ${what} ${numberOf(count)}`).join('');
  return `${first[0]} ${countOf(first[1], 'session')}${more}`;
}
