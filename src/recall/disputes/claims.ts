import type { Sentence } from './sentence.ts';

// What is compared: the sentences of two records, and what is found.

/** Two sentences that cannot both hold. */
export interface Opposition {
  kind: 'denied' | 'over' | 'contrary' | 'value' | 'version' | 'default' | 'changed' | 'other' | 'means' | 'cause';
  score: number;
  earlier: Sentence;
  later: Sentence;
  /** The words in which they oppose each other, as written. */
  words: string[];
}

/** A record's sentences, the title first, and all their words. */
export interface Text {
  title: Sentence;
  sentences: Sentence[];
  stems: ReadonlySet<string>;
}

/** Both records, or a sentence of each. */
export interface Pair<T> {
  earlier: T;
  later: T;
}
