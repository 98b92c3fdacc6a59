import { isCode, isMeasure, isPlace, isStandIn, isTechnical, looksChosen, looksRandom } from './secret-values.ts';

/** Tells whether a value in a password's place is a password: no placeholder, no number, no measure. */
export function isPassword(value: string): boolean {
  return (
    !isStandIn(value) &&
    !/^(?:\d{1,5}|pass(?:word)?|pw|secret|changeme|user)$/iu.test(value) &&
    !/^\d+(?:\/|$)/u.test(value) &&
    !isMeasure(value)
  );
}

/** Tells whether a value is a password even if its place leaves that open. */
export function isStrongPassword(value: string): boolean {
  return (
    isPassword(value) &&
    !isCode(value) &&
    !isPlace(value) &&
    !isHash(value) &&
    (looksRandom(value) || looksChosen(value))
  );
}

/** Tells whether a value is a password where the words around it announce one, in a sentence or on a command line. */
export function isAnnouncedPassword(value: string): boolean {
  if (/[-@_v]\d{1,4}(?:\.\d{1,6}){1,4}$/u.test(value)) return false; // `vault-1.16.2`: a version.
  if (isStrongPassword(value)) return true;
  return (
    isPassword(value) &&
    !isPlace(value) &&
    !isCode(value) &&
    !isHash(value) &&
    (isWordsAndDigits(value) || isWordsAroundDigits(value))
  );
}

/** Words and at least two digits, as in `blue-tiger-77`; not `base64-encoded` or `min-12-chars`. */
export function isWordsAndDigits(value: string): boolean {
  return /^\p{L}{3}\P{N}*[0-9]\P{N}*[0-9]+$/u.test(value) && value.length >= 8 && !isTechnical(value);
}

/** `harbor7712lamp`: digits between words. */
function isWordsAroundDigits(value: string): boolean {
  return /^\p{L}{3,20}[0-9]{2,6}\p{L}{1,20}$/u.test(value) && value.length >= 8 && !isTechnical(value);
}

/** Tells whether a value is nothing but a digest, an address or the bytes of one. */
export function isHash(value: string): boolean {
  return /^[0-9a-f:.\]-]{7,200}$/iu.test(value);
}
