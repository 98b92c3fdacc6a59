import type { IndexedDocument, MemoryIndex } from '../cache/memory-index.ts';
import { type IndexHit, searchIndex } from './search.ts';
import { hasTopic, isIdentifier, isParticular, isTelling, type TopicWord, topicWords } from './topic-words.ts';

/**
 * When a record bears on a prompt. The weights are those of a logistic regression on one half of the labelled prompts
 * (`npm run bench -- injection`), rounded; the bar is where nine in ten injected records of that half are relevant. The
 * other half was only used to confirm it. Silence costs little, a wrong record costs the reader's trust.
 */
export const BEARING = {
  /** Records that a prompt is given at most. */
  most: 4,
  /** Value from which a record is injected. */
  bar: 1,
  /** Weight of the matched words, each as rare as it is in the store: in words that only one record has, up to `enough`. */
  evidence: 0.28,
  enough: 3,
  /** Weight of the share of the prompt's topic that the record has. */
  share: 0.44,
  /** Weight of how far the best record is ahead of the next one. */
  margin: 0.68,
  /** Weight of how far a record is ahead of the fifth best. */
  lead: 0.44,
  /** Weight of how far a record falls behind the best. */
  behind: 2,
  /** Below this share words only happen to coincide; with two matched words below the second. */
  leastShare: 0.1,
  leastOfTwo: 0.2,
  /** Two words have to be most of the prompt where so few records have any of it that there is nothing to be ahead of. */
  leastAlone: 0.6,
  /** What a word of any repository counts, and one of a path, of which a record cites many. */
  trade: 0.5,
  path: 0.5,
} as const;

/** The part of a long prompt that is read: the request is at the beginning, or at the end of what is pasted. */
const HEAD = 1500;
const TAIL = 500;

/** Records looked at; the last of them is the crowd that the others have to be ahead of. */
const LOOKED_AT = 5;

/** Tells whether a prompt names any topic; "yes, do it" does not, and then no index need be opened. */
export function namesTopic(text: string): boolean {
  return hasTopic(excerpt(text));
}

export interface PromptHit {
  document: IndexedDocument;
  /** At least `BEARING.bar`. */
  score: number;
}

/** Records whose trust is asked for: the best ones, and those that would come in their place. */
const CONSIDERED = 40;

export interface PromptAnswer {
  /** Best first: usually none. */
  hits: PromptHit[];
  /** Which of their sentences to show. */
  weights: Map<string, number>;
  /** Whatever the hits were measured against, and what comes next: not to be strangers' records. */
  considered: IndexedDocument[];
}

/** The records that bear on a prompt; `without` are the blobs of those that may not be injected, nor be measured against. */
export function findForPrompt(index: MemoryIndex, text: string, without?: ReadonlySet<string>): PromptAnswer {
  const prompt = excerpt(text);
  const filter = { kinds: ['observation' as const] };
  const request = { text: prompt, plain: true, limit: CONSIDERED, filter, ...(without && { without }) };
  const { hits: considered, weights } = searchIndex(wordsOnly(index), request);
  const hits = considered.slice(0, LOOKED_AT);
  const topic = weighTopic(index, topicWords(prompt), weights);
  const standsOut = prominence(hits);
  const isAlone = hits.length < LOOKED_AT;

  const bearing = hits.flatMap(({ document, score }, i): PromptHit[] => {
    if (score <= 0 || topic.weight <= 0) return [];
    const { evidence, words, particular, identifiers } = topic.match(document);
    const share = evidence / topic.weight;
    const leastOfTwo = isAlone && identifiers === 0 ? BEARING.leastAlone : BEARING.leastOfTwo;
    const least = words > 2 ? BEARING.leastShare : leastOfTwo;
    if (words < 2 || particular < 1 || share < least) return [];
    const value =
      BEARING.evidence * Math.min(BEARING.enough, evidence / topic.rarest) +
      BEARING.share * share +
      (standsOut[i] ?? 0);
    return value >= BEARING.bar ? [{ document, score: value }] : [];
  });
  const best = bearing.sort((a, b) => b.score - a.score).slice(0, BEARING.most);
  return { hits: best, weights, considered: considered.map(({ document }) => document) };
}

