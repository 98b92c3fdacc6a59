import { tokenize } from '../../recall/index/tokens.ts';

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Scripts without spaces, whose words are found as pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u;

/** Text in which every word that search would match with one of the terms is marked; `terms` are tokens. */
export function highlighted(text: string, terms: ReadonlySet<string>, mark: (word: string) => string): string {
  if (terms.size === 0) return text;
  const isAsked = (part: string, least = 1) =>
    tokenize(part).some((token) => terms.has(token) && [...token].length >= least);
  // If a pair was asked for, its single characters are not part of the question.
  const length = [...terms].some((term) => UNSPACED.test(term) && [...term].length > 1) ? 2 : 1;
  return text.replace(WORD, (word) => {
    if (!isAsked(word)) return word;
    return UNSPACED.test(word) ? markedParts([...word], length, (part) => isAsked(part, length), mark) : mark(word);
  });
}

function markedParts(
  chars: string[],
  length: number,
  isAsked: (part: string) => boolean,
  mark: (word: string) => string,
): string {
  const asked = new Set<number>();
  chars.forEach((_, i) => {
    if (isAsked(chars.slice(i, i + length).join(''))) for (let k = i; k < i + length; k++) asked.add(k);
  });
  let result = '';
  for (let i = 0; i < chars.length; ) {
    let end = i;
    while (end < chars.length && asked.has(end) === asked.has(i)) end++;
    const run = chars.slice(i, end).join('');
    result += asked.has(i) ? mark(run) : run;
    i = end;
  }
  return result;
}
