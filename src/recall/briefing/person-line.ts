import type { Briefing } from './briefing.ts';

/** What a session start says to the person: `git-mem: 12 records injected, 3 stale, 1 waits.` Undefined for nothing. */
export function personLine({ records, waiting = 0 }: Pick<Briefing, 'records' | 'waiting'>): string | undefined {
  if (records.length + waiting === 0) return undefined;
  const stale = records.filter(({ freshness }) => freshness === 'touched').length;
  const parts = [
    `${records.length} ${records.length === 1 ? 'record' : 'records'} injected`,
    stale > 0 ? `${stale} stale` : '',
    waiting > 0 ? `${waiting} ${waiting === 1 ? 'waits' : 'wait'}` : '',
  ];
  return `git-mem: ${parts.filter(Boolean).join(', ')}.`;
}