/** The index as far as words go: meaning, spelling and co-occurrence find more, but are no reason to inject unasked. */
function wordsOnly(index: MemoryIndex): MemoryIndex {
  const nothing = { termVector: () => undefined, vector: () => undefined, citing: () => [], session: () => [] };
  return { ...index, ...nothing };
}

/** What each hit's place among the others adds to its value. */
function prominence(hits: IndexHit[]): number[] {
  const best = hits[0]?.score ?? 0;
  const crowd = hits[LOOKED_AT - 1]?.score ?? 0;
  return hits.map(({ score }, i) => {
    const lead = BEARING.lead * Math.max(0, 1 - crowd / score);
    const margin =
      i === 0 ? BEARING.margin * (1 - (hits[1]?.score ?? 0) / score) : -BEARING.behind * (1 - score / best);
    return lead + margin;
  });
}

/** How much of a topic a record has. */
interface TopicMatch {
  /** Summed weight of the words that it has. */
  evidence: number;
  /** How many these are, an identifier counting as two; and how many of them are particular, and identifiers. */
  words: number;
  particular: number;
  identifiers: number;
}

interface Topic {
  /** Of all its words. */
  weight: number;
  /** What a word weighs that one record only has. */
  rarest: number;
  match(document: IndexedDocument): TopicMatch;
}

/** Weighs a prompt's words by how rare they are in the store; of a long prompt the search keeps the rarest (`kept`). */
function weighTopic(index: MemoryIndex, words: TopicWord[], kept: ReadonlyMap<string, number>): Topic {
  const tokens = words.flatMap(({ whole, parts }) => [whole, ...parts]);
  const { documents, frequencies } = index.statistics([...new Set(tokens)]);
  const rarity = (frequency: number) => Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
  const weigh = (token: string) =>
    kept.has(token) ? rarity(frequencies.get(token) ?? 0) * (isParticular(token) ? 1 : BEARING.trade) : 0;
  const weighed = words.flatMap(({ whole, parts }) => {
    const weight = kept.has(whole) ? weigh(whole) : Math.max(0, ...parts.map(weigh));
    return weight > 0 ? [{ whole, parts, weight }] : [];
  });
  return {
    weight: weighed.reduce((sum, { weight }) => sum + weight, 0),
    rarest: rarity(1),
    match: (document) => matchTopic(document, weighed, weigh),
  };
}

function matchTopic(
  { terms }: IndexedDocument,
  words: (TopicWord & { weight: number })[],
  weigh: (token: string) => number,
): TopicMatch {
  const inText = new Set(terms.slice(0, -1).flatMap((stream) => stream.split(' ')));
  const inPaths = new Set((terms.at(-1) ?? '').split(' '));
  const has = (token: string) => (inText.has(token) ? 1 : inPaths.has(token) ? BEARING.path : 0);
  const result: TopicMatch = { evidence: 0, words: 0, particular: 0, identifiers: 0 };
  // A part that was counted with one word is nothing new in another, nor is another form of a counted word.
  const counted = new Set<string>();
  for (const word of words) {
    const { whole, parts, weight } = word;
    const isWhole = has(whole) > 0 && isTelling(whole) && weigh(whole) > 0;
    const matched = (isWhole ? [whole] : parts).filter((token) => has(token) > 0 && !counted.has(rootOf(token)));
    if (matched.length === 0) continue;
    const found = matched.reduce((sum, token) => sum + weigh(token) * has(token), 0);
    if (found <= 0) continue;
    for (const token of isWhole ? [whole, ...parts] : matched) counted.add(rootOf(token));
    result.evidence += Math.min(found, weight);
    const isNamed = isWhole && isIdentifier(word);
    result.words += isNamed ? 2 : 1;
    if (isNamed) result.identifiers++;
    if (isParticular(whole)) result.particular++;
  }
  return result;
}

/** The stemmer leaves some forms of a word apart that differ in their last letter, such as those of cookie and cookies. */
function rootOf(token: string): string {
  return token.length > 4 ? token.slice(0, -1) : token;
}

function excerpt(text: string): string {
  const part = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  // A pasted log says a line a hundred times; it is no more about it than if it said it once.
  return [...new Set(part.split('\n'))].join('\n');
}
