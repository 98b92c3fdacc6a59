import { tokenize } from '../cache/tokens.ts';

/** What a person or an agent asked, taken apart. */
export interface Query {
  /** How often each token of the question stands in it. */
  terms: Map<string, number>;
  /** Token sequences that were quoted: where any record holds one, records without it do not answer. */
  phrases: string[][];
  /** Tokens that no answer may hold. */
  excluded: Set<string>;
}

/** Longest question that is read, in characters, and most different tokens that are kept of it. */
const MAX_LENGTH = 100_000;
const MAX_TERMS = 1000;

/** A question of more tokens was pasted, not typed: its quotes and dashes are punctuation. */
const MAX_TYPED = 16;

const QUOTED = /"([^"]{1,400})"|“([^“”]{1,400})”/g;
// A dash before a word, where a word could begin; `--flag` and `-x` are what people paste, not what they exclude.
const EXCLUDED = /(?<=^|\s)-(?=[\p{L}\p{N}_]{2})([\p{L}\p{N}_.-]+)(?=$|[\s,;])/gu;

/** Reads a question: plain words, `"quoted phrases"`, `-word` to exclude. Any text is safe. */
export function parseQuery(text: string): Query {
  const question = text.slice(0, MAX_LENGTH);
  const plain = plainQuery(question);
  if (plain.terms.size > MAX_TYPED) return plain;
  const excluded = new Set<string>();
  const kept = question.replace(EXCLUDED, (_, word: string) => {
    // Of a joined word only the whole: `-self-made` has nothing against other selves.
    const whole = tokenize(word).at(-1);
    if (whole !== undefined) excluded.add(whole);
    return ' ';
  });
  const terms = countTerms(kept);
  // Only exclusions would answer with everything else: then the dashes meant something different.
  if (terms.size === 0) return plain;
  const phrases: string[][] = [];
  for (const [, straight, curly] of kept.matchAll(QUOTED)) {
    const tokens = tokenize(straight ?? curly ?? '');
    if (tokens.length > 1) phrases.push(tokens);
  }
  for (const term of terms.keys()) excluded.delete(term);
  return { terms, phrases, excluded };
}

/** Reads text that nobody meant as a query, such as a prompt: no operators. */
export function plainQuery(text: string): Query {
  return { terms: countTerms(text.slice(0, MAX_LENGTH)), phrases: [], excluded: new Set() };
}

/** Tells whether a token stream holds the tokens one after the other. */
export function hasPhrase(stream: string, phrase: readonly string[]): boolean {
  return ` ${stream} `.includes(` ${phrase.join(' ')} `);
}

function countTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const token of tokenize(text)) {
    const count = terms.get(token);
    if (count !== undefined) terms.set(token, count + 1);
    else if (terms.size < MAX_TERMS) terms.set(token, 1);
  }
  return terms;
}
