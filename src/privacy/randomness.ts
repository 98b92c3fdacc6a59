/** Tells generated values, and those that people choose for passwords, from words by their characters alone. Linear. */

/** Pairs of letters that are common inside words, counted over some 3,700 words of English technical prose. */
const COMMON_PAIRS = new Set(
  (
    'a:bcdfgiklmnprstuvy b:aeilorsu c:acehiklortu d:adeilosu e:abcdefglmnpqrstvwx f:aefioru g:aehilnorsu h:aeiort ' +
    'i:abcdefglmnoprstvz j:eo k:eis l:adeilostuy m:abeimopsu n:acdefgiknostuv o:abcdfgiklmnoprstuvw p:aeiloprstu ' +
    'q:u r:acdegiklmnorstuvy s:acehiklopstuy t:acehilorstuy u:abcegilmnprst v:aei w:aehinor x:ept y:s z:e'
  )
    .split(' ')
    .flatMap((row) => Array.from(row.slice(2), (second) => `${row.charAt(0)}${second}`)),
);

/** Words and numbers, split by case and digits. */
export const PIECES = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/gu;
export const SPECIAL = /[^\p{L}\p{N}\s_./:\\-]/u;

/** Whether letters look like a word, or like a few words written together. */
function isWordlike(letters: string): boolean {
  if (letters.length <= 3) return true;
  const lower = letters.toLowerCase();
  let common = 0;
  for (let index = 0; index + 1 < lower.length; index++) {
    if (COMMON_PAIRS.has(lower.slice(index, index + 2))) common += 1;
  }
  return common / (lower.length - 1) >= 0.6;
}

/**
 * Whether a value looks generated: letters, digits and cases change every two or three characters, or its letters spell
 * nothing. Paths, versions, dates, identifiers and prose do not.
 */
export function looksRandom(value: string): boolean {
  const sample = value.length > 600 ? value.slice(0, 600) : value;
  const pieces = sample.match(PIECES) ?? [];
  const letters = sample.replace(/[^A-Za-z]/gu, '').length;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length < 8 || letters < 2) return false;
  const runs = sample.match(/[A-Za-z0-9]+/gu) ?? [];
  // Short words between separators change as often; a generated value changes within its runs too.
  if (length / pieces.length < 2.7 && pieces.length >= 4 && pieces.length >= runs.length * 1.4) return true;
  // Words in code are long and legible; a generated run of letters or of letters and digits is not.
  const odd = runs.filter(isOdd).reduce((sum, run) => sum + run.length, 0);
  return odd >= 8 && odd >= length * 0.5;
}

function isOdd(run: string): boolean {
  if (!/[A-Za-z]/u.test(run)) return false;
  if (run.length >= 12) return !isWordlike(run.replace(/[0-9]/gu, ''));
  const words = run.match(PIECES) ?? [];
  const strange = words.filter((word) => !/^[0-9]/u.test(word) && word.length > 3 && !isWordlike(word));
  if (strange.reduce((sum, word) => sum + word.length, 0) >= run.length * 0.5) return true;
  return run.length >= 8 && words.length >= 4 && run.length / words.length < 2.7;
}

/** Whether a value looks chosen by a person: long enough, with two classes of characters besides plain words. */
export function looksChosen(value: string): boolean {
  if (value.length < 8) return false;
  const letter = /\p{L}/u.test(value);
  const digit = /[0-9]/u.test(value);
  if (!letter) return false;
  return (digit && (SPECIAL.test(value) || (/\p{Ll}/u.test(value) && /\p{Lu}/u.test(value)))) || hasInnerSpecial(value);
}

function hasInnerSpecial(value: string): boolean {
  return /[\p{L}\p{N}][!#$%^&*+?~@=][\p{L}\p{N}]/u.test(value) && /[A-Z0-9]/u.test(value);
}
