import { stem, tokenize } from '../index/tokens.ts';

/** A text that may say the same as another one: a title and a body. */
export interface Comparable {
  id: string;
  /** Only texts of the same group, a record's kind, are compared. */
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

/** From this similarity on, two records on one topic begin to look alike. */
export const DUPLICATE_THRESHOLD = 0.8;

/** Shorter texts are similar by chance. */
const LEAST_TOKENS = 5;

/** Minimum similarity of the titles: texts made from one pattern share everything else. */
const TITLE_LIKENESS = 0.4;

/** Maximum texts compared with one because of a rare word: beyond that they share only what all texts share. */
const MOST_CANDIDATES = 200;

/**
 * Maximum candidates that are checked for names and opposites because they share nearly all words, and maximum pairs per
 * text. A person needs only a few of a crowd: 20,000 records of one pattern took 55 s of CPU and 55 MB of output without
 * limits, 16 s and 5 MB with them.
 */
const MOST_READ = 40;
const MOST_PAIRS = 10;

interface Prepared extends Comparable {
  whole: string;
  tokens: Set<string>;
  titleTokens: Set<string>;
  /** Its tokens, rarest first. */
  ranked: string[];
  /** Its numbers and versions, as written. */
  numbers: string;
  negations: number;
  /** Its capitalized words, and how often it has each word, once asked for. */
  capitals?: ReturnType<typeof capitalsIn>;
  words?: WordCounts;
  /** The last text that met it as a candidate: each text meets hundreds, and a set for each would be slower. */
  metBy?: Prepared;
}

export interface NearDuplicateOptions {
  threshold?: number;
  /** Only pairs with one of these ids. */
  about?: ReadonlySet<string>;
  /** Include texts that cite other files: for a person to look at, not to choose between. */
  withOtherFiles?: boolean;
}

/**
 * Pairs of near-duplicates. Texts with a different number, version or name, texts that deny what the other states or
 * say the opposite, and texts that cite other files never form a pair, however similar they are. Nearly linear: two
 * texts this similar must share one of their rarest words, and only texts that do are compared. In a large group of
 * duplicates each is paired with some of the others.
 */
export function nearDuplicates(
  texts: Comparable[],
  { threshold = DUPLICATE_THRESHOLD, about, withOtherFiles = false }: NearDuplicateOptions = {},
): DuplicatePair[] {
  const prepared = prepare(texts);
  const holders = new Map<string, Prepared[]>();
  const pairs: DuplicatePair[] = [];
  // Shortest first, so that a text being looked up is at least as long as those in the index.
  for (const text of prepared.toSorted((x, y) => x.tokens.size - y.tokens.size || (x.id < y.id ? -1 : 1))) {
    const size = text.tokens.size;
    const prefix = text.ranked.slice(0, size - Math.ceil(threshold * size - 1e-9) + 1);
    const candidates: Prepared[] = [];
    for (const token of prefix) {
      if (candidates.length >= MOST_CANDIDATES) break;
      const known = holders.get(`${text.group} ${token}`) ?? [];
      for (const other of known.slice(-MOST_CANDIDATES)) {
        if (other.metBy === text) continue;
        other.metBy = text;
        candidates.push(other);
      }
      if (known.push(text) === 1) holders.set(`${text.group} ${token}`, known);
    }
    let [read, found] = [0, 0];
    for (const other of candidates) {
      if (read === MOST_READ || found === MOST_PAIRS) break;
      if (about && !about.has(text.id) && !about.has(other.id)) continue;
      if (other.tokens.size < threshold * size || !mayMeanTheSame(text, other)) continue;
      if (!withOtherFiles && !haveCommonFiles(text, other)) continue;
      const similarity = likeness(text.tokens, other.tokens);
      if (similarity < threshold) continue;
      read++;
      if (differInName(text, other) || sayOpposites(text, other)) continue;
      found++;
      const [a, b] = text.id < other.id ? [text.id, other.id] : [other.id, text.id];
      pairs.push({ a, b, similarity });
    }
  }
  return pairs.sort((x, y) => y.similarity - x.similarity || (x.a + x.b < y.a + y.b ? -1 : 1));
}

/** Negations: the tokens do not include them, and one of them reverses a sentence. */
const NEGATION = /\b(?:not|no|never|none|without|cannot|nor|nicht|kein\p{L}*|nie|ohne)\b|n't\b/giu;

function prepare(texts: Comparable[]): Prepared[] {
  const sets = texts.map((text) => {
    const whole = `${text.title}\n${text.text}`;
    return { ...text, whole, tokens: new Set(tokenize(whole)) };
  });
  const frequency = new Map<string, number>();
  for (const { tokens } of sets) for (const token of tokens) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  const rarity = (token: string) => frequency.get(token) ?? 0;
  return sets
    .filter(({ tokens }) => tokens.size >= LEAST_TOKENS)
    .map((text) => ({
      ...text,
      titleTokens: new Set(tokenize(text.title)),
      ranked: [...text.tokens].sort((x, y) => rarity(x) - rarity(y) || (x < y ? -1 : 1)),
      numbers: numbersIn(text.whole),
      negations: text.whole.match(NEGATION)?.length ?? 0,
    }));
}

function mayMeanTheSame(one: Prepared, other: Prepared): boolean {
  if (one.negations !== other.negations) return false;
  return one.numbers === other.numbers && likeness(one.titleTokens, other.titleTokens) >= TITLE_LIKENESS;
}

/** Tells whether two texts may be about the same files: they share half of what one cites, or one cites none. */
export function haveCommonFiles(one: Comparable, other: Comparable): boolean {
  if (one.files.length === 0 || other.files.length === 0) return true;
  const shared = one.files.filter((file) => other.files.includes(file)).length;
  return shared >= Math.min(one.files.length, other.files.length) / 2;
}

const NUMBER = /\p{N}+(?:[.,:]\p{N}+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|once)\b/giu;

function numbersIn(text: string): string {
  const numbers = text.match(NUMBER) ?? [];
  return [...new Set(numbers.map((number) => number.toLowerCase()))].sort().join(' ');
}

/** A word, with the character before it that shows whether it begins a sentence. */
const WORD = /(^|[.!?:;\n]\s{0,8})?([\p{L}\p{N}_$][\p{L}\p{N}_$.-]*)/gu;

/**
 * Tells whether one has a name that the other lacks: a word with a capital or an underscore inside a sentence. At the
 * beginning of a sentence every word has a capital, so there both must have one that the other lacks.
 */
function differInName(one: Prepared, other: Prepared): boolean {
  one.capitals ??= capitalsIn(one);
  other.capitals ??= capitalsIn(other);
  const [mine, theirs] = [one.capitals, other.capitals];
  const lacks = (words: string[], all: ReadonlySet<string>) => words.some((word) => !all.has(word.toLowerCase()));
  if (lacks(mine.names, theirs.all) || lacks(theirs.names, mine.all)) return true;
  return lacks(mine.first, theirs.all) && lacks(theirs.first, mine.all);
}

function sayOpposites(one: Prepared, other: Prepared): boolean {
  one.words ??= countWords(one.whole);
  other.words ??= countWords(other.whole);
  return areOpposed(one.words, other.words);
}

/** A word without trailing dots and dashes. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && '.-'.includes(word[end - 1] ?? '')) end -= 1;
  return word.slice(0, end);
}

/** Words with a capital inside a sentence, those that begin one, and all words in lower case. */
function capitalsIn({ whole }: Prepared) {
  const names: string[] = [];
  const first: string[] = [];
  const all = new Set<string>();
  for (const [, start, found = ''] of whole.matchAll(WORD)) {
    const word = withoutEnd(found);
    all.add(word.toLowerCase());
    if (!/[\p{Lu}_$]/u.test(word)) continue;
    if (start === undefined) names.push(word);
    else first.push(word);
  }
  return { names, first, all };
}

/** The Jaccard index: words in both divided by words in either. */
function likeness(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const token of one) if (other.has(token)) shared++;
  return shared / (one.size + other.size - shared);
}

