/** Changes that pages ask the server to make, and the settings that they show; types only, like `protocol.ts`. */

import type { Content } from '../../memory/record.ts';
import type { Store } from './protocol.ts';

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

/** POST /api/act */
export type Action =
  | { action: 'pin' | 'verify' | 'retire' | 'undo' | 'redact'; ids: string[]; reason?: string }
  | { action: 'promote' | 'trust'; ids: string[] }
  | { action: 'add'; record: NewRecord; store: Store }
  /** Brings a record of the inbox into the team store as the person edited it. */
  | { action: 'accept'; id: string; record: NewRecord };

/** A record from the editor; it replaces those in `supersedes`. */
export interface NewRecord extends Content {
  subtitle: string;
  supersedes: string[];
}

/** The result of an action. */
export interface Acted {
  id: string;
  path: string;
  /** False if an identical record or mark already existed. */
  created: boolean;
}

/** POST /api/settings: `value` null removes the key from the user's file. */
export interface SettingChange {
  key: string;
  value: Setting['value'] | null;
}
