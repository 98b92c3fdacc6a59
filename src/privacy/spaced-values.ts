import { NAMING } from './password-values.ts';
import { isProse } from './phrases.ts';
import { isStandIn } from './secret-values.ts';
import type { Written } from './written-values.ts';

const CLOSE = '["\'`}\\])*]{0,3}(?:[ ]\\([^()\\n]{1,40}\\))?';
/** The rest of a line in a second column. */
const COLUMN = new RegExp(
  `${CLOSE}(?:[ ]{2,60}\\|?[ ]?|\\t{1,8}|[ ]{0,60}\\|[ ])["'\`]?([^\\s"'\`|](?:[^\\n"'\`| ]|[ ](?![ ])){5,100}?)["'\`]?[ \\t]{0,60}(?:\\r?\\n|$)`,
  'y',
);
/** A string behind a mark or an option, whatever follows it. */
const QUOTED = /["'`]?(?:[ ]{0,4}(?:[:=]|=>)[ ]{0,4}|[ ])(["'])([^"'\n]{6,100})\1/y;
/** In parentheses with its name: `(password tin whistle 45)`. */
const ASIDE = /[ ]([^()\n]{6,60})\)/y;

/**
 * The value of a name that has spaces in it, or is in the second column of its line: candidates that the rules for
 * single words do not read.
 */
export function spacedValues(text: string, start: number, end: number): Written[] {
  const line = text.slice(Math.max(0, start - 40), start);
  const found: Written[] = [];
  const read = (pattern: RegExp, style: Written['style']) => {
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    const value = match?.at(-1);
    if (!match || value === undefined) return;
    const from = end + match[0].lastIndexOf(value);
    found.push({ start: from, end: from + value.length, style });
  };
  read(QUOTED, 'quoted');
  if (/(?:^|\n)[ \t$@&{[*|]*(?:[\p{L}\p{N}_-]{1,20}[ _.-]){0,2}$/u.test(line)) read(COLUMN, 'bare');
  if (line.endsWith('(')) read(ASIDE, 'told');
  return found;
}

/** Words of a label or a sentence, and of what is counted. */
const COUNTED =
  /\b(?:of|is|no|use|if|min|max|chars?|characters?|digits?|zeichen|days?|tage|hours?|minutes?|seconds?|step|schritt|version|page|line|level|part|example|pass\w*|pwd|pin|secret|token|key|credentials?|\p{L}*wort|contrase\p{L}*|mot|senha|parol\p{L}*)\b/iu;

/** What a rule about passwords counts: `не менее 12 символов`, `entre 8 y 32 caracteres`. */
const CHARACTERS =
  /(?<!\p{L})(?:cara[ct]|znak|знак|s[ií]mbol|символ|χαρακτήρ|tegn|teken|tecken|merkki|karakt|hane|cifr|cyfr|číslic|číslo|cijfer|siffr|цифр|chiffr|ziffer|d[ií]git|букв|літер|buchst|lettre|letra|letter|liter|písmen|bokst|betű|harf|rakam|حرف|أحرف|תווים|אותיות|ký tự|huruf|ตัวอักษร|文字|字符|글자)/iu;

/** Tells whether a value is a few words and a number, as people make them up: `willow tit 3 acorns`. */
export function isNumberedPhrase(value: string): boolean {
  const words = value.split(' ');
  const isNumber = (word: string) => /^\d{1,4}[!?]?$/u.test(word);
  return (
    words.length >= 3 &&
    words.length <= 7 &&
    words.every((word) => isNumber(word) || /^[\p{L}'’]{2,16}\d{0,2}[!?]?$/u.test(word)) &&
    words.some((word) => /\d/u.test(word)) &&
    words.filter((word) => /^\p{L}{3}/u.test(word)).length >= 2 &&
    !COUNTED.test(value) &&
    !CHARACTERS.test(value) &&
    !isProse(value.toLowerCase()) &&
    !NAMING.test(value) &&
    !isStandIn(value)
  );
}

/** Four words or more, or the four groups of four letters that mail providers hand out. */
export function isPassphrase(value: string): boolean {
  if (/^(?:[a-z]{4} ){3}[a-z]{4}$/u.test(value)) return true;
  const words = value.split(/\s/u.test(value) ? /\s+/u : /[_.+-]+/u).filter(Boolean);
  const sentence =
    /[.!?:]$/u.test(value) ||
    words.some((word) =>
      /^(?:the|is|are|must|be|at|of|and|or|a|an|in|to|for|not|with|please|enter|test|only)$/iu.test(word),
    );
  return (
    words.length >= 4 &&
    words.length <= 24 &&
    !sentence &&
    words.every((word) => /^[\p{L}\p{N}]{1,16}$/u.test(word)) &&
    (/\s/u.test(value) === false || words.length >= 12 || /[0-9]/u.test(value))
  );
}

/** Tells whether four words or more are a passphrase whatever stands around them: `meadow-badger-dragon-topaz6`. */
export function isPhraseChain(value: string): boolean {
  return (
    /^[a-z]{3,10}(?:-[a-z]{3,10}){3,7}\d{0,3}$/u.test(value) &&
    value.split('-').filter((word) => NAMING.test(word)).length < 2 &&
    !/(?:^|-)(?:the|and|for|with|not|per|pass|secret|token|key|sign|auth|login|user|password)/u.test(value)
  );
}

/** Plain words that a mark joins, and none that names a thing in code: `granny-smith-apple`. */
export function isWordChain(value: string): boolean {
  return (
    /^[a-z]{3,12}(?:([-_.])[a-z]{3,12})(?:\1[a-z]{3,12}){1,5}$/u.test(value) &&
    !NAMING.test(value) &&
    !/pass|pwd|secret|token|key|cred|name|file|prod|path|local|value|string/u.test(value)
  );
}
