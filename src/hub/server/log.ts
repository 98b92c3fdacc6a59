import type { Writable } from 'node:stream';

/** Values of one line, by name. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Writes JSON lines that programs read. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A log on a stream; `now` gives the time of each line. */
export function openLog(stream: Writable, now: () => Date): Log {
  const write = (level: string, event: string, fields: LogFields = {}) => {
    stream.write(`${JSON.stringify({ at: now().toISOString(), level, event, ...fields })}\n`);
  };
  return {
    info: (event, fields) => write('info', event, fields),
    error: (event, fields) => write('error', event, fields),
  };
}
