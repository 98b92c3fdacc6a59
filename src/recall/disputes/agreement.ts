import { readOnce, type Word } from './sentence.ts';

// How much two sentences have in common, by how much each of their words says.

/** What words say together. */
export const sum = (words: Iterable<Word>) => [...words].reduce((total, { weight }) => total + weight, 0);

/** What both say, times the share of the sentence that says less beside it. */
export function agreement(one: Word[], other: Word[], choose = Math.min): number {
  const [here, there] = [distinct(one), distinct(other)];
  const shared = sum([...here].flatMap(([stem, word]) => lighter(word, there.get(stem))));
  const rest = choose(sum(here.values()), sum(there.values())) - shared;
  return shared === 0 ? 0 : (shared * shared) / (shared + rest);
}

/** Of a word that both sentences have, the one that says less: one of them may write it as a name. */
function lighter(one: Word, other: Word | undefined): Word[] {
  return other === undefined ? [] : [one.weight < other.weight ? one : other];
}

/** The distinct words of a sentence by their stems. */
export const distinctIn = readOnce(({ words }): ReadonlyMap<string, Word> => distinct(words));

export function distinct(words: Word[]): Map<string, Word> {
  return new Map(words.map((word) => [word.stem, word]));
}
