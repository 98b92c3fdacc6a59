import type { RecordUse } from '../../recall/query/record-use.ts';

/** The use of a record as programs read it. */
export function useView({ injected, fetched, followed, lastMs }: RecordUse) {
  return { injected, fetched, followed, last: lastMs === 0 ? null : new Date(lastMs).toISOString() };
}

/** The day of a time. */
export function dayOf(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10);
}
