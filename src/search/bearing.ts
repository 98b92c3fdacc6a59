import type { IndexedDocument, MemoryIndex } from '../index/memory-index.ts';
import { isIdentifier, isInformative, isParticular, type TopicWord, topicWords, wordsInOrder } from './topic-words.ts';

/**
 * How much each kind of evidence counts, in log-odds that a record bears on the prompt. The weights are those of a
 * logistic regression on the calibration half of prompts to memories of eight repositories (`npm run bench --
 * injection`), rounded, with a slightly stricter constant. The kinds of evidence were chosen by leaving out one repository
 * at a time, on both halves.
 */
export const BEARING = {
  constant: -2.1,
  /** Matched words, each by its rarity in the store, in units of a word that only one record has; up to `enough`. */
  evidence: 0.8,
  enough: 4,
  /** The bonus for a whole identifier, or the name of a cited file: nobody writes one by chance. Set by hand. */
  named: 1.3,
  file: 2.4,
  /** Share of the prompt's topic words, and of all its words, that the record has, by weight. */
  share: 0.7,
  coverage: 5.1,
  /** Share of the title's words that the prompt has. */
  title: 2.1,
  /** Each pair of adjacent words found in both, up to `enoughPairs`. */
  pairs: 1.4,
  enoughPairs: 2,
  /** How far the best record is ahead of the next one. */
  margin: 1.6,
  /** For the logarithm of the number of records: the more there are, the more of them match a few words by chance. */
  size: -0.76,
  smallest: 40,
  /** For a single topic word that is neither an identifier nor part of a pair: any record may have one by chance. Set by hand. */
  alone: -1,
  /** Below this share of the topic words nothing counts: a long prompt contains the words of any title. */
  leastShare: 0.1,
  /** Factors for a word common in any repository, and for a word in a path, since a record cites many paths. */
  trade: 0.5,
  path: 0.5,
} as const;

/** The evidence that a record bears on a prompt; the fields are those of `BEARING`. */
export interface Evidence {
  evidence: number;
  share: number;
  coverage: number;
  title: number;
  pairs: number;
  size: number;
  /** 1 if the record matches a single topic word and nothing else, otherwise 0. */
  alone: number;
}

/**
 * Weighs records against one prompt; undefined for records that match no particular word of its topic or too little of
 * it. `kept` are the search terms with their weights: the rarest ones of a long prompt.
 */
export function evidenceFor(
  index: MemoryIndex,
  prompt: string,
  kept: ReadonlyMap<string, number>,
): (document: IndexedDocument) => Evidence | undefined {
  const { documents, frequencies } = index.statistics([...kept.keys()]);
  const rarityOf = (frequency: number) => Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
  const rarest = rarityOf(1);
  const rarity = (token: string) => (kept.has(token) ? rarityOf(frequencies.get(token) ?? 0) : 0);
  const weigh = (token: string) => rarity(token) * (isParticular(token) ? 1 : BEARING.trade);
  const topic = weighed(topicWords(prompt), kept, weigh);
  const topicWeight = sum(topic.map(({ weight }) => weight));
  const allWeight = sum([...kept.values()]);
  const size = Math.log(Math.max(BEARING.smallest, documents));
  const pairs = wordPairs(prompt);

  return ({ terms }) => {
    const fields = terms.map((stream) => (stream === '' ? [] : stream.split(' ')));
    const title = new Set(fields[0]);
    const text = new Set(fields.slice(0, -1).flat());
    const paths = new Set(fields.at(-1));
    const has = (token: string) => (text.has(token) ? 1 : paths.has(token) ? BEARING.path : 0);
    const match = matchTopic(topic, has, weigh);
    const share = topicWeight > 0 ? match.evidence / topicWeight : 0;
    if (match.particular === 0 || share < BEARING.leastShare) return undefined;
    // Words outside the topic count if they are rare in this store, at most as much as the topic itself.
    const around = [...kept.keys()].filter(
      (token) => !/^(?:\d+|.)$/.test(token) && !isInformative(token) && !match.has(token),
    );
    const ordinary = Math.min(match.evidence, sum(around.map((token) => rarity(token) * has(token))));
    const isInTitle = [...title].some((token) => match.has(token) && isInformative(token));
    const named = [...title].filter((token) => kept.has(token)).length;
    // Paths come last, and are lists of words, not prose.
    const prose = ` ${terms.slice(0, -1).join(' | ')} `;
    const paired = Math.min(BEARING.enoughPairs, pairs.filter((pair) => prose.includes(` ${pair} `)).length);
    return {
      evidence: Math.min(BEARING.enough, (match.evidence + match.named + ordinary) / rarest),
      share,
      coverage: sum([...kept].map(([token, weight]) => (has(token) > 0 ? weight : 0))) / allWeight,
      title: isInTitle ? named / title.size : 0,
      pairs: paired,
      size,
      alone: match.words < 2 && match.named === 0 && paired === 0 ? 1 : 0,
    };
  };
}

