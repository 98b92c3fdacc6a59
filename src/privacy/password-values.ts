import { isCode, isMeasure, isPlace, isStandIn, isTechnical, looksChosen, looksRandom } from './secret-values.ts';

/** Tells whether a value in a password's place is a password: no placeholder, no number, no measure. */
export function isPassword(value: string): boolean {
  return (
    !isStandIn(value) &&
    // Keys to press, and names of people.
    !/^(?:Ctrl|Shift|Alt|Cmd|Meta)[+-]|^@(?!\w{0,30}\d{3})[\w-]+$/u.test(value) &&
    !/^(?:\d{1,5}|pass(?:word)?|pw|secret|changeme|user)$/iu.test(value) &&
    !/^\d+(?:\/|$)|^\d{1,2}[:.]\d\d(?!\d)\D{0,4}$|^\d\dZ?,|%0[AD]|<\/|<br|\/>|&(?:lt|gt|quot|apos);/u.test(value) &&
    !isMeasure(value)
  );
}

/** Tells whether a value is a password even if its place leaves that open. */
export function isStrongPassword(value: string): boolean {
  return (
    isPassword(value) &&
    !isWord(value) &&
    (isComposed(value) || (!isCode(value) && !isPlace(value))) &&
    !isHash(value) &&
    (looksRandom(value) || looksChosen(value))
  );
}

