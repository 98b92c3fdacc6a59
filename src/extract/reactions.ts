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
  /** The same provider within the same turn: `when-told` waits only as long as it says itself, `mended` tells what was wrong. */
  again: 'no' | 'soon' | 'when-told' | 'mended';
  /** Who gets the turn: the next of the chain and, where nobody is left, a later drain or the rules; or the rules at once. */
  turn: 'next-or-wait' | 'next-or-rules' | 'rules';
  /** How long it is left alone: doubled from the first to the longest, or as long as it says, if that is longer. */
  rest: { firstMs: number; longestMs: number } | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Longest wait within a turn that a provider may ask for, in milliseconds; above it the next of the chain is asked. */
export const PATIENCE_MS = 5_000;

/**
 * Every class of trouble and what is done about it. The next is asked only where the one before gave no answer: what
 * was answered is paid for, so at most one answer a turn is, and one more to mend it.
 */
export const REACTIONS: Record<ProviderErrorClass, Reaction> = {
  // Only a person can mend a key: other settings are another provider, which has not failed yet.
  auth: { again: 'no', turn: 'next-or-wait', rest: { firstMs: 15 * MINUTE, longestMs: 6 * HOUR } },
  quota: { again: 'no', turn: 'next-or-wait', rest: { firstMs: 15 * MINUTE, longestMs: HOUR } },
  'rate-limit': { again: 'when-told', turn: 'next-or-wait', rest: { firstMs: MINUTE, longestMs: HOUR } },
  overloaded: { again: 'soon', turn: 'next-or-wait', rest: { firstMs: MINUTE, longestMs: HOUR } },
  transient: { again: 'soon', turn: 'next-or-wait', rest: { firstMs: MINUTE, longestMs: HOUR } },
  // Too long for this model, or a model that does not exist: another may take this turn, this one may take the next.
  'bad-request': { again: 'no', turn: 'next-or-rules', rest: undefined },
  'invalid-output': { again: 'mended', turn: 'rules', rest: undefined },
  declined: { again: 'no', turn: 'rules', rest: undefined },
};
