import { isWordsAndDigits } from './password-values.ts';
import type { SecretName } from './secret-names.ts';
import { isTechnical, looksChosen, looksRandom } from './secret-values.ts';
import { isPassphrase } from './spaced-values.ts';
import type { Style } from './written-values.ts';

// Judges a value by how certainly its name is one for secrets, and by how it is written behind it.

/** A Kubernetes sealed secret, which may be committed: a key's length in two bytes, then ciphertext in base64. */
export const SEALED = /^A[gQ][A-Za-z0-9+/]{38,}={0,2}$/u;

/** An id of 128 bits, as most programs write one. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** Words followed by a digest, as in cache keys. */
export const NAMED_DIGEST = /^[A-Za-z][A-Za-z0-9.]{0,30}(?:[-_][A-Za-z0-9.]{1,30}){0,8}-[0-9a-f]{7,64}$/u;

/** If a name only contains a keyword, its value must be clearly random. */
export function isUncertainSecret(value: string, style: Style): boolean {
  // A salt as an argument, and the default of a setting.
  if (style === 'told' && value.length >= 32 && (mixesCases(value) || /[^\w.:/-].*[^\w.:/-]/u.test(value)))
    return looksRandom(value);
  if (style === 'loose' || style === 'told' || UUID.test(value) || NAMED_DIGEST.test(value)) return false;
  if (style === 'shown') return value.length >= 28 && mixesCases(value) && !isHex(value) && looksRandom(value);
  const isLong = value.length >= 24 && style === 'quoted' && /[a-z][A-Z].*[a-z][A-Z]/u.test(value);
  return value.length >= 16 && (isLong || /[0-9]/u.test(value)) && !/^[0-9A-F]{40}$/u.test(value) && looksRandom(value);
}

/** A value that is merely next to its name must look like nothing but a secret: no hash, no id, no word. */
export function isPlainlySecret(value: string, name: SecretName): boolean {
  if (isHex(value)) return false;
  if (name.chosen && (looksChosen(value) || (value.length >= 8 && isWordsAndDigits(value)))) return true;
  return value.length >= 10 && looksRandom(value) && mixesCases(value);
}

function mixesCases(value: string): boolean {
  return /[0-9]/u.test(value) && /[a-z]/u.test(value) && /[A-Z]/u.test(value);
}

/** A key in hexadecimal that is no commit's id. */
export function isHexKey(value: string): boolean {
  return /^(?:[0-9a-f]{32}|[0-9a-f]{48}|[0-9a-f]{64})$/u.test(value);
}

export function isHex(value: string): boolean {
  return /^[0-9a-f-]+$/iu.test(value);
}

export function isLiteralSecret(value: string, name: SecretName): boolean {
  if (looksRandom(value) || looksChosen(value)) return true;
  if (name.chosen) return mixesDigits(value) || isPassphrase(value);
  if (name.kind === 'secret' && name.certain && /^\p{L}{3,}[0-9]{3,}$/u.test(value)) return !isTechnical(value);
  return (
    mixesDigits(value) &&
    value.length >= 12 &&
    !isTechnical(value) &&
    !/^[a-z]+(?:[-_.:][a-z]+)*[-_.:]?\d{1,4}$/iu.test(value)
  );
}

export function mixesDigits(value: string): boolean {
  return /\p{L}/u.test(value) && /[0-9]/u.test(value) && !/^[A-Za-z_]\w*(?:\.\w+)+$/u.test(value);
}
