import type { Need } from './values.ts';

/** A shape in which the position alone says that something is a credential. The group that matched is the secret. */
export interface Place {
  kind: string;
  /** The program, format or standard that puts a credential there. */
  source: string;
  /** An example match, with `{password}`, `{token}` and the like in place of the secret. */
  example: string;
  /** Lower-case strings of which every match contains at least one: most texts contain none, and are not searched. */
  hints: readonly string[];
  pattern: RegExp;
  /** How much the value itself must show, or what tells it where it has a form of its own. */
  need: Need | ((value: string) => boolean);
  /** Tells values that are something else there, by themselves or by what the expression matched. */
  refuses?(value: string, match: string): boolean;
}
