import type { Need } from './values.ts';

/** A shape in which the position alone says that something is a credential. The group that matched is the secret. */
export interface Place {
  kind: string;
  /** The program, format or standard that puts a credential there. */
  source: string;
  /** An example match, with `{password}`, `{token}` and the like in place of the secret. */
  example: string;
  /** Lower-case strings, at least one of which is in every match: most texts contain none, and are not searched. */
  hints: readonly string[];
  pattern: RegExp;
  /** How much the value itself must show, or a test for it if it has a form of its own. */
  need: Need | ((value: string) => boolean);
  /** Whether a value is something else there, judged by itself or by the whole match. */
  refuses?(value: string, match: string): boolean;
}
