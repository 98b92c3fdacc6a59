/**
 * Words of a store that are spelt nearly like an unknown one: a misspelling, or a compound (`Datenbank` in
 * `Datenbankmigrationen`).
 */

/** Letters of a word that may be wrong, by its length: with more it would be another word. */
const WRONG_LETTERS: [fromLength: number, letters: number][] = [
  [8, 2],
  [4, 1],
];

/** Shortest part of a compound, and its least share of the compound. */
const PART = { shortest: 5, share: 0.35 } as const;

/** The terms nearest to a word, at most `most`, nearest first, each with how similar it is, 0 to 1. */
export function nearTerms(
  word: string,
  vocabulary: readonly string[],
  most: number,
): { term: string; likeness: number }[] {
  const wrong = WRONG_LETTERS.find(([from]) => word.length >= from)?.[1] ?? 0;
  if (wrong === 0) return [];
  const letters = lettersOf(word);
  const found: ReturnType<typeof nearTerms> = [];
  for (const term of vocabulary) {
    const likeness = Math.max(compoundLikeness(word, term), misspeltLikeness(word, term, letters, wrong));
    if (likeness > 0) found.push({ term, likeness });
  }
  return found.sort((a, b) => b.likeness - a.likeness || (a.term < b.term ? -1 : 1)).slice(0, most);
}

function compoundLikeness(word: string, term: string): number {
  const [part, whole] = word.length < term.length ? [word, term] : [term, word];
  if (part.length < PART.shortest || part.length < whole.length * PART.share || part.length === whole.length) return 0;
  return whole.startsWith(part) || whole.endsWith(part) ? part.length / whole.length : 0;
}

function misspeltLikeness(word: string, term: string, letters: number, wrong: number): number {
  if (Math.abs(word.length - term.length) > wrong || /\d/.test(term)) return 0;
  // A wrong letter removes one of the word's letters and adds another: words that differ in more letters need no closer
  // look.
  if (bits(letters & ~lettersOf(term)) > wrong) return 0;
  const distance = distanceOf(word, term);
  return distance <= wrong ? 1 - distance / Math.max(word.length, term.length) : 0;
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Number of letters to insert, remove, replace or swap with their neighbour until one word becomes the other. */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
