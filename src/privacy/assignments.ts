import { type Finding, isMarkedKind } from './findings.ts';
import { isChained, isGiven, isGivenInQuotes, isGivenLiteral, isGivenPhrase } from './given-values.ts';
import {
  isHex,
  isHexKey,
  isLiteralSecret,
  isPlainlySecret,
  isUncertainSecret,
  mixesDigits,
  SEALED,
  UUID,
} from './named-values.ts';
import {
  isDottedPhrase,
  isJoined,
  isTailed,
  isUnmistakable,
  isWord,
  isWordPair,
  isWordsAndDigits,
} from './password-values.ts';
import { isWordList } from './phrases.ts';
import { KEYWORD, type SecretName, secretName } from './secret-names.ts';
import { isCode, isMeasure, isPlace, isStandIn, looksChosen, looksRandom } from './secret-values.ts';
import { isNumberedPhrase, isPassphrase, isWordChain, spacedValues } from './spaced-values.ts';
import { type Style, valueAfter, valueBefore, type Written } from './written-values.ts';

const NAME_PART = /[\p{L}\p{N}_.$-]/u;
/** How many characters of a name and of a value are examined, so that long runs without a space cost no more. */
const LONGEST_NAME = 80;
const LONGEST_JUDGED = 600;

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
    const written = [after, valueBefore(text, start), ...(name.certain ? spacedValues(text, start, end) : [])].find(
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

/** Tells whether the word is part of a path or of a colon-separated address (`acme/auth:1.4`, `arn:...:secret:...`). */
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

/** The attribute of an element with its classes, up to one of them: `className="PasswordField_input__L7F8G`. */
const IN_CLASSES = /\bclass(?:Name)?=["'{][^"'<>]{0,200}$/u;
/** An element up to an attribute: `<li key` tells the items of a list apart. */
const IN_ELEMENT = /<[A-Za-z][\w.]{0,40}(?:\s[^<>\n]{0,120})?\s$/u;
/** The digest of a file, up to a part of its name: `MD5(auth.dump)= ...`. */
const IN_DIGEST = /(?:MD5|SHA\d{0,3}(?:-\d{3})?|BLAKE\w{1,4})[ ]?\([^()\n]{0,60}$/u;

/** Tells whether the word is no name of a secret where it stands: it is a part of something else. */
function isNamedOtherwise(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 220), start);
  return (
    IN_CLASSES.test(before) ||
    (text.slice(start, end) === 'key' && IN_ELEMENT.test(before.slice(-160))) ||
    isInBase64(text, end) ||
    IN_DIGEST.test(before.slice(-80))
  );
}

/** Tells whether the word is the end of a key in base 64. */
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
  const isLiteral = judged.chosen && judged.certain && isGivenLiteral(value);
  return isLiteral || isSecret(value, judged, style) ? judged.kind : undefined;
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

function isSecretIn(text: string, { start, end, style }: Written, name: SecretName): boolean {
  const value = text.slice(start, end);
  if (isSecret(value, name, style)) return true;
  if (style === 'quoted' && name.chosen && name.certain && isGivenLiteral(value))
    return /[=:>(]\s{0,4}[@bNu]?["'`]?$/u.test(text.slice(Math.max(0, start - 7), start));
  if (!name.certain || !(name.chosen || name.kind === 'secret') || isStandIn(value)) return false;
  const before = text.charAt(start - 1);
  const isAlone = /^["']?(?:\s|$)/u.test(text.slice(end, end + 2));
  if (
    name.chosen &&
    isChained(value) &&
    (style === 'told' || (style === 'bare' && isAlone && /[:：] $/u.test(text.slice(start - 2, start))))
  )
    return style === 'told' || !value.includes('.');
  // A name as environments have it, and a plain word alone behind it: `POSTGRES_PASSWORD: marigold`.
  if (
    name.chosen &&
    isAlone &&
    isGiven(value) &&
    /^[ \t-]*[A-Z][A-Z0-9]*_[A-Z0-9_]*: ["']?$/mu.test(
      text.slice(Math.max(0, text.lastIndexOf('\n', start) + 1, start - LONGEST_NAME), start),
    )
  )
    return true;
  if (style === 'quoted' && name.kind === 'secret' && isChained(value) && value.split(/[-_.]/u).length > 4) return true;
  // Words in quotes behind `=`, where catalogs of labels have a colon.
  if (style === 'quoted' && name.chosen && /\s/u.test(value))
    return /=\s{0,4}["']$/u.test(text.slice(Math.max(0, start - 6), start)) && isGivenPhrase(value);
  // Brackets are none of code in a literal.
  if (style === 'told' && name.chosen && /["']/u.test(before) && text.charAt(end) === before && looksChosen(value))
    return isGivenInQuotes(value);
  // A plain word in quotes: `the default password is 'blooberry'`.
  if (style === 'told' && name.chosen && isGiven(value))
    return /\p{L} ["']$/u.test(text.slice(start - 3, start)) && /^\p{Ll}+$/u.test(value) && text.charAt(end) === before;
  if (!isJoined(value)) return false;
  switch (style) {
    // Behind a mark without a space, and before one: a pair on a command line or in a list, no code.
    case 'bare':
      return (
        isAlone && (before === '=' || /(?:^|\s)-{1,2}[\w-]+[ ]$/u.test(text.slice(Math.max(0, start - 60), start)))
      );
    case 'told':
      return /["']/u.test(before);
    case 'loose':
      return isAlone && /[!#$%*+~^&_]/u.test(value);
    case 'quoted':
      return name.kind === 'secret' && /[!#$%*+~^&]/u.test(value);
    default:
      return false;
  }
}

function isSecret(whole: string, name: SecretName, style: Style): boolean {
  const value = whole.slice(0, LONGEST_JUDGED);
  // Words of a script without spaces are a rule or a label.
  if (isProse(style) && /^[a-z_]{2,20}=/u.test(value)) return false;
  if (style === 'env' && name.chosen && name.certain && isGivenPhrase(value)) return true;
  if (value.length < 6 || /\p{Lo}{2}/u.test(value) || isStandIn(value)) return false;
  if ((name.chosen || name.kind === 'secret') && isWordPair(value)) return name.certain || !isProse(style);
  // Names of code are joined by dots as well.
  if (name.chosen && name.certain && isJoined(value))
    return style === 'env' || style === 'quoted' || (!isProse(style) && !isCode(value));
  if (/^[\w.-]{1,40}\/(?=[A-Za-z])/u.test(value) && isWordPair(value.replace(/^[^/]*\//u, ''))) return name.certain;
  if (isDottedPhrase(value) || isTailed(value)) return name.chosen && name.certain;
  if (name.chosen && name.certain && style === 'env' && isGiven(value)) return true;
  if (isPlace(value) || (!name.chosen && /[a-z]-\d{1,3}(?:\.\d{1,6}){1,3}$/u.test(value))) return false;
  if (isMeasure(value))
    return name.chosen && name.certain && (style === 'env' || style === 'quoted') && /^\d{6,}$/u.test(value);
  if (/\s/u.test(value))
    return (
      name.chosen &&
      name.certain &&
      style !== 'loose' &&
      (isPassphrase(value) ||
        isNumberedPhrase(value) ||
        (style === 'env'
          ? isWordList(value)
          : style === 'quoted' && /^[\p{Ll}\d &]+$/u.test(value) && isGivenPhrase(value)))
    );
  if (style !== 'env' && style !== 'quoted' && isCode(value)) return false;
  if (!name.certain)
    return isUncertainSecret(value, style) || (name.chosen && !isProse(style) && isUnmistakable(value));
  switch (style) {
    case 'loose':
      return (
        !/[/()[\]{}<>]/u.test(value) &&
        (isPlainlySecret(value, name) ||
          isUnmistakable(value) ||
          (name.joined && (isHexKey(value) || (/^[0-9a-z]{32,}$/u.test(value) && !isHex(value) && looksRandom(value)))))
      );
    case 'shown':
      return (
        isPlainlySecret(value, name) || isHexKey(value) || UUID.test(value) || (name.chosen && isWordsAndDigits(value))
      );
    case 'told':
      return !isWord(value) && (looksRandom(value) || (name.chosen && (looksChosen(value) || isWordsAndDigits(value))));
    case 'env':
      return (
        isLiteralSecret(value, name) ||
        (name.chosen ? /^\p{L}{6,}$/u.test(value) || isWordChain(value) : mixesDigits(value) && value.length >= 8)
      );
    case 'bare':
    case 'quoted':
      return isLiteralSecret(value, name);
    default:
      return style satisfies never;
  }
}
