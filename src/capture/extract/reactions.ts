/** Why a provider gave no usable answer. */
export type ProviderErrorClass =
  | 'auth'
  | 'quota'
  | 'rate-limit'
  | 'overloaded'
  | 'transient'
  | 'invalid-output'
  | 'bad-request'
  | 'declined';

/** What is done about one class of trouble with a provider. */
export interface Reaction {
  /** The same provider within the same question: `when-told` waits only as long as it says itself, `corrected` says what was wrong. */
  again: 'no' | 'soon' | 'when-told' | 'corrected';
  /** Whether the next of the chain is asked at once, or the turns wait for a later drain. */
  next: 'ask' | 'wait';
  /** How long it is left alone: doubled from the first to the longest, or as long as it says, if that is longer. */
  rest: { firstMs: number; longestMs: number } | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Longest wait within a question that a provider may ask for, in milliseconds; above it the next of the chain is asked. */
export const PATIENCE_MS = 5_000;

/**
 * Every class of trouble and what is done about it. The next is asked only where the one before gave no answer: what
 * was answered is paid for, so at most one answer a question is, and one more to correct it. Turns that nobody answered for
 * longer than `extract.fallback_after` go to the rules.
 */
export const REACTIONS: Record<ProviderErrorClass, Reaction> = {
  // Only a person can correct a key: other settings are another provider, which has not failed yet.
  auth: { again: 'no', next: 'ask', rest: { firstMs: 15 * MINUTE, longestMs: 6 * HOUR } },
  quota: { again: 'no', next: 'ask', rest: { firstMs: 15 * MINUTE, longestMs: HOUR } },
  'rate-limit': { again: 'when-told', next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  overloaded: { again: 'soon', next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  transient: { again: 'soon', next: 'ask', rest: { firstMs: MINUTE, longestMs: HOUR } },
  // Too long for this model, or a model that does not exist: another may take these turns, this one may take others.
  'bad-request': { again: 'no', next: 'ask', rest: undefined },
  'invalid-output': { again: 'corrected', next: 'wait', rest: undefined },
  declined: { again: 'no', next: 'wait', rest: undefined },
};