// Two texts that differ in one word may say the opposite, and are then not duplicates. Search tokens do not show it: some of
// these words are stop-words, and others are one word in a hundred.

/** Pairs of words that reverse a text's meaning when one replaces the other. */
const OPPOSITES = (
  'enable disable, allow deny, allow forbid, allow refuse, accept reject, accept refuse, grant revoke, ' +
  'permit forbid, before after, on off, add remove, add delete, create delete, insert delete, include exclude, ' +
  'open close, start stop, begin end, increase decrease, grow shrink, raise lower, up down, in out, min max, ' +
  'minimum maximum, least most, less more, fewer more, first last, read write, push pull, encode decode, ' +
  'encrypt decrypt, compress decompress, true false, yes no, inside outside, above below, over under, older newer, ' +
  'oldest newest, old new, ascending descending, public private, internal external, required optional, ' +
  'mandatory optional, client server, left right, top bottom, upper lower, show hide, visible hidden, pass fail, ' +
  'succeed fail, load save, input output, request response, strict loose, lazy eager, local remote, local global, ' +
  'upgrade downgrade, faster slower, fast slow, high low, higher lower, full empty, source target, early late, ' +
  'keep drop, sequential parallel, single multiple, temporary permanent, manual automatic, hit miss'
)
  .split(', ')
  .map((pair) => pair.split(' ').map(stem));

/** Prefixes as in `valid` and `invalid`, `lock` and `unlock`, `sync` and `async`. */
const DENYING = ['un', 'in', 'im', 'ir', 'dis', 'non', 'de', 'a', 'mis'];

const CONTRARIES = new Map<string, string[]>();
for (const [one = '', other = ''] of OPPOSITES) {
  CONTRARIES.set(one, [...(CONTRARIES.get(one) ?? []), other]);
  CONTRARIES.set(other, [...(CONTRARIES.get(other) ?? []), one]);
}

/** How often a text has each word, without its ending. */
export type WordCounts = ReadonlyMap<string, number>;

/** Tells whether one text has a word more often, and the other its opposite. */
export function areOpposed(one: WordCounts, other: WordCounts): boolean {
  const excess = new Map<string, number>();
  for (const [word, count] of one) if (count !== other.get(word)) excess.set(word, count - (other.get(word) ?? 0));
  for (const [word, count] of other) if (!one.has(word)) excess.set(word, -count);
  return [...excess].some(([word, more]) => {
    const isOpposed = (contrary: string) => (excess.get(contrary) ?? 0) * more < 0;
    return CONTRARIES.get(word)?.some(isOpposed) || DENYING.some((prefix) => isOpposed(`${prefix}${word}`));
  });
}

export function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const one = stem(word);
    counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}
