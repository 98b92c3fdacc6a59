import { tokenize } from '../cache/tokens.ts';

/** A text that may say the same as another one: a title, and what stands below it. */
export interface Comparable {
  id: string;
  /** Only texts of one group are compared: the kind of a record. */
  group: string;
  title: string;
  text: string;
  files: string[];
}

/** Two texts that say nearly the same; `similarity` is the share of all their words that both have, 0 to 1. */
export interface DuplicatePair {
  a: string;
  b: string;
  similarity: number;
}

/** Below this two records on one topic begin to look alike. */
export const DUPLICATE_THRESHOLD = 0.8;

/** Shorter texts are alike by chance. */
const LEAST_TOKENS = 5;

/** Titles have to be this much alike: texts made after one pattern share everything else. */
const TITLE_LIKENESS = 0.4;

/** Texts that share a word and are compared with one text; more than this share only what everything shares. */
const MOST_CANDIDATES = 200;

interface Prepared extends Comparable {
  tokens: Set<string>;
  titleTokens: Set<string>;
  /** Its tokens, rarest first. */
  ranked: string[];
  /** Those of the tokens that have a digit. */
  numbers: string[];
  negations: number;
  /** The text that it was last compared with: hundreds are looked at for each, and few but their first numbers. */
  metBy?: Prepared;
}

/**
 * Pairs of near-duplicates. Texts that name other numbers, deny what the other states, or cite other files are none,
 * however alike they are. Nearly linear: two texts this similar must share one of their rarest words, and only texts that
 * do are compared. With `about` only pairs that have one of these ids.
 */
export function nearDuplicates(
  texts: Comparable[],
  { threshold = DUPLICATE_THRESHOLD, about }: { threshold?: number; about?: ReadonlySet<string> } = {},
): DuplicatePair[] {
  const prepared = prepare(texts);
  const holders = new Map<string, Prepared[]>();
  const pairs: DuplicatePair[] = [];
  // Shortest first: whoever is looked up in the index is at least as long as what is in it.
  for (const text of prepared.toSorted((x, y) => x.tokens.size - y.tokens.size || (x.id < y.id ? -1 : 1))) {
    const size = text.tokens.size;
    const prefix = text.ranked.slice(0, size - Math.ceil(threshold * size - 1e-9) + 1);
    const candidates: Prepared[] = [];
    for (const token of prefix) {
      const known = holders.get(`${text.group} ${token}`);
      for (let i = Math.max(0, (known?.length ?? 0) - MOST_CANDIDATES); known && i < known.length; i++) {
        const other = known[i];
        if (other === undefined || other.metBy === text) continue;
        other.metBy = text;
        candidates.push(other);
      }
      if (known) known.push(text);
      else holders.set(`${text.group} ${token}`, [text]);
    }
    for (const other of candidates) {
      if (about && !about.has(text.id) && !about.has(other.id)) continue;
      if (other.tokens.size < threshold * size || !mayMeanTheSame(text, other)) continue;
      const similarity = likeness(text.tokens, other.tokens);
      if (similarity < threshold) continue;
      const [a, b] = text.id < other.id ? [text.id, other.id] : [other.id, text.id];
      pairs.push({ a, b, similarity });
    }
  }
  return pairs.sort((x, y) => y.similarity - x.similarity || (x.a + x.b < y.a + y.b ? -1 : 1));
}

/** Denials: the tokens know none of them, and one of them turns a sentence round. */
const NEGATION = /\b(?:not|no|never|none|without|cannot|nor|nicht|kein\p{L}*|nie|ohne)\b|n't\b/giu;

function prepare(texts: Comparable[]): Prepared[] {
  const sets = texts.map((text) => ({ ...text, tokens: new Set(tokenize(`${text.title}\n${text.text}`)) }));
  const frequency = new Map<string, number>();
  for (const { tokens } of sets) for (const token of tokens) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  const rarity = (token: string) => frequency.get(token) ?? 0;
  return sets
    .filter(({ tokens }) => tokens.size >= LEAST_TOKENS)
    .map((text) => ({
      ...text,
      titleTokens: new Set(tokenize(text.title)),
      ranked: [...text.tokens].sort((x, y) => rarity(x) - rarity(y) || (x < y ? -1 : 1)),
      numbers: [...text.tokens].filter((token) => /\p{N}/u.test(token)),
      negations: `${text.title}\n${text.text}`.match(NEGATION)?.length ?? 0,
    }));
}

function mayMeanTheSame(one: Prepared, other: Prepared): boolean {
  if (one.negations !== other.negations) return false;
  if (!isWithin(one.numbers, other.tokens) && !isWithin(other.numbers, one.tokens)) return false;
  if (likeness(one.titleTokens, other.titleTokens) < TITLE_LIKENESS) return false;
  if (one.files.length === 0 || other.files.length === 0) return true;
  const shared = one.files.filter((file) => other.files.includes(file)).length;
  return shared >= Math.min(one.files.length, other.files.length) / 2;
}

function isWithin(some: string[], all: Set<string>): boolean {
  return some.every((value) => all.has(value));
}

/** The Jaccard index: what both have of what either has. */
function likeness(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const token of one) if (other.has(token)) shared++;
  return shared / (one.size + other.size - shared);
}
