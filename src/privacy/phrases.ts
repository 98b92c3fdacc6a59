import type { Finding } from './findings.ts';
import { hintsIn } from './hints.ts';
import { anyOf, hintsOf, PASSWORD_STEMS } from './secret-words.ts';

const PASSWORD = `(?:pass-?_?(?:phrase|word|code)|diceware|${anyOf(PASSWORD_STEMS)})\\p{L}{0,8}`;
const WORDS = '[a-z]{3,12}(?:[ ][a-z]{3,12}){3,10}';
/** Passphrases: in quotes in a sentence, as the value of a name, and as the input of a command. */
const PLACES = [
  new RegExp(`${PASSWORD}[^\\n"“«„\`'「]{0,60}["“«„\`'「](${WORDS})["”»“\`'」]`, 'giu'),
  new RegExp(
    `pass-?_?phrase["'\`]?[ ]{0,4}[:=][ ]{0,4}(?:[>|][-+]?[ ]{0,4}\\r?\\n[ \\t]{1,40})?["'\`]?(${WORDS})["'\`]?[ \\t]{0,4}$`,
    'gimu',
  ),
  new RegExp(`<<<[ ]{0,2}["'](${WORDS})["']`, 'gu'),
  // Three words or more that marks join, after a verb or a colon.
  /pass-?_?phrase\b[^\n]{0,80}?(?:[:=]|[ ](?:is|was|now|ist|est|es|è|é|är|er))[ ]{1,4}["'`]?([a-z]{3,10}(?:([-._])[a-z]{3,10})(?:\2[a-z]{3,10}){1,9})["'`]?(?=[\s,;.]|$)/giu,
];
const HINTS = ['pass', 'diceware', '<<<', ...hintsOf(PASSWORD_STEMS)];
/** Words that a sentence or a label could not do without. */
const PROSE =
  /\b(?:the|your|you|for|and|not|with|must|please|enter|from|only|has|are|was|this|that|new|old|password|passphrase|required|again|empty|file|stdin|env)\b/u;

/** Tells whether a text is a list of words rather than a sentence about a passphrase. */
export function isWordList(value: string): boolean {
  return new RegExp(`^${WORDS}$`, 'u').test(value) && !PROSE.test(value);
}

/** Finds passphrases of plain words, which only their place and their number tell from a sentence. */
export function findPhrases(text: string): Finding[] {
  if (!HINTS.some(hintsIn(text))) return [];
  return PLACES.flatMap((place) =>
    Array.from(text.matchAll(place)).flatMap((match) => {
      const value = match[1] ?? '';
      if (PROSE.test(value)) return [];
      const start = match.index + match[0].lastIndexOf(value);
      return [{ start, end: start + value.length, kind: 'password' }];
    }),
  );
}
