/** Changes that pages ask the server to make, and the settings that they show; types only, like `protocol.ts`. */

export type { Action, NewRecord, SettingChange } from './posted.ts';

/** GET /api/settings */
export interface Settings {
  /** The user's own file. */
  file: string;
  settings: Setting[];
  warnings: string[];
}

export interface Setting {
  key: string;
  value: string | number | boolean | string[];
  origin: 'default' | 'team' | 'user' | 'environment' | 'policy';
  /** It is read only from the user's own file, never from the team's. */
  users_own: boolean;
  /** The possible values, if they can be listed. */
  choices: string[] | null;
  /** It names a program, an address or a key: only `git mem config` in a terminal sets it. */
  terminal_only?: true;
}

/** The result of an action, POST /api/act. */
export interface Acted {
  id: string;
  path: string;
  /** False if an identical record or mark already existed. */
  created: boolean;
}
