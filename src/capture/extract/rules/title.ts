import { LIMITS, oneLine } from '../../../memory/record.ts';
import { isLeaning, isUnfinished, type Statement } from './statements.ts';

/** A statement, or its main clause, that says what a record is about. */
export interface Headline {
  /** At most as long as a title. */
  text: string;
  /** The statement that it is from. */
  of: Statement;
}

/** Words that a headline needs to say something, and its least length in characters. */
const LEAST = { words: 4, length: 15 } as const;

/** A subordinate part, without which the main clause is still complete. */
const SUBORDINATE =
  /,? (?:because|since|so that|by \p{Ll}+ing|which|causing|instead of|rather than|as they|as it)\b|,? so (?:that |it |they )|, (?:so|but|and|where|while|when)\b|; | [–—-] |: (?=\S+ \S+ )/gu;
const LABEL = /^(?:\p{Lu}[\p{L} ]{1,24}(?: \([^)]{1,40}\))?): (?=\S)/u;
const CAUSE = /\b(?:because|caus\w+|so that|due to|instead of|was|were|now|no longer|never|always|only)\b/iu;

/** The best headlines of at most `most` characters, best first. `about` is the lower-case text of the work itself. */
export function headlines(statements: Statement[], about: string, most: number): Headline[] {
  return statements
    .flatMap((of, index) => {
      const text = isFragment(of) ? undefined : mainClauseOf(of.text, most);
      return text === undefined ? [] : [{ text, of, weight: weightOf(text, of, about) - index * 0.15 }];
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ text, of }) => ({ text, of }));
}

/** Tells whether a line can stand alone as a title. */
export function isHeadline(line: string, most: number = LIMITS.title): boolean {
  return (
    line.length >= LEAST.length &&
    line.length <= most &&
    line.split(' ').length >= LEAST.words &&
    !isLeaning(line) &&
    !isUnfinished(line) &&
    /^[\p{L}\p{N}`"'“(]/u.test(line) &&
    !/^the (?:main|key|only|core|actual) \p{L}+ (?:is|are|was)\b/iu.test(line) &&
    // A path or file name says where, not what.
    !/^[`'"]?(?:\.{0,2}\/|[\w.-]+\/[\w./-]+|[\w-]+\.\w{1,5}\b(?!\())/u.test(line)
  );
}

/** A sentence, or its main clause, as a title; undefined where neither can stand alone. */
export function mainClauseOf(sentence: string, most: number = LIMITS.title): string | undefined {
  const bare = oneLine(sentence).replace(LABEL, '').replace(/[.:]$/u, '').trim();
  const line = bare.replace(/^\p{Ll}(?=\p{Ll}* )/u, (letter) => letter.toUpperCase());
  if (isHeadline(line, most)) return line;
  const ends = [...line.matchAll(SUBORDINATE)].map(({ index }) => index).reverse();
  return ends.map((end) => line.slice(0, end).trim()).find((clause) => isBalanced(clause) && isHeadline(clause, most));
}

/** Tells whether an item continues the line before the list. */
function isFragment({ kind, text }: Statement): boolean {
  return kind === 'item' && /^\p{Ll}\p{Ll}/u.test(text);
}

function isBalanced(text: string): boolean {
  const count = (char: string) => text.split(char).length - 1;
  return count('`') % 2 === 0 && count('"') % 2 === 0 && count('(') === count(')') && count('“') === count('”');
}

/** How much of the work itself it names: identifiers count double; too few mean that it is about something else. */
function weightOf(text: string, { text: whole, kind }: Statement, about: string): number {
  const words = [...new Set(text.match(/[\p{L}\p{N}_]{4,}/gu) ?? [])].filter((word) =>
    about.includes(word.toLowerCase()),
  );
  const files = (text.match(/[\w./-]{3,200}\.\w{1,10}/gu) ?? []).filter((path) => about.includes(path.toLowerCase()));
  const named = words.length + words.filter((word) => /\p{Ll}\p{Lu}|_|\d/u.test(word)).length + files.length;
  // An item is often one of many about something else.
  if (named < (kind === 'item' ? 3 : 2)) return 0;
  const form = (CAUSE.test(whole) ? 2 : 0) + (kind === 'item' ? 0 : 1) - (/^(?:I|We)\b/u.test(text) ? 2 : 0);
  return Math.min(named, 5) + form;
}
