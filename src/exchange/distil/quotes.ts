import { clampSentences } from '../../capture/extract/clamp.ts';
import { LIMITS, oneLine } from '../../memory/record.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import type { Comment } from './discussion.ts';
import type { Proposal } from './question.ts';

/** Fewer characters prove nothing: every discussion holds a "yes". */
const LEAST = 15;

/** Most quotes of one record: the prompt asks for no more. */
const MOST = 3;

/** The quotes that were really said, as facts that name who said them; a model may have made up the others. */
export function quotesIn({ quotes }: Proposal, comments: Comment[]): string[] {
  const facts = quotes.flatMap(({ comment: number, text }) => {
    const comment = comments[number - 1];
    if (comment === undefined || !isSaid(text, comment)) return [];
    const who = comment.isOutsider ? `${comment.author} (not of the project)` : comment.author;
    const head = `${who} in ${comment.place}: `;
    const room = LIMITS.fact - head.length - 2;
    return room < LEAST ? [] : [`${head}"${clampSentences(oneLine(text), room)}"`];
  });
  return [...new Set(facts)].slice(0, MOST);
}

/** Tells whether a comment holds these words in this order; ignoring emphasis marks and white space. */
function isSaid(text: string, comment: Comment): boolean {
  const words = plain(text);
  return words.length >= LEAST && plain(sanitiseForModel(comment.text)).includes(words);
}

function plain(text: string): string {
  return text
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[*_`>\s]+/g, ' ')
    .trim();
}
