import { clampSentences } from '../../memory/clamp.ts';
import { oneLine } from '../../memory/record.ts';

/** About the revert itself. */
const BESIDES = /\bclean(?:ly)? revert|\breverts? (?:\w+ )?cleanly|\bconflicts?\b/i;

const TRAILER =
  /^\s*(?:(?:[A-Z][A-Za-z]+(?:-[A-Za-z]+)+|Fixes|Closes|Resolves|Refs?|References|Bug|Issue|PR|See):\s|(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see|related to)\s+(?:[\w.-]+\/[\w.-]+)?#\d+\W*$|\(cherry picked from)/i;
/** Text that forms and programs put into a message. */
const FORM =
  /^\s*(?:[-*]\s+)?(?:[\w-]+(?:\([^)]*\))?!?: )?(?:fixup! )?(?:revert|re-?apply|reland)\b[:\s]*["“].*|^\s*(?:#{1,6}\s|[-*]\s*\[[ xX]\]|<!--|-->|---+\s*$|\*{3,}|\|)|^\s*https?:\/\/\S+\s*$|^\s*(?:[-*]\s*)?\S{1,100}@\S{1,100}\s*$/i;
const REVERTED =
  /(?:this\s+)?(?:commit\s+)?(?:partial(?:ly)?\s+)?reverts?\s+(?:commit\s+|pull request\s+|pr\s+)?(?:[\w.-]+\/[\w.-]+)?(?:#\d+|[0-9a-f]{7,64})\b(?:,\s*reversing changes made to\s*[0-9a-f]{7,64})?(?:[.,:]?[ \t]*$|\.\s+)/gim;
const CAUSE =
  /\b(?:because|since|due to|caus(?:e[sd]?|ing)|br(?:eaks?|oke|eaking|oken)|regress(?:es|ed|ions?)|fail(?:s|ed|ing|ures?)?|crash(?:es|ed)?|slow(?:er|s|ed)?|wrong(?:ly)?|incorrect(?:ly)?|(?<!not the |no )problem(?:s|atic)?|no longer|instead|in favou?r of|superseded?|replaced|unsafe|leak(?:s|ed)?|deadlock(?:s|ed)?|incompatible|unnecessary|not needed|unused|unmaintained|weil|da|wegen|parce que)\b|[因为由于]/iu;

/** Longest reason that is quoted, in characters: half of a narrative, which says the rest around it. */
const LONGEST = 360;

/**
 * A person's explanation of the commit, from its message, verbatim on one line: the first paragraph that names a cause.
 * Empty if there is none: trailers, forms, git's own sentence and what was done besides are no reason.
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
    .map((paragraph) => oneLine(paragraph.replace(/^\s*[-*]\s+/, '')).replace(/^(?:\(https?:\S+\)|[\s.,:;])+/, ''));
  const reasons = paragraphs.map((paragraph) => clampSentences(paragraph, LONGEST));
  return reasons.find((reason) => CAUSE.test(reason) && !BESIDES.test(reason) && isSentence(reason)) ?? '';
}

/** Stated, not asked or announced; at least four words, or as many characters where words are not separated. */
function isSentence(text: string): boolean {
  // The subject of another commit ends with its number.
  if (/[:?]$|\(#\d+\)\W*$/.test(text)) return false;
  return (
    text.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length >= 4 ||
    /[\p{Script=Han}\p{Script=Hiragana}]{8}/u.test(text)
  );
}
