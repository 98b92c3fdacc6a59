import { clampSentences } from '../../capture/extract/clamp.ts';
import { oneLine } from '../../memory/record.ts';

const TRAILER =
  /^\s*(?:(?:[A-Z][A-Za-z]+(?:-[A-Za-z]+)+|Fixes|Closes|Resolves|Refs?|References|Bug|Issue|PR|See):\s|(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see|related to)\s+(?:[\w.-]+\/[\w.-]+)?#\d+\W*$|\(cherry picked from)/i;
/** Text that forms and programs put into a message. */
const FORM =
  /^\s*(?:[-*]\s+)?(?:[\w-]+(?:\([^)]*\))?!?: )?(?:fixup! )?(?:revert|re-?apply|reland)\b[:\s]*["“].*|^\s*(?:#{1,6}\s|[-*]\s*\[[ xX]\]|<!--|-->|---+\s*$|\*{3,}|\|)|^\s*https?:\/\/\S+\s*$|^\s*(?:[-*]\s*)?\S{1,100}@\S{1,100}\s*$/i;
const REVERTED =
  /(?:this\s+)?(?:commit\s+)?(?:partial(?:ly)?\s+)?reverts?\s+(?:commit\s+|pull request\s+|pr\s+)?(?:[\w.-]+\/[\w.-]+)?(?:#\d+|[0-9a-f]{7,64})\b(?:,\s*reversing changes made to\s*[0-9a-f]{7,64})?[.,:]?/gi;
const CAUSE =
  /\b(?:because|since|due to|caus(?:e[sd]?|ing)|br(?:eaks?|oke|eaking|oken)|regress(?:es|ed|ions?)|fail(?:s|ed|ing|ures?)?|crash(?:es|ed)?|slow(?:er|s|ed)?|wrong(?:ly)?|incorrect(?:ly)?|problem(?:s|atic)?|no longer|instead|in favou?r of|superseded?|replaced|unsafe|leak(?:s|ed)?|deadlock(?:s|ed)?|incompatible|conflicts?|unnecessary|not needed|unused|unmaintained|weil|da|wegen|parce que)\b|[因为由于]/iu;

const ITEM = /^\s*[-*]\s+/;

/** Longest reason that is quoted, in characters: two fifths of a narrative, which says the rest around it. */
const LONGEST = 280;

/**
 * A person's explanation of the commit, from its message, verbatim on one line; empty if there are only trailers, forms
 * and git's own lines. It begins with the first sentence that names a cause, if there is one.
 */
export function reasonIn(body: string): string {
  const lines = body
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/```.*?(?:```|$)/gs, '\n\n')
    .split('\n')
    .map((line) => (TRAILER.test(line) || FORM.test(line) ? '' : line));
  const paragraphs = lines
    .join('\n')
    .replace(REVERTED, '\n\n')
    .split(/\n\s*\n|\n(?=\s*[-*]\s)/)
    // List items that name no cause are the subjects of squashed commits.
    .filter((paragraph) => !ITEM.test(paragraph) || CAUSE.test(paragraph))
    .map((paragraph) => oneLine(paragraph.replace(ITEM, '')))
    .filter((paragraph) => wordsIn(paragraph) >= 4);
  const paragraph = paragraphs.find((one) => CAUSE.test(one)) ?? paragraphs[0] ?? '';
  const sentences = paragraph.split(/(?<=[.!?…])\s+/);
  const start = sentences.findIndex((sentence) => CAUSE.test(sentence) && wordsIn(sentence) >= 4);
  return clampSentences(sentences.slice(Math.max(0, start)).join(' '), LONGEST);
}

/** Tells whether a text names a cause, and not only what was done. */
export function namesCause(text: string): boolean {
  return CAUSE.test(text);
}

function wordsIn(text: string): number {
  return text.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length;
}
