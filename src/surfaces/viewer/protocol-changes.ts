/** What pages ask the server to write, and the settings that they show; types only, as `protocol.ts`. */

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
  origin: 'default' | 'team' | 'user' | 'environment';
  /** It counts only in the user's own file, never in the team's. */
  users_own: boolean;
  /** The values that are possible, where they can be listed. */
  choices: string[] | null;
  /** It names a program, an address or a key: only `git mem config` in a terminal sets it. */
  terminal_only?: true;
}

/** POST /api/act */
export type Action =
  | { action: 'pin' | 'verify' | 'retire' | 'undo' | 'redact'; ids: string[]; reason?: string }
  | { action: 'promote' | 'trust'; ids: string[] }
  | { action: 'add'; record: NewRecord; store: Store };

/** A record as the editor makes it; `supersedes` replaces those. */
export interface NewRecord {
  type: string;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  files_modified: string[];
  files_read: string[];
  supersedes: string[];
}

/** What an action wrote. */
export interface Acted {
  id: string;
  path: string;
  /** False where the same had been said already. */
  created: boolean;
}

/** POST /api/settings: `value` null takes the key out of the user's file. */
export interface SettingChange {
  key: string;
  value: Setting['value'] | null;
}
