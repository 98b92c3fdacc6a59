import { tokenizeWords } from '../cache/tokens.ts';
import { COMMON_WORDS, TRADE_WORDS } from './common-words.ts';

/** One written word of a prompt that says something about its topic. */
export interface TopicWord {
  /** The token of the whole word. */
  whole: string;
  /** Of an identifier such as `readFile` the tokens of those of its parts that say something too. */
  parts: string[];
}

/** The different words of a text that say something about its topic, in their order. */
export function topicWords(text: string): TopicWord[] {
  const words = new Map<string, TopicWord>();
  for (const tokens of tokenizeWords(text)) {
    const whole = tokens.at(-1) ?? '';
    const parts = tokens.slice(0, -1).filter(isTelling);
    if (!words.has(whole) && (parts.length > 0 || isTelling(whole))) words.set(whole, { whole, parts });
  }
  return [...words.values()];
}

/** Tells whether a text names a topic at all: two words, or an identifier, and not all of them words of any repository. */
export function hasTopic(text: string): boolean {
  const words = topicWords(text);
  const said = words.reduce((sum, word) => sum + (isIdentifier(word) ? 2 : 1), 0);
  return said > 1 && words.some(({ whole, parts }) => [whole, ...parts].some(isParticular));
}

/** An identifier is as good as two words: it is made of them, and nobody writes it by chance. */
export function isIdentifier({ whole, parts }: TopicWord): boolean {
  return parts.length > 0 && isParticular(whole);
}

/** Tells whether a token says anything about a topic. */
export function isTelling(token: string): boolean {
  return !COMMON_WORDS.has(token) && !/^(?:\d+|[a-z]|\p{Script=Han}|)$/u.test(token);
}

/** Tells whether a token belongs to few repositories. */
export function isParticular(token: string): boolean {
  return isTelling(token) && !TRADE_WORDS.has(token);
}
