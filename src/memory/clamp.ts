import { type Content, LIMITS, oneLine } from './record.ts';
import { sentenceEnds } from './sentences.ts';

/** Words that cannot end a phrase. */
const HANGING = new Set(
  (
    'a an the and or but nor so of to in on at by for from with without into onto over under after before between than ' +
    'that which who whose when while where because since if unless until as is are was were be been its their this ' +
    'these those not no via per und oder der die das ein eine mit von zu für im in et ou le la les un une de du des'
  ).split(' '),
);

/** At most `max` characters (UTF-16 units), with an ellipsis for the rest; never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${head(text, max - 1)}…`;
}

/**
 * Keeps the head and the tail of a text that is longer than `max` characters, with a visible marker between them. The
 * result is never longer than `max`, so eliding twice changes nothing.
 */
export function elide(text: string, max: number): string {
  if (text.length <= max) return text;
  const longestMarker = marker(text.length).length;
  // Where the marker alone would fill the field, an ellipsis must do.
  if (max < longestMarker * 2) return max < 1 ? '' : cut(text, max);
  const kept = max - longestMarker;
  const start = head(text, Math.ceil(kept / 2));
  const end = text.slice(text.length - Math.floor(kept / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${start}${marker(text.length - start.length - end.length)}${end}`;
}

function marker(count: number): string {
  return `[… ${count.toLocaleString('en-US')} characters left out …]`;
}

/** The first `length` units, one fewer where the cut would split a surrogate pair. */
function head(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** One line of at most `max` characters that is a whole phrase: cut after a clause or a word, never inside a word. */
export function clampPhrase(text: string, max: number): string {
  const line = oneLine(text);
  const phrase = line.length <= max ? line : shortened(line, max);
  return phrase.replace(/(?<![\s.,;:–—-])[\s.,;:–—-]+$/u, '') || phrase;
}

/** Text of at most `max` characters that ends with a whole sentence if one ends early enough, else with a word and `…`. */
export function clampSentences(text: string, max: number): string {
  if (text.length <= max) return text;
  // One character more, so that "v1.2" and "a.ts" do not end a sentence.
  const end = sentenceEnds(text.slice(0, max + 1)).findLast((at) => at <= max && at >= max * 0.3);
  if (end !== undefined) return text.slice(0, end);
  return `${wholeWords(text, max - 1).replace(/(?<![\s.,;:–—-])[\s.,;:–—-]+$/u, '')}…`;
}

/** The content of an observation within the limits of what git-mem writes itself. */
export function withinLimits<C extends Content & { subtitle?: string }>(content: C): C {
  const { title, subtitle, narrative, facts, concepts, files_modified, files_read } = content;
  return {
    ...content,
    title: clampPhrase(title, LIMITS.title),
    ...(subtitle && { subtitle: clampPhrase(subtitle, LIMITS.subtitle) }),
    narrative: clampSentences(narrative, LIMITS.narrative),
    facts: facts.slice(0, LIMITS.facts).map((fact) => clampSentences(oneLine(fact), LIMITS.fact)),
    concepts: concepts.slice(0, LIMITS.concepts),
    files_modified: files_modified.slice(0, LIMITS.files),
    files_read: files_read.slice(0, LIMITS.files),
  };
}

/** Whether clamping took more from a text than the punctuation at its end. */
export function isShortened(text: string, clamped: string): boolean {
  return clamped.length < oneLine(text).replace(/[^\p{L}\p{N}]+$/u, '').length;
}

/** The beginning of a part that the phrase can do without. */
const PART =
  /[;:,](?=\s)|\s[–—(-]|[,;。、]|\s(?=(?:because|since|when|while|which|so|after|before|unless|until|if|and|or|but|with|without|for|from|in|on|by|via|weil|wenn|und|mit)\s)/giu;

function shortened(line: string, max: number): string {
  const words = wholeWords(line, max);
  const part = [...words.matchAll(PART)].findLast(({ index }) => isClosed(words.slice(0, index)))?.index ?? 0;
  if (part >= max * 0.35) return words.slice(0, part).trimEnd();
  return withoutHanging(words);
}

/** A phrase without final words that lead to what it lost. */
function withoutHanging(words: string): string {
  const kept = words.split(' ');
  while (kept.length > 1 && HANGING.has((kept.at(-1) ?? '').toLowerCase())) kept.pop();
  return kept.join(' ');
}

/** Whether every quotation and bracket that opens in a text closes in it. */
function isClosed(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return count('"') % 2 === 0 && count('`') % 2 === 0 && count('(') === count(')') && count('“') === count('”');
}

/** The longest start of `text` within `max` characters that ends before a new word begins. */
function wholeWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.slice(0, max + 1).search(/\s\S*$/u);
  if (space > max * 0.3) return text.slice(0, space);
  // No spaces: a language without them, or one long token, which is cut between characters.
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.slice(0, max * 2))];
  const word = words.findLast(({ index }) => index <= max && index > max * 0.3);
  if (word) return text.slice(0, word.index);
  const characters = [...new Intl.Segmenter().segment(text.slice(0, max * 2))];
  return text.slice(0, characters.findLast(({ index }) => index <= max)?.index ?? 0);
}
