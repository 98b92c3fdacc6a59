import { stem } from '../index/tokens.ts';

// Two texts that differ in one word may say the opposite, and are then no duplicates. The tokens of search do not show
// it: some of these words are stop-words, and others are one word in a hundred.

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

/**
 * Tells whether one of two texts has a word where the other has its opposite. Only words that one has more often are
 * checked.
 */
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
