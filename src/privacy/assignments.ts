import { type Finding, isMarkedKind } from './findings.ts';
import { looksChosen, looksRandom } from './randomness.ts';
import { KEYWORD, type SecretName, secretName } from './secret-names.ts';
import { isCode, isMeasure, isPlace, isStandIn, isTechnical } from './stand-ins.ts';
import { isHyphenated, isPassphrase, isSecret, type Need } from './values.ts';
import { type Style, valueAfter, valueBefore, type Written } from './written-values.ts';

const NAME_PART = /[\p{L}\p{N}_.$-]/u;
/** How many characters of a name and of a value are examined, so that long runs without a space cost no more. */
const LONGEST_NAME = 80;
const LONGEST_JUDGED = 600;
/** A Kubernetes sealed secret, which may be committed: a key's length in two bytes, then ciphertext in base64. */
const SEALED = /^A[gQ][A-Za-z0-9+/]{38,}={0,2}$/u;

/** Finds values assigned to names that suggest a secret: in env dumps, JSON, YAML, XML, code, flags, SQL and prose. */
export function findAssigned(text: string): Finding[] {
  const found: Finding[] = [];
  const keyword = new RegExp(KEYWORD);
  const isSealed = text.includes('encryptedData') ? (value: string) => SEALED.test(value) : () => false;
  let floor = 0;
  for (let match = keyword.exec(text); match; match = keyword.exec(text)) {
    const start = nameStart(text, match.index, floor);
    const end = nameEnd(text, match.index + match[0].length);
    keyword.lastIndex = floor = end;
    // A redaction marker is not the name of what follows it.
    if (isMarkedKind(text, start, end)) continue;
    const name = secretName(text.slice(start, end)) ?? nameInProse(text, start, end);
    if (!name || isSegment(text, start, end) || isNamedOtherwise(text, start, end)) continue;
    const after = valueAfter(text, start, end);
    const verb = /^pass$/iu.test(text.slice(start, end));
    const written = [after, valueBefore(text, start)].find(
      (one) =>
        one &&
        !(verb && isProse(one.style) && /^\w{1,40}=.|^[a-z]+_[a-z_\d]+$/u.test(text.slice(one.start, one.end))) &&
        isSecretIn(text, one, name) &&
        !isSealed(text.slice(one.start, one.end)),
    );
    if (!written) {
      // A long run of names without a break is searched only a few times, so that the work stays linear.
      const length = after ? after.end - after.start : 0;
      if (length > 500) keyword.lastIndex = end + Math.floor(length / 16);
      continue;
    }
    found.push({ start: written.start, end: written.end, kind: name.kind });
    if (written === after) keyword.lastIndex = floor = written.end;
  }
  return found;
}

