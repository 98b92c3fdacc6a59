import type { Environment } from '../../user-folders.ts';
import type { Hub } from '../port.ts';
import type { Log } from './log.ts';
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
