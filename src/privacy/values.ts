import { looksChosen, looksRandom } from './randomness.ts';
import { isCode, isMeasure, isPlace, isStandIn, isTechnical } from './stand-ins.ts';

/**
 * The only judge of values. Each place says how much a value there must show by itself: where only a password can be, a
 * plain word is one; in the middle of a sentence, only what nobody would write for another reason.
 *
 * - `word`: `lindenbaum`, and whatever is not a placeholder, name in code, place or measure
 * - `words`: words joined by a mark: `erdbeer-joghurt`
 * - `mixed`: letters and digits
 * - `password`: words with digits as people choose them, or what looks generated
 * - `pair`: the same, unless it is the name of a thing with a number: `walnut7712`, not `build-7712`
 * - `sure`: three or four classes of characters that spell nothing, or are joined as names never are: `Harbor-Marble-76`
 * - `token`: looks generated
 */
export type Need = (typeof LEVELS)[number] | 'token';

const LEVELS = ['word', 'words', 'mixed', 'password', 'pair', 'sure'] as const;

/** Whether a value shows as much as `need` says. */
export function isSecret(value: string, need: Need): boolean {
  if (need === 'token') return looksRandom(value) && !isStandIn(value) && !isPlace(value) && !isCode(value);
  return strengthOf(value) > LEVELS.indexOf(need);
}

/** Whether a value looks like a password that people choose, or one that machines make. */
export function isCredential(value: string): boolean {
  return isSecret(value, 'password') || isSecret(value, 'token');
}

/** Several rules ask about the same value in turn. */
const known = new Map<string, number>();
const MOST_KNOWN = 500;
const LONGEST_KNOWN = 100;

/** How many of the levels a value reaches. */
function strengthOf(value: string): number {
  const earlier = known.get(value);
  if (earlier !== undefined) return earlier;
  const strength = measured(value);
  if (known.size >= MOST_KNOWN) known.clear();
  if (value.length <= LONGEST_KNOWN) known.set(value, strength);
  return strength;
}

function measured(value: string): number {
  if (!isPossible(value)) return 0;
  const isNamed = NAMING.test(value);
  if (isComposed(value) || (!isNamed && PAIRED.test(value)) || isUnmistakable(value)) return 6;
  const isTicket = /^[A-Z]{2,10}-?\d{1,9}$/u.test(value);
  if (!isTicket && !isNamed && isPhrase(value)) return 5;
  // `vault-1.16.2`, and a digest.
  if (/[-@_v]\d{1,4}(?:\.\d{1,6}){1,4}$/u.test(value) || isHash(value)) return isGiven(value) ? 1 : 0;
  if (!isCode(value) && !isPlace(value)) {
    const isStrong = !isWord(value) && (looksRandom(value) || looksChosen(value));
    const isNumbered = /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[0-9]{1,5}$/u.test(value);
    if ((isStrong && !isNumbered) || isWordsAndDigits(value)) return isTicket || isNamed ? 4 : 5;
    if (isStrong || WORDY.some((pattern) => pattern.test(value))) return 4;
    if (/\p{L}/u.test(value) && /[0-9]/u.test(value)) return 3;
  }
  if (!isGiven(value)) return 0;
  return value.length >= 8 && MARKED.test(value) && !COMMON.test(value) && !NAMED.test(value) ? 2 : 1;
}

/** Whether a value could be a secret: not a placeholder, number, measure, name of a technique or markup. */
function isPossible(value: string): boolean {
  return (
    !isStandIn(value) &&
    // Keys to press, and names of people.
    !/^(?:Ctrl|Shift|Alt|Cmd|Meta)[+-]|^@(?!\w{0,30}\d{3})[\w-]+$/u.test(value) &&
    !/^(?:\d{1,5}|pass(?:word)?|pw|secret|changeme|user)$/iu.test(value) &&
    !/^\d+(?:\/|$)|^\d{1,2}[:.]\d\d(?!\d)\D{0,4}$|^\d\dZ?,|%0[AD]|<\/|<br|\/>|&(?:lt|gt|quot|apos);/u.test(value) &&
    !isMeasure(value) &&
    !isTechnical(value)
  );
}