/** Whether the word is part of a path or of a colon-separated address (`acme/auth:1.4`, `arn:...:secret:...`). */
function isSegment(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  return (
    (before === '/' &&
      text.charAt(end) !== '=' &&
      !/(?:^|\s)\/\/$/u.test(text.slice(Math.max(0, start - 3), start)) &&
      !/^\s\/.*:$/su.test(text.slice(start - 2, start) + text.charAt(end))) ||
    (before === ':' && /^:[^\s"']/u.test(text.slice(end, end + 2)))
  );
}

/** An element's class attribute, up to one of the classes: `className="PasswordField_input__L7F8G`. */
const IN_CLASSES = /\bclass(?:Name)?=["'{][^"'<>]{0,200}$/u;
/** An element up to an attribute: `<li key` tells the items of a list apart. */
const IN_ELEMENT = /<[A-Za-z][\w.]{0,40}(?:\s[^<>\n]{0,120})?\s$/u;
/** The digest of a file, up to a part of its name: `MD5(auth.dump)= ...`. */
const IN_DIGEST = /(?:MD5|SHA\d{0,3}(?:-\d{3})?|BLAKE\w{1,4})[ ]?\([^()\n]{0,60}$/u;

/** Whether the word names no secret here, because it is a part of something else. */
function isNamedOtherwise(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 220), start);
  return (
    IN_CLASSES.test(before) ||
    (text.slice(start, end) === 'key' && IN_ELEMENT.test(before.slice(-160))) ||
    isInBase64(text, end) ||
    IN_DIGEST.test(before.slice(-80))
  );
}

/** Whether the word is the end of a run of base64. */
function isInBase64(text: string, end: number): boolean {
  return /[A-Za-z0-9+/]{40}$/u.test(text.slice(Math.max(0, end - 40), end));
}

/** In prose the words of a name are separate: `the api key is`. */
function nameInProse(text: string, start: number, end: number): SecretName | undefined {
  const word = text.slice(start, end);
  if (!/^keys?$/iu.test(word)) return undefined;
  const before = /(?:[\w-]{1,30}[ ]){1,2}$/u.exec(text.slice(Math.max(0, start - 62), start))?.[0] ?? '';
  if (/(?:public|pub|peer|foreign|primary|sort|partition|cache)[ ]$/iu.test(before)) return undefined;
  return secretName(`${before.trim()}_${word}`) ?? { kind: 'key', chosen: false, certain: false, joined: false };
}

/** The kind of secret that `value` is as the value of `name` in structured data; undefined if it is not a secret. */
export function kindOfNamed(name: string, value: string): string | undefined {
  const judged = secretName(name.replace(/^-+/u, '').slice(-LONGEST_NAME));
  const style = /^[A-Z][A-Z0-9_]*$/u.test(name) ? 'env' : 'quoted';
  if (!judged) return undefined;
  return isNamedSecret(value, judged, style) ? judged.kind : undefined;
}

function nameStart(text: string, from: number, floor: number): number {
  let start = from;
  while (start > floor && from - start < LONGEST_NAME && NAME_PART.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function nameEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from < LONGEST_NAME && NAME_PART.test(text.charAt(end))) end += 1;
  // A sentence may end after the name.
  while (end > from && /[.-]/u.test(text.charAt(end - 1))) end -= 1;
  return end;
}

function isProse(style: Style): boolean {
  return style === 'told' || style === 'shown' || style === 'loose';
}

/** What a value after a password's name must show, by how it is written. */
const NEEDS: Record<Style, Need> = {
  env: 'word',
  quoted: 'words',
  bare: 'mixed',
  told: 'password',
  shown: 'password',
  loose: 'pair',
};

function isSecretIn(text: string, { start, end, style }: Written, name: SecretName): boolean {
  const value = text.slice(start, end);
  if (isNamedSecret(value, name, style)) return true;
  if (!name.chosen || !name.certain || /\s/u.test(value)) return false;
  const before = text.charAt(start - 1);
  const isAlone = /^["']?(?:\s|$)/u.test(text.slice(end, end + 2));
  switch (style) {
    // After `=` or a flag, and before a space: a pair on a command line or in a list, not code.
    case 'bare':
      return (
        isAlone &&
        /(?:=|(?:^|\s)-{1,2}[\w-]+[ ])$/u.test(text.slice(Math.max(0, start - 60), start)) &&
        isSecret(value, 'words')
      );
    case 'told':
      return /["']/u.test(before) && text.charAt(end) === before && isSecret(value, 'words');
    default:
      return false;
  }
}

function isNamedSecret(whole: string, name: SecretName, style: Style): boolean {
  const value = whole.slice(0, LONGEST_JUDGED);
  // Words of a script without spaces are a rule or a label.
  if (value.length < 6 || /\p{Lo}{2}/u.test(value) || isStandIn(value)) return false;
  if (isProse(style) && (/^[a-z_]{2,20}=/u.test(value) || isHyphenated(value))) return false;
  const isOwn = name.chosen && name.certain;
  if (/\s/u.test(value))
    return isOwn && style !== 'loose' && isPassphrase(value) && (style !== 'told' || /\d/u.test(value));
  if (isOwn && isSecret(value, NEEDS[style])) return style !== 'loose' || !/[/()[\]{}<>]/u.test(value);
  if ((name.chosen || name.kind === 'secret') && isSecret(value, 'sure')) return name.certain || !isProse(style);
  if (isMeasure(value)) return isOwn && (style === 'env' || style === 'quoted') && /^\d{6,}$/u.test(value);
  if (isPlace(value) || (style !== 'env' && style !== 'quoted' && isCode(value))) return false;
  if (!name.certain) return isUncertain(value, style);
  return isGenerated(value, name, style);
}

/** An id of 128 bits, as most programs write one. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** A key in hexadecimal that is not a commit's id. */
const HEX_KEY = /^(?:[0-9a-f]{32}|[0-9a-f]{48}|[0-9a-f]{64})$/u;
const HEX = /^[0-9a-f-]+$/iu;
/** Words followed by a digest, as in cache keys; a name with a version. */
const NAMED_DIGEST =
  /^[A-Za-z][A-Za-z0-9.]{0,30}(?:[-_][A-Za-z0-9.]{1,30}){0,8}-[0-9a-f]{7,64}$|[a-z]-\d{1,3}(?:\.\d{1,6}){1,3}$/u;
const mixesCases = (value: string) => /[0-9]/u.test(value) && /[a-z]/u.test(value) && /[A-Z]/u.test(value);

/** If a name only contains a keyword, its value must be clearly random. */
function isUncertain(value: string, style: Style): boolean {
  if (style === 'shown') return value.length >= 28 && mixesCases(value) && looksRandom(value);
  if (isProse(style) || UUID.test(value) || NAMED_DIGEST.test(value)) return false;
  const isLong = value.length >= 24 && style === 'quoted' && /[a-z][A-Z].*[a-z][A-Z]/u.test(value);
  return value.length >= 16 && (isLong || /[0-9]/u.test(value)) && !/^[0-9A-F]{40}$/u.test(value) && looksRandom(value);
}

/** Whether a value looks machine-made, for a name that says so. */
function isGenerated(value: string, name: SecretName, style: Style): boolean {
  switch (style) {
    case 'loose':
      return (
        !/[/()[\]{}<>]/u.test(value) &&
        looksRandom(value) &&
        ((value.length >= 10 && !HEX.test(value) && mixesCases(value)) ||
          (name.joined && (HEX_KEY.test(value) || (value.length >= 32 && !HEX.test(value)))))
      );
    case 'shown':
      return HEX_KEY.test(value) || UUID.test(value) || (value.length >= 10 && mixesCases(value) && looksRandom(value));
    case 'told':
      return /\P{L}/u.test(value) && looksRandom(value);
    case 'env':
    case 'bare':
    case 'quoted':
      return looksRandom(value) || looksChosen(value) || isNumbered(value, name);
    default:
      return style satisfies never;
  }
}

/** Words and digits, which somebody chose for a secret that machines usually make. */
function isNumbered(value: string, name: SecretName): boolean {
  if (isTechnical(value) || !/\p{L}/u.test(value) || !/[0-9]/u.test(value)) return false;
  if (name.kind === 'secret' && /^\p{L}{3,}[0-9]{3,}$/u.test(value)) return true;
  return value.length >= 12 && !/^[a-z]+(?:[-_.:][a-z]+)*[-_.:]?\d{1,4}$/iu.test(value);
}
