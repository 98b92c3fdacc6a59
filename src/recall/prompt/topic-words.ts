import { tokenizeWords } from '../index/tokens.ts';
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

/** Words that have to be in a prompt of which only one names a topic: "send a mail to the customer", but not "merge hono". */
const AROUND_ONE = 3;

/**
 * Tells whether a text names a topic at all: two words, an identifier, or one word among ordinary ones; and not all of
 * them words of any repository.
 */
export function hasTopic(text: string): boolean {
  const words = topicWords(text);
  if (!words.some(({ whole, parts }) => [whole, ...parts].some(isParticular))) return false;
  return words.length > 1 || words.some(isIdentifier) || new Set(wordsInOrder(text)).size >= AROUND_ONE;
}

/** The words of a text in their order, each as the token of the whole. */
export function wordsInOrder(text: string): string[] {
  return tokenizeWords(text).flatMap((tokens) => tokens.at(-1) ?? []);
}

/**
 * An identifier is as good as two words: it is made of them, and nobody writes it by chance. `readme.md` is none, because
 * both of its words are of any repository.
 */
export function isIdentifier({ whole, parts }: TopicWord): boolean {
  return parts.some(isParticular) && isParticular(whole);
}

/** Tells whether a token says anything about a topic. */
export function isTelling(token: string): boolean {
  return !COMMON_WORDS.has(token) && !/^(?:\d+|[a-z]|\p{Script=Han}|)$/u.test(token);
}

/** Tells whether a token belongs to few repositories. */
export function isParticular(token: string): boolean {
  return isTelling(token) && !TRADE_WORDS.has(token);
}
