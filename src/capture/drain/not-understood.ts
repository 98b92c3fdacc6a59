import type { EventHead } from '../spool/spool.ts';

/** The line of `hook.log` about a payload that was not understood. */
export function notUnderstood({ host, event }: Pick<EventHead, 'host' | 'event'>): string {
  return `payload of ${host} ${event}: not understood`;
}

const LINE = / payload of (\S+) (\S+): not understood$/;

/** The host and event that such a line names; undefined for all other lines. */
export function readNotUnderstood(line: string): { host: string; event: string } | undefined {
  const [, host, event] = LINE.exec(line) ?? [];
  return host === undefined || event === undefined ? undefined : { host, event };
}
