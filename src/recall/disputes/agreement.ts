import type { Sentence, Word } from './sentence.ts';

// How much two sentences have in common, by how much each of their words says.

/** Words so common in records that they say little about what a sentence is about. */
const COMMON = new Set(
  (
    'use set work add make mak get run need call chang fil cod test hav say see tak go giv com put way thing time case cas ' +
    'still fix bug exist also first last funct method valu return new one two write writ read handl support'
  ).split(' '),
);

/** How much a word says about what its sentence is about. */
export function weightOf({ stem, kind }: Word): number {
  if (kind === 'name') return 1.6;
  if (kind === 'value') return 0.5;
  return COMMON.has(stem) ? 0.4 : 1;
}

/** What words say together. */
export const sum = (words: Iterable<Word>) => [...words].reduce((total, word) => total + weightOf(word), 0);

/** What both say, times the share of the sentence that says less beside it. */
export function agreement(one: Word[], other: Word[], choose = Math.min): number {
  const [here, there] = [distinct(one), distinct(other)];
  const shared = sum([...here].flatMap(([stem, word]) => (there.has(stem) ? [word] : [])));
  const rest = choose(sum(here.values()), sum(there.values())) - shared;
  return shared === 0 ? 0 : (shared * shared) / (shared + rest);
}

export function distinct(words: Word[]): Map<string, Word> {
  return new Map(words.map((word) => [word.stem, word]));
}

export function stemsOf({ words }: Sentence): Set<string> {
  return new Set(words.map(({ stem }) => stem));
}
