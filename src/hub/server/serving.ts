import type { Writable } from 'node:stream';
import type { Environment } from '../../user-folders.ts';
import type { Hub } from '../port.ts';
import type { ServerSettings } from './settings.ts';

/** What every part of the server works with. */
export interface Serving {
  hub: Hub;
  settings: ServerSettings;
  env: Environment;
  /** The address that people and agents use, without a path. */
  origin: URL;
  now: () => Date;
  log: Log;
}

/** Tells whether the address is of this machine alone: there is no https then. */
export function isLoopback({ hostname }: URL): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/** Values of one line, by name. */
type LogFields = Record<string, string | number | boolean | null | undefined>;

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