/** Ways in which people join words, digits and marks for a password, but never for a name. */
const COMPOSED: readonly RegExp[] = [
  // Digits in place of letters, before the first vowel: otherwise only names of techniques begin like this.
  /^(?!(?:[bdklvwx][345]|[df]3[-_.]|k[38]s|l1\d|s3[-_.]?(?:api|bucket|client|cmd|fs|key|object|path|proxy|store|sync|up|url)|(?:bs|gpg|gtk|mpe?g?|px|py|qt|rx|sd|[smh]d|ssh|tls|p)[345](?![0a])))[bcdfghjklmnpqrstvwxz]{1,3}[0134][a-z]{1,12}(?:[0134][a-z]{0,12}){0,3}(?:[-_.!#@]?[a-z0-9]{2,12}){0,2}(?<=[a-z]{4}.{0,20})$/iu,
  // `otter_Marble7!`, `Harbor-2026xy`, `Harbor2026!`.
  /^\p{Ll}{3,16}[-_.+*@#]\p{Lu}\p{Ll}{2,15}[0-9]{1,6}[^\w\s]{0,2}$/u,
  /^\p{Lu}\p{Ll}{2,15}[-_.+*@#!][0-9]{4,6}(?:__|[^\w\s])?[a-z]{2,4}$/u,
  /^\p{Lu}\p{Ll}{2,15}[0-9]{2,6}(?:_{1,2}|[!#$%*+=?&@]{1,2})(?:[a-z]{2,4})?$/u,
  /^(?=[^A-Z]{0,20}[A-Z])(?=.{0,20}[A-Za-z][01345]{1,2}[a-z])[A-Za-z0-9]{8,24}[0-9]{2}[^\w\s]{0,2}$/u,
  /^\p{Ll}{3,15}\d{1,4}\p{Lu}\p{Ll}{2,15}[!?#$%*+&]$/u,
  // As Apple's keychain makes them.
  /^(?=[^A-Z]{0,19}[A-Z][^A-Z]{0,19}$)(?=\D{0,19}\d\D{0,19}$)[A-Za-z0-9]{6}(?:-[A-Za-z0-9]{6}){2}$/u,
  /^[a-z]{3,12}(?=[0-9]{0,2}[A-Z])[A-Z0-9]{2,4}[-_.+*@#][a-z0-9]{3,8}[0-9]$/u,
];

function isComposed(value: string): boolean {
  return value.length >= 8 && COMPOSED.some((pattern) => pattern.test(value));
}

/** Two words and digits: `Willow.Anchor72`, which may also be a name: `LoginPage12`. */
const PAIRED =
  /^(?:\p{Lu}\p{Ll}{2,15}[-_.!@#+*$%&~=^]?(?:\p{Lu}\p{Ll}{2,15}[-_.!@#+*$%&~=^]?){1,3}[0-9]{1,5}|\p{Lu}\p{Ll}{2,15}[0-9]{2,5}[-_.!@#+*$%&][A-Za-z]\p{Ll}{2,15}|\p{Ll}{3,15}[-_.!@#+*$%&~]?\p{Lu}\p{Ll}{2,15}[-_.]?[0-9]{2,5}|[A-Z][a-z0-9]{0,3}[a-z][0134][a-z][a-z0-9]{0,12}[-_.][0-9]{2,4}|\p{L}\p{Ll}{3,15}[0-9]{1,3}\p{Ll}{2,10}[-_.!]\p{Ll}{3,12})[^\w\s]{0,2}$/u;
/** Parts of names of programs, people and things, which passwords seldom have. */
export const NAMING =
  /user|account|login|auth|page|form|view|dialog|field|column|schema|table|data|hash|salt|crypt|code[rc]|http|socket|serv|client|host|node|agent|proxy|module|class|object|type|config|setting|option|param|factory|manager|handler|control|provider|adapter|filter|request|response|error|exception|event|policy|rule|scanner|parser|hmac|sha\d|aes\d|input|mask|box|button|label|text|string|list|build|number|order|invoice|report|status|version|release|branch|issue|ticket|step|phase|stage|section|chapter|guide|setup|sprint|team|room|ubuntu|debian|fedora|windows|macos|linux|server|android|python|java|angular|react|swift|visual|studio|office|oracle|chrome|firefox|safari|galaxy|iphone|model|series|figure|test|plan|path|vault|portal|profile|prod|wiki/iu;

/** Capitalised words joined by a mark, and capitals around digits: `Tarn-Larkspur`, `TARN7LARK`. */
const JOINED =
  /^\p{Lu}\p{Ll}{3,15}([-_.!@#+*$%&~=^/])\p{Lu}\p{Ll}{2,15}(?:\1\p{Lu}\p{Ll}{2,15}){0,3}$|^\p{Ll}{4,15}[!#$%&*+~^]\p{Ll}{2,15}$|^\p{Lu}\p{Ll}{2,15}(?:\/\p{Lu}\p{Ll}{2,15}){1,3}\/?[0-9]{1,4}$|^[A-Z]{3,12}[0-9]{1,4}[A-Z]{2,12}[0-9]{0,4}$/u;
/** `otter.marble.dune7`: words and a number joined by dots, none of which occurs in names in code. */
const DOTTED_PHRASE = /^[a-z]{3,10}(?:\.[a-z]{3,10}){1,5}\.?[0-9]{1,4}$/u;
const IN_CODE =
  /(?:^|\.)(?:pass\w{0,6}|pwd|pw|secret|token|key|cred\w{0,8}|env|self|this|conf|data|app|props|state|params?|args?|opts|process|req|res|ctx|values?|body|vars|local|module|util|core|main|index|string|www|com|org|net|example|internal|[jt]sx?)s?(?=[.\d])/u;

function isPhrase(value: string): boolean {
  return (
    (value.length >= 8 && JOINED.test(value) && !TECHNIQUE.test(value)) ||
    (DOTTED_PHRASE.test(value) && !IN_CODE.test(value))
  );
}

/** Words joined by a hyphen, a dot or a slash: `Case-Sensitive` in a sentence is not a password. */
export function isHyphenated(value: string): boolean {
  return /^\p{L}+(?:[-./]\p{L}+)+$/u.test(value);
}

/** One word of any language, whose letters may look random if English is expected. */
function isWord(value: string): boolean {
  return /^\p{L}\p{Ll}*[^\p{L}\p{N}]*$/u.test(value);
}

/** What is counted, and letters of a size or a format. */
const COUNTS = /min|max|least|char|digit|day|hour|week|month|year|step|bit|byte|zeichen|encoded|bom|px|level|part/iu;

/** Words and at least two digits, as in `lamp77` and `harbor7712lamp`; not `min-12-chars`. */
function isWordsAndDigits(value: string): boolean {
  return (
    value.length >= 6 &&
    (/^\p{L}{3}\P{N}*[0-9]\P{N}*[0-9]+$/u.test(value) ||
      /^\p{L}{3,20}[0-9]{2,6}\p{L}{1,20}$/u.test(value) ||
      (/^\p{L}{3,12}[-_.][0-9]{1,4}\p{Ll}?[-_.]\p{L}{2,12}$/u.test(value) && !COUNTS.test(value)))
  );
}

/** `pickle2156_k`, `rugbrod4smor`, `zkjor24dof64`, and four groups of four letters as Apple hands them out. */
const WORDY: readonly RegExp[] = [
  /^\p{L}\p{Ll}{3,15}\d{3,6}[-_.][\p{L}\d]{1,2}[!?]?$/u,
  /^\p{L}\p{Ll}{3,11}\d{1,3}\p{Ll}{3,12}[!?.]?$/u,
  /^(?=[a-z0-9]{0,30}[a-z]\d{1,3}[a-z])(?=\D{0,30}\d{1,30}\D{1,30}\d)[a-z0-9]{10,32}$/u,
  /^(?:[a-z]{4}-){3}[a-z]{4}$/u,
];

/** Whether a value is nothing but a digest, an address or the bytes of one. */
export function isHash(value: string): boolean {
  return /^[0-9a-f:.\]-]{7,200}$|@[0-9a-f]{40}$/iu.test(value);
}

/** Names as in code, with numbers after them: `OAuth2Client`, `fix-login-12`, `Node-20.1`. */
const NUMBERED = /^[@#$&*]?[A-Za-z][\w.:+~-]*(?:\(\))?$/u;
/** Names of techniques in one word, versions, files: `PBKDF2WithHmacSHA256`, `KeePassXC-2.7.5`, `docs/Guide2.md#Step-3`. */
const TECHNIQUE = /sha-?\d|pbkdf|hmac|md5|aes-?\d|oauth|utf-?8|base64/iu;
const TECHNICAL = new RegExp(`${TECHNIQUE.source}|\\d\\dH[12]$|\\d(?:\\.\\d{1,6}){1,4}$|\\.[a-z]{1,4}(?:#|$)`, 'iu');
/** Names joined by dots, slashes or colons. */
const DOTTED = /^[A-Za-z][\w-]*(?:[./:][A-Za-z][\w-]*)+$/u;
const mixesAll = (part: string) => /[a-z]/u.test(part) && /[A-Z]/u.test(part) && /[0-9]/u.test(part);

/** Four classes of characters, or three that spell nothing. */
function isUnmistakable(value: string): boolean {
  if (
    value.length > 100 ||
    !/[a-z]/u.test(value) ||
    !/[0-9]/u.test(value) ||
    // A user at a host, an id that says what it is (`usr_8sK2...`), brackets of code, settings, percent escapes.
    /^0x|^[a-z_][a-z0-9_-]*@[a-z][a-z-]*\d{0,3}:?$|^[a-z]{2,8}_(?!live|test)/u.test(value) ||
    /^[-^/\\$]|^\d{1,3}\.\d{1,3}[.-]|:\/\/|[\\()|[\]{}<>,;]|\$$|^\W*[A-Za-z_]+\d?[=:]|%(?:[0289A-F][0-9A-F]|3[A-F]|40|[57][B-F]|60)/u.test(
      value,
    ) ||
    TECHNICAL.test(value) ||
    isWord(value) ||
    isHash(value) ||
    isCode(value) ||
    isPlace(value)
  )
    return false;
  if (looksRandom(value))
    return /[A-Z]|[^\w.:/-]/u.test(value) && (!DOTTED.test(value) || value.split(/\W/u).every(mixesAll));
  if (!looksChosen(value)) return false;
  return /[^\w.:/-]/u.test(value)
    ? /[\p{L}][^\w\s]|[0-9][^\w\s]/u.test(value)
    : !NUMBERED.test(value) || /[0-9]{6}/u.test(value);
}

/** Names of what holds a password: `db_pass`, `env.ROOT_PW`. */
const HOLDER =
  /pass|pwd|secret|token|credential|geheim|_pw\b|\bpw_|env\b|wort|contrase|senha|(?<!\p{L})(?:authentic|authori)|(?<!\p{L})(?:key|conf|config|settings?|var|args?|params?|opts?|options|self|this|process|inputs?|prompt|stdin|files?|path|field|hash(?:ed)?|values?|name|users?|login|your|dein|ihr|votre|string|here)(?!\p{L})/iu;
/** Words about a password, its type, and what a form or a log has in its place. */
const SAID =
  /^(?:required|on_create|optional|strings?|unicode|varchar|boolean|integer|number|object|bytes|buffer|binary|undefined|option|nullable|plain(?:-?text)?|clear-?text|wrong|correct|incorrect|invalid|missing|empty|hidden|default|unknown|unset|disabled?|enabled?|(?:case-)?sensitive|write-?only|read-?only|sha\d+|bcrypt|random|please|forgot|forgotten|manual|always|never|prompt|verify|confirm|submit|reset|change|update|delete|create|cancel|public|private|local|remote|static|system|server|client|database|production|staging|example|falsch|richtig|nicht|oblig\p{L}+|encrypt|cleartext|external|internal|manager|lockout|mismatch|caching|hints?|expiration|blank|strength|policy|history|expiry|recovery|\p{Ll}{3,}(?:ed|able|ible|tion|ing|ly|ment|ful|less))$/iu;

/** Whether a value is a password where only one can be, as after an option for passwords. */
function isGiven(value: string): boolean {
  return (
    value.length >= 6 &&
    value.length <= 100 &&
    /^[^-$%@<([{\s][^\s()[\]{}<>`"'\\|]+$/u.test(value) &&
    !/\.{2}|:\/\/|^[A-Z]{1,40}(?:_[A-Z]{1,40}){1,8}$|^\/|^[\p{P}\p{S}]+$/u.test(value) &&
    !isPlace(value) &&
    !SAID.test(value) &&
    !HOLDER.test(value)
  );
}

/** Words joined by marks: `erdbeer-joghurt`, `Gans.Ei.Salat`. */
const MARKED = /^(?=.*\p{L}{3})[\p{L}\p{N}]+(?:[-_.:!+&~#*=][\p{L}\p{N}]+){1,5}[!?.]?$/u;
/** Two words of a sentence joined by a hyphen, names of hosts and files, and names as in code. */
const COMMON =
  /^\p{Ll}{2,8}-(?:\p{Ll}{2,}(?:ed|ly|al|ive|able|ible|ing|en)|only|free|side|text|time|based|wide|safe|case|letters?|in|out|up|off|on)$|[Bb]itte|[Pp]lease|eingeben|\.(?:[a-z]{2,4}|local|internal|example)$|^[a-z\d]+(?:\.[a-z]+[A-Z]\w*)+$|^[Ee]-?[Mm]ail|form-|input|btn|icon|col-/u;
/** Names of things as whole words, with at most a short prefix or ending: compounds of other languages hold some by chance. */
const NAMED = new RegExp(`(?<!\\p{L})\\p{Ll}{0,3}(?:${NAMING.source})\\p{Ll}{0,3}(?!\\p{Ll})`, 'iu');

/** Four words or more, or the four groups of four letters that mail providers hand out. */
export function isPassphrase(value: string): boolean {
  if (/^(?:[a-z]{4} ){3}[a-z]{4}$/u.test(value)) return true;
  const words = value.split(/\s/u.test(value) ? /\s+/u : /[_.+-]+/u).filter(Boolean);
  return (
    words.length >= 4 &&
    words.length <= 24 &&
    !/[.!?:]$/u.test(value) &&
    words.every((word) => /^[\p{L}\p{N}]{1,16}$/u.test(word) && !PROSE.test(word))
  );
}

/** Words that sentences and labels need. */
const PROSE =
  /^(?:the|is|are|must|be|at|of|or|a|an|in|to|your|you|for|and|not|with|ist|zu|das|der|die|nicht|muss|please|enter|from|only|has|was|this|that|new|old|password|passphrase|required|again|empty|file|never|always|still|will|can|should|have|set|reset|changed|used|needed|wrong|too|than|then|when|where|which|other|any|but|its|per|via|out|into|here|before|after|test)$/iu;
