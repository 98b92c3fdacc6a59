import { CODING_WORDS } from '../prompt/common-words.ts';
import { isInformative } from '../prompt/topic-words.ts';
import type { Query } from '../query/query.ts';
import type { Ranked } from './fusion.ts';
import type { WeighedTerms } from './term-weights.ts';

/** In a smaller store no word is common because half of the records have it. */
const FEW = 6;

/**
 * Returns a test whether a record has the words to answer a question at all: one that tells what the question is about.
 * Words of everyday talk do not, nor does one in half of the records, to which BM25 gives no weight. If most telling words
 * occur nowhere in the store, the question is about something else, and a single match is chance. Otherwise two ordinary
 * words of coding, such as "run" and "tests", count as one that tells, and so does a whole title. A question that only
 * names a time is answered by what is from then.
 */
export function floorOf(
  query: Query,
  { statistics, near, completions }: WeighedTerms,
): (found: Ranked, isInTime: boolean) => boolean {
  const { words, terms, required, isTyped, isOneWord } = query;
  const frequencyOf = (token: string) => statistics.frequencies.get(token) ?? 0;
  const most = Math.max(FEW, statistics.documents) / 2;
  const tells = (token: string) => isInformative(token) && frequencyOf(token) <= most;
  // A compound of ordinary words tells: `log-level`.
  const telling = words.filter((tokens) => tokens.some(tells));
  const isOrdinary = (token: string) => isOneWord || CODING_WORDS.has(token) || isInformative(token);
  const ordinary = words.filter((tokens) => !tokens.some(tells) && tokens.some(isOrdinary));
  const unknown = telling.filter((tokens) => !isIn(tokens, (token) => frequencyOf(token) > 0)).length;
  // Most words of a pasted text, such as the ids in a log, are in no record.
  const isForeign = isTyped && (unknown * 2 > telling.length || (unknown * 2 === telling.length && unknown > 1));

  function isIn(tokens: string[], has: (token: string) => boolean): boolean {
    const parts = tokens.slice(0, -1);
    return tokens.some((token) => tells(token) && has(token)) || (parts.length > 0 && parts.every(has));
  }

  // What quotes, AND or a field demand is checked elsewhere.
  if (required.some((alternatives) => alternatives.some((operand) => !('type' in operand)))) return () => true;
  return ({ has, document }, isInTime) => {
    if (completions.some(has)) return true;
    const title = new Set((document.terms[0] ?? '').split(' '));
    const isTitle = title.size > 1 && [...title].every((token) => terms.has(token));
    if (isTitle || (telling.length === 0 && words.length > 0 && [...terms.keys()].every((token) => title.has(token))))
      return true;
    if (telling.length + ordinary.length === 0) return isInTime;
    if (telling.filter((tokens) => isIn(tokens, has)).length >= (isForeign ? 2 : 1)) return true;
    const isNear = (token: string) => near.get(token)?.some((term) => isInformative(term) && has(term)) === true;
    const isFound = (tokens: string[]) => isIn(tokens, has) || tokens.some(isNear);
    if (telling.length > 0 && (isForeign ? telling.every(isFound) : telling.some(isFound))) return true;
    if (isForeign) return false;
    const held = ordinary.filter((tokens) => tokens.some(has)).length;
    return held > 0 && held >= Math.min(2, words.length);
  };
}
