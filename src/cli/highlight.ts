import { tokenize } from '../cache/tokens.ts';

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Scripts without spaces, whose words are found as pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u;

/** Text with every word marked that search would take for one of the terms; `terms` are tokens. */
export function highlighted(text: string, terms: ReadonlySet<string>, mark: (word: string) => string): string {
  if (terms.size === 0) return text;
  const isAsked = (part: string) => tokenize(part).some((token) => terms.has(token));
  return text.replace(WORD, (word) => {
    if (!isAsked(word)) return word;
    return UNSPACED.test(word) ? markedPairs([...word], isAsked, mark) : mark(word);
  });
}

function markedPairs(chars: string[], isAsked: (part: string) => boolean, mark: (word: string) => string): string {
  const asked = new Set<number>();
  if (chars.length === 1) asked.add(0);
  chars.slice(1).forEach((char, i) => {
    if (isAsked(`${chars[i]}${char}`)) asked.add(i).add(i + 1);
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
