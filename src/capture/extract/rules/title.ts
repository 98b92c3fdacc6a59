import { LIMITS, oneLine } from '../../../memory/record.ts';
import { UNFINISHED } from '../blocks.ts';
import { isClosed } from '../clamp.ts';
import { isLeaning, type Statement } from './statements.ts';

/** A statement, or its main clause, that says what a record is about. */
export interface Headline {
  text: string;
  of: Statement;
}

/** Words that a headline needs for a subject and what is said of it, and its least length in characters. */
const LEAST = { words: 4, length: 15 } as const;
/** A subordinate part, without which the main clause is still complete. */
const SUBORDINATE =
  /,? (?:because|since|so that|by \p{Ll}+ing|which|causing|instead of|rather than|as they|as it)\b|,? so (?:that |it |they )|, (?:so|but|and|where|while|when)\b|; | [–—-] |: (?=\S+ \S+ )/gu;
const LABEL = /^(?:\p{Lu}[\p{L} ]{1,24}(?: \([^)]{1,40}\))?): (?=\S)/u;
/** A path or file name says where, not what. */
const PATH = /^[`'"]?(?:\.{0,2}\/|[\w.-]+\/[\w./-]+|[\w-]+\.\w{1,5}\b(?!\())|\b(?:is|are) in \S+$/u;

/** The headlines of at most `most` characters, best first. `about` is the lower-case text of the work itself. */
export function headlines(statements: Statement[], about: string, most: number): Headline[] {
  return statements
    .flatMap((of, index) => {
      const text = mainClauseOf(of.text, most);
      return text === undefined ? [] : [{ text, of, weight: weightOf(text, of, about) - index * 0.15 }];
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
}

/** Tells whether a line can stand alone as a title. */
export function isHeadline(line: string, most: number = LIMITS.title): boolean {
  const isFit = line.length >= LEAST.length && line.length <= most && line.split(' ').length >= LEAST.words;
  const isWhole = /^[\p{L}\p{N}`"'“(]/u.test(line) && !isLeaning(line) && !UNFINISHED.test(`${line}:`);
  return isFit && isWhole && !PATH.test(line);
}

/** A sentence, or its main clause, as a title; undefined where neither can stand alone. */
export function mainClauseOf(sentence: string, most: number = LIMITS.title): string | undefined {
  const bare = oneLine(sentence).replace(LABEL, '').replace(/[.:]$/u, '').trim();
  const line = bare.replace(/^\p{Ll}(?=\p{Ll}* )/u, (letter) => letter.toUpperCase());
  const ends = [...line.matchAll(SUBORDINATE)].map(({ index }) => index);
  const clauses = [line, ...ends.reverse().map((end) => line.slice(0, end).trim())];
  return clauses.find((clause) => isHeadline(clause, most) && isClosed(clause));
}

/** How much of the work a headline names; 0 if its statement names too little of it to be about it. */
function weightOf(text: string, of: Statement, about: string): number {
  // An item is often one of many about something else.
  const isItem = of.kind === 'item';
  return namesIn(of.text, about) < (isItem ? 3 : 2) ? 0 : 1 + Math.min(namesIn(text, about), 5) - (isItem ? 1 : 0);
}

/** How many of the work's words a text has; identifiers and paths count double. */
function namesIn(text: string, about: string): number {
  const words = text.match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const names = (text.match(/[\w./-]*\w/gu) ?? []).filter((name) => /\p{Ll}\p{Lu}|[_\d./]/u.test(name));
  const found = (list: string[]) => [...new Set(list)].filter((one) => about.includes(one.toLowerCase())).length;
  return found(words) + found(names);
}
