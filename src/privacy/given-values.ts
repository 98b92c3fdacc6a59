import { isJoined, isPassword, NAMING } from './password-values.ts';
import { isPlace, isStandIn, isTechnical, looksChosen } from './secret-values.ts';
import { anyOf, PASSWORD_STEMS } from './secret-words.ts';

/**
 * Judges values by the strength of what announces them. Where only a password can be, its characters say nothing any
 * more: `lindenbaum` is one behind an option for passwords, and is none in a sentence.
 */

/** What holds a password, or stands for one: `db_pass`, `env.ROOT_PW`, `votre_mot_de_passe`. */
const HOLDER = new RegExp(
  `pass|pwd|secret|token|credential|geheim|_pw\\b|\\bpw_|env\\b|(?<!\\p{L})(?:authentic|authori)|(?<!\\p{L})(?:key|conf|config|settings?|var|args?|params?|opts?|options|self|this|process|inputs?|prompt|stdin|files?|path|field|hash(?:ed)?|values?|name|users?|login|your|dein|ihr|votre|string|here)(?!\\p{L})|${anyOf(PASSWORD_STEMS)}`,
  'iu',
);
/** What is said about a password, the type of one, and what a form or a log has in its place. */
const SAID =
  /^(?:required|on_create|optional|strings?|unicode|varchar|boolean|integer|number|object|bytes|buffer|binary|undefined|option|nullable|plain(?:-?text)?|clear-?text|wrong|correct|incorrect|invalid|missing|empty|hidden|default|unknown|unset|disabled?|enabled?|(?:case-)?sensitive|write-?only|read-?only|sha\d+|bcrypt|random|please|forgot|forgotten|manual|always|never|prompt|verify|confirm|submit|reset|change|update|delete|create|cancel|public|private|local|remote|static|system|server|client|database|production|staging|example|falsch|richtig|nicht|oblig\p{L}+|encrypt|cleartext|external|internal|manager|lockout|mismatch|caching|hints?|expiration|blank|strength|policy|history|expiry|recovery|\p{Ll}{3,}(?:ed|able|ible|tion|ing|ly|ment|ful|less))$/iu;

