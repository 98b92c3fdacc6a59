import { isCode, isMeasure, isPlace, isStandIn, looksChosen, looksRandom } from './secret-values.ts';

/** Tells whether what stands in the place of a password is one: no stand-in, no number, no measure. */
export function isPassword(value: string): boolean {
  return (
    !isStandIn(value) &&
    !/^(?:\d{1,5}|pass(?:word)?|pw|secret|changeme|user)$/iu.test(value) &&
    !/^\d+(?:\/|$)/u.test(value) &&
    !isMeasure(value)
  );
}

/** Tells whether a value is a password even where its place does not say so clearly. */
export function isStrongPassword(value: string): boolean {
  return (
    isPassword(value) &&
    !isCode(value) &&
    !isPlace(value) &&
    !isHash(value) &&
    (looksRandom(value) || looksChosen(value))
  );
}

/** Tells whether a value is nothing but a digest, an address or the bytes of one. */
export function isHash(value: string): boolean {
  return /^[0-9a-f:.\]-]{7,200}$/iu.test(value);
}
