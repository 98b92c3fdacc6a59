import { sanitiseForModel } from '../../privacy/sanitise.ts';

/** The tags around everything that is injected, so that a model can tell memory from what people say. */
export const OPEN = '<git-mem-memory>';
export const CLOSE = '</git-mem-memory>';

/** Hosts move longer text into a file that the model does not see (Claude Code: 10,000 UTF-16 units). */
export const MAX_CHARS = 9500;

/** Most characters of a title: those in records that people wrote may have any length. */
export const TITLE_CHARS = 120;

/** Text of a record as one line that is safe inside the fence. */
export function cleanLine(text: string): string {
  return sanitiseForModel(text).replace(/\s+/g, ' ').trim();
}