/** Tells whether a value is a password where nothing else can be, as behind an option or a prompt for passwords. */
export function isGiven(value: string): boolean {
  if (value.length < 6 || value.length > 100 || !/^[^-$%@<([{\s][^\s()[\]{}<>`"'\\|]+$/u.test(value)) return false;
  if (/^\d+$/u.test(value)) return value.length >= 8 && !isStandIn(value);
  return (
    isPassword(value) &&
    !/\.{2}|:\/\/|^[A-Z]{1,40}(?:_[A-Z]{1,40}){1,8}$|^\/|^[\p{P}\p{S}]+$/u.test(value) &&
    (!isPlace(value) || isJoined(value)) &&
    !isTechnical(value) &&
    !SAID.test(value) &&
    !HOLDER.test(value)
  );
}

/** Words that marks join: `erdbeer-joghurt`, `Gans.Ei.Salat`. */
const MARKED = /^(?=.*\p{L}{3})[\p{L}\p{N}]+(?:[-_.:!+&~#*=][\p{L}\p{N}]+){1,5}[!?.]?$/u;
/** Two words of a sentence that a hyphen joins, names of hosts and files, and names as code has them. */
const COMMON =
  /^\p{Ll}{2,8}-(?:\p{Ll}{2,}(?:ed|ly|al|ive|able|ible|ing|en)|only|free|side|text|time|based|wide|safe|case|letters?|in|out|up|off|on)$|[Bb]itte|[Pp]lease|eingeben|\.(?:[a-z]{2,4}|local|internal|example)$|^[a-z\d]+(?:\.[a-z]+[A-Z]\w*)+$|^[Ee]-?[Mm]ail|form-|input|btn|icon|col-/u;

/** The same as whole words, with an ending at most: compounds of other languages hold some of them by chance. */
const NAMED = new RegExp(`(?<!\\p{L})\\p{Ll}{0,3}(?:${NAMING.source})\\p{Ll}{0,3}(?!\\p{Ll})`, 'iu');

/** Tells whether a value is a password where a literal is called one: words that something joins, but no names. */
export function isGivenLiteral(value: string): boolean {
  return value.length >= 8 && MARKED.test(value) && !COMMON.test(value) && !NAMED.test(value) && isGiven(value);
}

/** Words of English compounds: `state-of-the-art`, `Man-in-the-middle`. */
const COMPOUND = /[-_](?:of|to|the|and|in|by|on|as|at|or|up|out|off|for|with|a|is|no|not|per)[-_]|[-_]o(?:n|ff|ut)$/iu;

/**
 * Tells whether a value is a password right behind a verb or a colon in a sentence about one: words that marks join as
 * no sentence joins them, with a number at the end, or two capitals, or three words.
 */
export function isChained(value: string): boolean {
  const whole = value.replace(/(?<=\p{L})['’](?=\p{L})/u, '');
  const words = whole.split(/[^\p{L}\p{N}]+/u).filter((word) => /^\p{L}{2}/u.test(word));
  if (words.length < 2 || !isGivenLiteral(whole) || COMMON.test(whole.toLowerCase())) return false;
  if (/\p{L}[-_.]?\d{1,4}[!?]?$/u.test(whole)) return !/^[a-z]+(?:_[a-z]+)*_?\d+$/u.test(whole);
  if (/[^\x00-\x7f]/u.test(whole) && /\p{Lu}/u.test(whole))
    return words.length > 2 || /[-_]\p{L}[-_]|[_!&+~#*]|-\p{Lu}/u.test(whole);
  return !COMPOUND.test(whole) && (words.length > 2 || words.every((word) => /^\p{Lu}\p{Ll}{2}/u.test(word)));
}

/** What a form, a log or a program says in place of a phrase, or asks for. */
const ASKED = new RegExp(
  `(?<!\\p{L})(?:must|should|please|bitte|enter|required?|pass\\p{L}+|secret|not|nicht|no|empty|your|you|again|wrong|is|are|was|has|have|ist|leave|optional|minimum|least|characters?|incorrect|invalid|try|same|match|type|use|default|none|any|it|this|new|prompt|ok|failed|done|name|hint|field|error|for|to|of|the|insert|put|goes|values?|replace|todo|change|needs?|upper-?case|lower-?case|letters?|numbers?|digits?|contains?)(?!\\p{L})|${anyOf(PASSWORD_STEMS)}`,
  'iu',
);
const PHRASED = /^(?:[\p{L}\p{M}\p{N}'’.!?-]{1,20}|&|\+)(?:,? {1,2}(?:[\p{L}\p{M}\p{N}'’.!?-]{1,20}|&|\+)){2,9}$/u;

/** Two words, with a digit or a mark as no label has them: `h@yloft Pigeon`, `Kyocera 31`. */
const PAIRED = /^(?=.*[\d@#$*!])[\p{L}\p{N}@#$*!-]{2,20} [\p{L}\p{N}@#$*!-]{2,20}$/u;

/** Tells whether a few words are a password in quotes or on a line where nothing else can be. */
export function isGivenPhrase(value: string): boolean {
  return (
    value.length >= 8 && (PHRASED.test(value) || PAIRED.test(value)) && /\p{L}{3}/u.test(value) && !ASKED.test(value)
  );
}

/** Tells whether a value in quotes is a password where nothing else can be: brackets and spaces are part of it. */
export function isGivenInQuotes(value: string): boolean {
  if (/\s/u.test(value)) return isGivenPhrase(value);
  return (
    isGiven(value) ||
    (/[()[\]{}]/u.test(value) && isPassword(value) && looksChosen(value) && !/^[\w.$]+[([].*[)\]]$/u.test(value))
  );
}

/** Small and capital letters in words that a mark other than a hyphen joins, or the last of which a number ends. */
const SPOKEN =
  /^(?=.*\p{Lu})(?=.*\p{Ll})(?:\p{L}{2,}(?:[_.:!+&~#*]\p{L}+){0,3}[_.:!+&~#*]\p{L}{2,}\d{0,4}|\p{Ll}{4,}\p{Lu}\p{Ll}{2,}\d{1,4})[!?]?$/u;

/** Tells whether a value is a password at the end of a sentence about one, where names and words are as likely. */
export function isSpoken(value: string): boolean {
  return SPOKEN.test(value) && isGivenLiteral(value.replace(/(?<!\d)\d{1,4}[!?]?$/u, '_x')) && !isStandIn(value);
}