/** The log-odds that a record bears on the prompt, by the evidence for it and its `margin`, 0 to 1; 0 is even odds. */
export function bearingOf(evidence: Evidence, margin: number): number {
  const kinds = ['evidence', 'share', 'coverage', 'title', 'pairs', 'size', 'alone'] as const;
  return BEARING.constant + BEARING.margin * margin + sum(kinds.map((kind) => BEARING[kind] * evidence[kind]));
}

/** Pairs of adjacent words of a prompt, joined by a space; at least one of the two tells its topic. */
function wordPairs(prompt: string): string[] {
  const words = wordsInOrder(prompt);
  const pairs = words.slice(1).flatMap((second, i) => {
    const first = words[i] ?? '';
    return first !== second && (isInformative(first) || isInformative(second)) ? [`${first} ${second}`] : [];
  });
  return [...new Set(pairs)];
}

interface WeighedWord extends TopicWord {
  weight: number;
}

function weighed(
  words: TopicWord[],
  kept: ReadonlyMap<string, number>,
  weigh: (token: string) => number,
): WeighedWord[] {
  return words.flatMap((word) => {
    const { whole, parts } = word;
    const weight = kept.has(whole) ? weigh(whole) : Math.max(0, ...parts.map(weigh));
    return weight > 0 ? [{ ...word, weight }] : [];
  });
}

interface TopicMatch {
  /** Summed weight of the matched words. */
  evidence: number;
  /** The bonus for matched words that are whole identifiers or names of cited files. */
  named: number;
  /** How many words matched, and how many of them are particular to few repositories. */
  words: number;
  particular: number;
  /** Tells whether a token was counted, in this or a similar form. */
  has(token: string): boolean;
}

function matchTopic(
  words: WeighedWord[],
  has: (token: string) => number,
  weigh: (token: string) => number,
): TopicMatch {
  // A part that was counted with one word does not count again in another, and neither does another form of a counted
  // word.
  const counted = new Set<string>();
  const match = { evidence: 0, named: 0, words: 0, particular: 0, has: (token: string) => counted.has(rootOf(token)) };
  for (const word of words) {
    const { whole, parts, weight } = word;
    const isWhole = has(whole) > 0 && isInformative(whole) && weigh(whole) > 0;
    const matched = (isWhole ? [whole] : parts).filter((token) => has(token) > 0 && !counted.has(rootOf(token)));
    const isNamed = isWhole && isIdentifier(word);
    const found = isNamed ? weigh(whole) : sum(matched.map((token) => weigh(token) * has(token)));
    if (found <= 0) continue;
    for (const token of isWhole ? [whole, ...parts] : matched) counted.add(rootOf(token));
    match.evidence += Math.min(found, weight);
    match.words++;
    if (isNamed) match.named += weigh(whole) * (has(whole) < 1 ? BEARING.file : BEARING.named);
    if (isParticular(whole)) match.particular++;
  }
  return match;
}

/** The stemmer does not unify forms of a word that differ in their last letter, such as those of cookie and cookies. */
function rootOf(token: string): string {
  return token.length > 4 ? token.slice(0, -1) : token;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
