/** The reaction to one class of provider failure. */
export interface Reaction {
  /**
   * The same provider within the same question: `when-told` waits only if the provider says how long, `corrected` says
   * what was wrong.
   */
  again: 'no' | 'soon' | 'when-told' | 'corrected';
  /** Whether the next provider of the chain is asked at once, or the turns wait for a later drain. */
  next: 'ask' | 'wait';
  /** Its backoff: doubled from the first to the longest, or as long as the provider asks, if that is longer. */
  rest: { firstMs: number; longestMs: number } | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Longest wait within a question that a provider may ask for, in milliseconds: a rate limit by the second is over by
 * then. Above it, the next one is asked, because the drain holds its lock meanwhile.
 */
export const PATIENCE_MS = 5_000;

/**
 * The reaction to every class of failure. The next provider is asked only if the one before gave no answer: answers are
 * paid for, so a question costs at most one answer, and one more to correct it. Turns without an answer for longer than
 * `extract.fallback_after` are given up to the session digest.
 */
export const REACTIONS = {
  // Only a person can correct a key; changed settings count as another provider, which has not failed yet.
  auth: { again: 'no', next: 'ask', rest: { firstMs: 15 * MINUTE, longestMs: 6 * HOUR } },
  quota: { again: 'no', next: 'ask', rest: { firstMs: 15 * MINUTE, longestMs: HOUR } },
  'rate-limit': { again: 'when-told', next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  overloaded: { again: 'soon', next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  transient: { again: 'soon', next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  // Too long for this model, or no such model: another may accept these turns, and this one may accept others.
  'bad-request': { again: 'no', next: 'ask', rest: undefined },
  'invalid-output': { again: 'corrected', next: 'wait', rest: undefined },
  declined: { again: 'no', next: 'wait', rest: undefined },
} satisfies Record<string, Reaction>;

/** Why a provider gave no usable answer. */
export type ProviderErrorClass = keyof typeof REACTIONS;