// A small word, a mark and a capitalised one, and digits; a word, a mark, a year and letters; a word, digits and marks;
// letters that digits stand for, before the first vowel among them: no word begins so, only names of techniques do.
const COMPOSED = [
  /^(?!(?:[bdklvwx][345]|[df]3[-_.]|k[38]s|l1\d|s3[-_.]?(?:api|bucket|client|cmd|fs|key|object|path|proxy|store|sync|up|url)|(?:bs|gpg|gtk|mpe?g?|px|py|qt|rx|sd|[smh]d|ssh|tls|p)[345](?![0a])))[bcdfghjklmnpqrstvwxz]{1,3}[0134][a-z]{1,12}(?:[0134][a-z]{0,12}){0,3}(?:[-_.!#@]?[a-z0-9]{2,12}){0,2}(?<=[a-z]{4}.{0,20})$/iu,
  /^\p{Ll}{3,16}[-_.+*@#]\p{Lu}\p{Ll}{2,15}[0-9]{1,6}[^\w\s]{0,2}$/u,
  /^\p{Lu}\p{Ll}{2,15}[-_.+*@#!][0-9]{4,6}(?:__|[^\w\s])?[a-z]{2,4}$/u,
  /^\p{Lu}\p{Ll}{2,15}[0-9]{2,6}(?:_{1,2}|[!#$%*+=?&@]{1,2})(?:[a-z]{2,4})?$/u,
  /^(?=[^A-Z]{0,20}[A-Z])(?=.{0,20}[A-Za-z][01345]{1,2}[a-z])[A-Za-z0-9]{8,24}[0-9]{2}[^\w\s]{0,2}$/u,
  /^\p{Ll}{3,15}\d{1,4}\p{Lu}\p{Ll}{2,15}[!?#$%*+&]$/u,
  // As Apple's keychain makes them.
  /^(?=[^A-Z]{0,19}[A-Z][^A-Z]{0,19}$)(?=\D{0,19}\d\D{0,19}$)[A-Za-z0-9]{6}(?:-[A-Za-z0-9]{6}){2}$/u,
  /^[a-z]{3,12}(?=[0-9]{0,2}[A-Z])[A-Z0-9]{2,4}[-_.+*@#][a-z0-9]{3,8}[0-9]$/u,
];

/** Tells whether words, digits and marks are joined as people join them for a password, and nobody does for a name. */
export function isComposed(value: string): boolean {
  return value.length >= 8 && COMPOSED.some((pattern) => pattern.test(value)) && !isTechnical(value);
}

/** Two words and digits, and words in what has such a name but is no password: `LoginPage12`, `Windows11-beta`. */
const PAIRED =
  /^(?:\p{Lu}\p{Ll}{2,15}[-_.!@#+*$%&~=^]?(?:\p{Lu}\p{Ll}{2,15}[-_.!@#+*$%&~=^]?){1,3}[0-9]{1,5}|\p{Lu}\p{Ll}{2,15}[0-9]{2,5}[-_.!@#+*$%&][A-Za-z]\p{Ll}{2,15}|\p{Ll}{3,15}[-_.!@#+*$%&~]?\p{Lu}\p{Ll}{2,15}[-_.]?[0-9]{2,5}|[A-Z][a-z0-9]{0,3}[a-z][0134][a-z][a-z0-9]{0,12}[-_.][0-9]{2,4}|\p{L}\p{Ll}{3,15}[0-9]{1,3}\p{Ll}{2,10}[-_.!]\p{Ll}{3,12})[^\w\s]{0,2}$/u;
/** Parts of names of programs, people and things, which passwords seldom have. */
export const NAMING =
  /user|account|login|auth|page|form|view|dialog|field|column|schema|table|data|hash|salt|crypt|code[rc]|http|socket|serv|client|host|node|agent|proxy|module|class|object|type|config|setting|option|param|factory|manager|handler|control|provider|adapter|filter|request|response|error|exception|event|policy|rule|scanner|parser|hmac|sha\d|aes\d|input|mask|box|button|label|text|string|list|build|number|order|invoice|report|status|version|release|branch|issue|ticket|step|phase|stage|section|chapter|guide|setup|sprint|team|room|ubuntu|debian|fedora|windows|macos|linux|server|android|python|java|angular|react|swift|visual|studio|office|oracle|chrome|firefox|safari|galaxy|iphone|model|series|figure|test|plan|path|vault|portal|profile|prod|wiki/iu;

/** The same, or two words as in `Willow.Anchor72`, which may be a name where nothing speaks of a password. */
export function isWordPair(value: string): boolean {
  return isComposed(value) || (PAIRED.test(value) && isPassword(value) && !NAMING.test(value) && !isTechnical(value));
}

/** Capitalised words that a mark joins, and capitals around digits: `Tarn-Larkspur`, `TARN7LARK`. */
const JOINED =
  /^\p{Lu}\p{Ll}{3,15}([-_.!@#+*$%&~=^/])\p{Lu}\p{Ll}{2,15}(?:\1\p{Lu}\p{Ll}{2,15}){0,3}$|^\p{Ll}{4,15}[!#$%&*+~^]\p{Ll}{2,15}$|^\p{Lu}\p{Ll}{2,15}(?:\/\p{Lu}\p{Ll}{2,15}){1,3}\/?[0-9]{1,4}$|^[A-Z]{3,12}[0-9]{1,4}[A-Z]{2,12}[0-9]{0,4}$/u;

/** Tells whether words and marks without digits make a password where nothing else would be expected. */
export function isJoined(value: string): boolean {
  return value.length >= 8 && JOINED.test(value) && !NAMING.test(value) && !TECHNIQUE.test(value) && !isStandIn(value);
}

/** Words that a hyphen, a dot or a slash joins, as in titles and names: `Case-Sensitive` in a sentence is no password. */
export function isHyphenated(value: string): boolean {
  return /^\p{L}+(?:[-./]\p{L}+)+$/u.test(value);
}

/** Tells whether a value is a password where the words around it announce one, in a sentence or on a command line. */
export function isAnnouncedPassword(value: string): boolean {
  if (/[-@_v]\d{1,4}(?:\.\d{1,6}){1,4}$/u.test(value)) return false; // `vault-1.16.2`: a version.
  if (isTechnical(value)) return false;
  if (isStrongPassword(value) || isDottedPhrase(value) || isAppPassword(value) || isJoined(value)) return true;
  if (isDivided(value) || isInterspersed(value) || isTailed(value)) return true;
  return (
    isPassword(value) &&
    !isHash(value) &&
    (isWordPair(value) || (!isPlace(value) && !isCode(value) && isWordsAndDigits(value)))
  );
}

/** Small letters with numbers in two places, as generators make them: `zkjor24dof64`. */
export function isInterspersed(value: string): boolean {
  return (
    /^[a-z0-9]{10,32}$/u.test(value) &&
    /[a-z]\d{1,3}[a-z]/u.test(value) &&
    (value.match(/\d+/gu) ?? []).length > 1 &&
    !isHash(value) &&
    !TECHNIQUE.test(value)
  );
}

/** A word, a number, a mark and one more sign: `pickle2156_k`. */
export function isTailed(value: string): boolean {
  return /^\p{L}\p{Ll}{3,15}\d{3,6}[-_.][\p{L}\d]{1,2}[!?]?$/u.test(value) && !NAMING.test(value);
}

/** `rugbrod4smor`: two words that a number divides. */
function isDivided(value: string): boolean {
  return /^\p{L}\p{Ll}{3,11}\d{1,3}\p{Ll}{3,12}[!?.]?$/u.test(value) && !NAMING.test(value) && !isStandIn(value);
}

/** Four groups of four letters, as Apple hands them out. */
function isAppPassword(value: string): boolean {
  return /^(?:[a-z]{4}-){3}[a-z]{4}$/u.test(value) && looksRandom(value.replaceAll('-', ''));
}

/** `otter.marble.dune7`: words and a number that dots join, none of which occurs in names of code. */
export function isDottedPhrase(value: string): boolean {
  return /^[a-z]{3,10}(?:\.[a-z]{3,10}){1,5}\.?[0-9]{1,4}$/u.test(value) && !NAMING.test(value) && !IN_CODE.test(value);
}

const IN_CODE =
  /(?:^|\.)(?:pass\w{0,6}|pwd|pw|secret|token|key|cred\w{0,8}|env|self|this|conf|data|app|props|state|params?|args?|opts|process|req|res|ctx|values?|body|vars|local|module|util|core|main|index|string|www|com|org|net|example|internal|[jt]sx?)s?(?=[.\d])/u;

/** One word of any language, whose letters may look random to who expects English. */
export function isWord(value: string): boolean {
  return /^\p{L}\p{Ll}*[^\p{L}\p{N}]*$/u.test(value);
}

/** What is counted, and letters of a size or a format. */
const COUNTS = /min|max|least|char|digit|day|hour|week|month|year|step|bit|byte|zeichen|encoded|bom|px|level|part/iu;

/** Words and at least two digits, as in `lamp77` and `harbor7712lamp`; not `base64-encoded` or `min-12-chars`. */
export function isWordsAndDigits(value: string): boolean {
  return (
    (/^\p{L}{3}\P{N}*[0-9]\P{N}*[0-9]+$/u.test(value) ||
      /^\p{L}{3,20}[0-9]{2,6}\p{L}{1,20}$/u.test(value) ||
      (/^\p{L}{3,12}[-_.][0-9]{1,4}\p{Ll}?[-_.]\p{L}{2,12}$/u.test(value) && !COUNTS.test(value))) &&
    value.length >= 6 &&
    !isTechnical(value)
  );
}

/** A digit in place of a letter in one of two words, and a number behind them: `V3eam_Oracle-9333`. */
const LEET = /^(?=.*(?:[a-z][013457][a-z]|\b[A-Z][013457][a-z]))\p{L}\w{2,15}[-_.!@#+*]\w{3,15}[-_.!@#+*]?\d{2,5}$/u;

/** Tells whether a value is a password where one of a few fields is, among names, versions and titles. */
export function isPositional(value: string): boolean {
  if (isUnmistakable(value) || isWordPair(value)) return true;
  return (
    isStrongPassword(value) &&
    !isTechnical(value) &&
    (!NAMING.test(value) || LEET.test(value)) &&
    !/^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[0-9]{1,5}$/u.test(value)
  );
}

/** As `isInPair`, where it may be one that a program made: 32 hex digits. */
export function isOfUser(value: string): boolean {
  return isInPair(value) || /^[0-9a-f]{32}$/u.test(value);
}

/** Tells whether a value is the password behind the name of a user. */
export function isInPair(value: string): boolean {
  if (/^[A-Z]{2,10}-?\d{1,9}$/u.test(value)) return false; // `ACME-4711`: a ticket.
  return (
    isPositional(value) ||
    isDottedPhrase(value) ||
    isJoined(value) ||
    (isAnnouncedPassword(value) && isWordsAndDigits(value) && !NAMING.test(value))
  );
}

/** Tells whether a value is nothing but a digest, an address or the bytes of one. */
export function isHash(value: string): boolean {
  return /^[0-9a-f:.\]-]{7,200}$|@[0-9a-f]{40}$/iu.test(value);
}

/** Names as in code, with numbers after them: `OAuth2Client`, `fix-login-12`, `Node-20.1`. */
const NAMED = /^[@#$&*]?[A-Za-z][\w.:+~-]*(?:\(\))?$/u;
/** Names of techniques in one word, versions, files: `PBKDF2WithHmacSHA256`, `KeePassXC-2.7.5`, `docs/Guide2.md#Step-3`. */
const TECHNIQUE = /sha-?\d|pbkdf|hmac|md5|aes-?\d|oauth|utf-?8|base64/iu;
const TECHNICAL = new RegExp(`${TECHNIQUE.source}|\\d\\dH[12]$|\\d(?:\\.\\d{1,6}){1,4}$|\\.[a-z]{1,4}(?:#|$)`, 'iu');
/** Ids that say what they are: `usr_8sK2...`, `req-...`. */
export const PREFIXED = /^[a-z]{2,8}_(?!live|test)/u;

/** Names joined by dots, slashes or colons. */
const DOTTED = /^[A-Za-z][\w-]*(?:[./:][A-Za-z][\w-]*)+$/u;
const mixesAll = (part: string) => /[a-z]/u.test(part) && /[A-Z]/u.test(part) && /[0-9]/u.test(part);

/** A value that is a password in any position: four classes of characters, or three that spell nothing. */
export function isUnmistakable(value: string): boolean {
  // `root@web2`: a user at a host.
  if (
    value.length > 100 ||
    value.startsWith('0x') ||
    /^[a-z_][a-z0-9_-]*@[a-z][a-z-]*\d{0,3}:?$/u.test(value) ||
    !isStrongPassword(value) ||
    isTechnical(value)
  )
    return false;
  if (isComposed(value)) return true;
  if (TECHNICAL.test(value)) return false;
  if (
    !/[a-z]/u.test(value) ||
    !/[0-9]/u.test(value) ||
    /^[-^/\\$]|^\d{1,3}\.\d{1,3}[.-]|:\/\/|[\\()|[\]{}<>,;]|\$$|^\W*[A-Za-z_]+\d?[=:]|%(?:[0289A-F][0-9A-F]|3[A-F]|40|[57][B-F]|60)/u.test(
      value,
    )
  )
    return false;
  if (PREFIXED.test(value)) return false;
  if (looksRandom(value))
    return /[A-Z]|[^\w.:/-]/u.test(value) && (!DOTTED.test(value) || value.split(/\W/u).every(mixesAll));
  return /[^\w.:/-]/u.test(value)
    ? /[\p{L}][^\w\s]|[0-9][^\w\s]/u.test(value)
    : !NAMED.test(value) || /[0-9]{6}/u.test(value);
}
