import { sanitiseForModel } from '../../privacy/sanitise.ts';

/** The tags around injected records, so that a model can tell memory from what people say. */
export const OPEN = '<git-mem-memory>';
export const CLOSE = '</git-mem-memory>';

/** In UTF-16 units. Hosts move longer text into a file that the model does not see (Claude Code: above 10,000). */
export const MAX_CHARS = 9500;

/** Longest title, in characters: titles that people wrote may have any length. */
export const TITLE_CHARS = 120;

/** The line that explains text in which `cleanLine` replaced the bracket of what looks like a tag. */
export const BRACKETS = '‹ stands for <.';

/** A record's text as one line that is safe between the tags. */
export function cleanLine(text: string): string {
  return sanitiseForModel(text).replace(/\s+/g, ' ').trim();
}
