import { FIELDS, type Field, type IndexDocument } from '../index/memory-index.ts';
import type { Span } from './dates.ts';

/** Tokens in one field of a record; consecutive ones if they were quoted. */
export interface Phrase {
  tokens: string[];
  isPhrase: boolean;
  /** The quoted text as typed. */
  quoted?: string;
  field?: Field;
}

/** Something that a record must or must not contain. */
export type Operand = Phrase | { type: string };

/** The parsed question of a person or an agent. */
export interface Query {
  /** How often the question has each token. */
  terms: Map<string, number>;
  /** Its words, each as its tokens, without stop-words and the dates that it names. */
  words: string[][];
  /** Whether it is a single word, which then counts even if it is an everyday one. */
  isOneWord: boolean;
  /** A record must contain at least one operand of each of these lists. */
  required: Operand[][];
  excluded: Operand[];
  spans: Span[];
  /** Whether somebody typed it; in pasted text, quotes, dashes and capitals are punctuation. */
  isTyped: boolean;
}

/** Tells whether a question names nothing to look for, at most something to exclude. */
export function isWordless({ terms, spans }: Query): boolean {
  return terms.size === 0 && spans.length === 0;
}

/** Tells whether a question restricts the records that may answer. */
export function isNarrowing({ required, excluded }: Query): boolean {
  return required.length > 0 || excluded.length > 0;
}

/** Returns a test for documents: they have everything that a question requires and nothing that it excludes. */
export function isAllowed({ required, excluded }: Query): (document: Pick<IndexDocument, 'terms' | 'card'>) => boolean {
  return (document) =>
    required.every((alternatives) => alternatives.some((operand) => holds(document, operand))) &&
    !excluded.some((operand) => holds(document, operand));
}

/** The phrases that every answer must contain. */
export function demandedPhrases({ required }: Query): Phrase[] {
  return required.flatMap(([only, other]) =>
    only !== undefined && other === undefined && 'tokens' in only && only.isPhrase ? [only] : [],
  );
}

/** The answer to any question if there are no records. */
export const EMPTY = 'This memory is empty.';

/** The sentence that explains why nothing was found: the quoted phrases. */
export function unheldWords(phrases: readonly string[]): string {
  const quoted = phrases.map((phrase) => `"${phrase}"`).join(' or ');
  return `no record has ${quoted}. Without the quotes any of the words counts.`;
}

/** Lists of terms; an answer contains at least one of each. */
export function requiredTerms({ required }: Query): string[][] {
  return required.flatMap((alternatives) => {
    const [only, other] = alternatives;
    if (only && other === undefined && 'tokens' in only) return only.tokens.map((token) => [token]);
    const tokens = alternatives.map((one) => ('tokens' in one ? one.tokens : []));
    return tokens.every((list) => list.length > 0) ? [tokens.flat()] : [];
  });
}

/** Tells whether a token stream contains the tokens consecutively. */
export function hasPhrase(stream: string, phrase: readonly string[]): boolean {
  return ` ${stream} `.includes(` ${phrase.join(' ')} `);
}

/** Tells whether a document contains what an operand names. */
export function holds({ terms, card }: Pick<IndexDocument, 'terms' | 'card'>, operand: Operand): boolean {
  if ('type' in operand) return card.type === operand.type;
  const streams = operand.field === undefined ? terms : [terms[FIELDS.indexOf(operand.field)] ?? ''];
  const { tokens, isPhrase } = operand;
  if (isPhrase) return streams.some((stream) => hasPhrase(stream, tokens));
  return streams.some((stream) => tokens.every((token) => hasPhrase(stream, [token])));
}
