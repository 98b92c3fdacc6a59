import { tokenizeWords } from '../index/tokens.ts';
import { COMMON_WORDS, TRADE_WORDS } from './common-words.ts';

/** One written word of a prompt that tells something about its topic. */
export interface TopicWord {
  /** The token of the whole word. */
  whole: string;
  /** For an identifier such as `readFile`, the tokens of those parts that tell something too. */
  parts: string[];
}

/** The distinct words of a text that tell something about its topic, in their order. */
export function topicWords(text: string): TopicWord[] {
  const words = new Map<string, TopicWord>();
  for (const tokens of tokenizeWords(text)) {
    const whole = tokens.at(-1) ?? '';
    const parts = tokens.slice(0, -1).filter(isInformative);
    if (!words.has(whole) && (parts.length > 0 || isInformative(whole))) words.set(whole, { whole, parts });
  }
  return [...words.values()];
}

/**
 * Words that a prompt needs if only one of them names a topic: "send a mail to the customer" has enough, "merge hono"
 * not.
 */
const AROUND_ONE = 3;

/**
 * Tells whether a text names a topic at all: two words, an identifier, or one word among ordinary ones; and not only
 * words common in any repository.
 */
export function hasTopic(text: string): boolean {
  const words = topicWords(text);
  if (!words.some(({ whole, parts }) => [whole, ...parts].some(isParticular))) return false;
  return words.length > 1 || words.some(isIdentifier) || new Set(wordsInOrder(text)).size >= AROUND_ONE;
}

/** The words of a text in their order, each as its whole token. */
export function wordsInOrder(text: string): string[] {
  return tokenizeWords(text).flatMap((tokens) => tokens.at(-1) ?? []);
}

/**
 * An identifier counts as two words: it is made of them, and nobody writes one by chance. `readme.md` is not one,
 * because both of its words are common in any repository.
 */
export function isIdentifier({ whole, parts }: TopicWord): boolean {
  return parts.some(isParticular) && isParticular(whole);
}

/** Tells whether a token says anything about a topic. */
export function isInformative(token: string): boolean {
  return !COMMON_WORDS.has(token) && !/^(?:\d+|[a-z]|\p{Script=Han}|)$/u.test(token);
}

/** Tells whether a token is particular to few repositories. */
export function isParticular(token: string): boolean {
  return isInformative(token) && !TRADE_WORDS.has(token);
}
