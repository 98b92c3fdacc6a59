import { FIELDS, type Field, type IndexDocument } from '../index/memory-index.ts';
import type { Span } from '../search/dates-in-text.ts';

/** Tokens in one field of a record: one after the other where they were quoted. */
export interface Phrase {
  tokens: string[];
  isPhrase: boolean;
  /** What was quoted, as it was typed. */
  quoted?: string;
  field?: Field;
}

/** What a record must hold, or must not. */
export type Operand =
  | Phrase
  /** Any token that begins like this. */
  | { prefix: string; field?: Field }
  /** The record's type. */
  | { type: string };

/** What a person or an agent asked, taken apart. */
export interface Query {
  /** How often each token of the question is in it. */
  terms: Map<string, number>;
  /** Beginnings of tokens: `auth*`. */
  prefixes: Set<string>;
  /** Of each of these lists an answer holds at least one. */
  required: Operand[][];
  /** An answer holds none of these. */
  excluded: Operand[];
  /** Times that it names. */
  spans: Span[];
  /** Whether somebody typed it; in what was pasted, quotes, dashes and capitals are punctuation. */
  isTyped: boolean;
}

/** Tells whether a question names nothing to look for, and at most what to leave out. */
export function isWordless({ terms, prefixes, spans }: Query): boolean {
  return terms.size === 0 && prefixes.size === 0 && spans.length === 0;
}

/** Tells whether a question narrows what may answer. */
export function isNarrowing({ required, excluded }: Query): boolean {
  return required.length > 0 || excluded.length > 0;
}

/** Tells whether a document has all that a question requires and nothing that it excludes. */
export function isAllowed({ required, excluded }: Query): (document: Pick<IndexDocument, 'terms' | 'card'>) => boolean {
  return (document) =>
    required.every((alternatives) => alternatives.some((operand) => holds(document, operand))) &&
    !excluded.some((operand) => holds(document, operand));
}

/** The phrases without which nothing answers a question. */
export function demandedPhrases({ required }: Query): Phrase[] {
  return required.flatMap(([only, other]) =>
    only !== undefined && other === undefined && 'tokens' in only && only.isPhrase ? [only] : [],
  );
}

/** What is said where quoted phrases are why nothing was found. */
export function unheldWords(phrases: readonly string[]): string {
  const quoted = phrases.map((phrase) => `"${phrase}"`).join(' or ');
  return `no record has ${quoted}. Without the quotes any of the words counts.`;
}

/** Lists of terms of each of which an answer holds at least one. */
export function requiredTerms({ required }: Query): string[][] {
  return required.flatMap((alternatives) => {
    const [only, other] = alternatives;
    if (only && other === undefined && 'tokens' in only) return only.tokens.map((token) => [token]);
    const tokens = alternatives.map((one) => ('tokens' in one ? one.tokens : []));
    return tokens.every((list) => list.length > 0) ? [tokens.flat()] : [];
  });
}

/** Tells whether a token stream holds the tokens one after the other. */
export function hasPhrase(stream: string, phrase: readonly string[]): boolean {
  return ` ${stream} `.includes(` ${phrase.join(' ')} `);
}

/** Tells whether a document has what an operand names. */
export function holds({ terms, card }: Pick<IndexDocument, 'terms' | 'card'>, operand: Operand): boolean {
  if ('type' in operand) return card.type === operand.type;
  const streams = operand.field === undefined ? terms : [terms[FIELDS.indexOf(operand.field)] ?? ''];
  if ('prefix' in operand) return streams.some((stream) => ` ${stream}`.includes(` ${operand.prefix}`));
  const { tokens, isPhrase } = operand;
  if (isPhrase) return streams.some((stream) => hasPhrase(stream, tokens));
  return streams.some((stream) => tokens.every((token) => hasPhrase(stream, [token])));
}
