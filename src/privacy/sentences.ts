import { type Finding, isMarkedKind, matchesOf } from './findings.ts';
import { hintsIn } from './hints.ts';
import { anyOf, BE, hintsOf, KEY_STEMS, PASSWORD_STEMS, SECRET_STEMS } from './secret-words.ts';
import { isStandIn } from './stand-ins.ts';
import { isHyphenated, isSecret } from './values.ts';

/** How far from its word a value is searched for, in UTF-16 units; the end of a sentence or line stops it earlier. */
const REACH = 80;
const LONGEST = 200;

/** Words, and what a value near them must show; `isTold`: it directly follows its word, a verb or an opening quote. */
interface Cue {
  kind: string;
  words: RegExp;
  /** Strings, one of which is in every match; missing if looking for the words costs no more. */
  hints?: readonly string[];
  accepts(value: string, isTold: boolean): boolean;
}

/** Stems as words of a sentence: not parts of names in code, unless they are written without spaces. */
function inSentence(words: readonly string[]): RegExp {
  return new RegExp(
    `(?:(?<![\\p{L}\\p{N}_.$/-])(?:${anyOf(words)})\\p{L}{0,8}(?![\\w.]?[\\w(/=]|-\\w)|(?:${anyOf(words.filter((word) => /\p{Lo}/u.test(word)))}))`,
    'giu',
  );
}

/** A machine-made value with three classes of characters. */
function isGenerated(value: string): boolean {
  return (
    value.length >= 20 &&
    /[a-z]/u.test(value) &&
    /[A-Z]/u.test(value) &&
    /[0-9]/u.test(value) &&
    // Code, a setting, an option, and ids that say what they are: `usr_8sK2...`.
    !/[\\()|[\]{}<>,;$]|:\/\/|^[^\w-]{0,3}[\w-]{1,60}[=:]|^[-@#]|^[a-z]{2,8}_(?!live|test)/u.test(value) &&
    isSecret(value, 'token')
  );
}

/** `falcon-03`, `db-prod-eu-03`. */
const HOST = /^[a-z]+(?:-[a-z]+){0,4}-\d{1,3}$/;
const isPasswordHere: Cue['accepts'] = (value, isTold) =>
  isSecret(value, 'sure') ||
  (isTold && !/^[\w.-]{1,40}=/u.test(value) && !HOST.test(value) && !isHyphenated(value) && isSecret(value, 'pair'));

const CUES: readonly Cue[] = [
  {
    kind: 'password',
    words:
      /(?<![\w.$/+-])(?:password(?:s|e|en|et|i)?|passwd|passphrase|passcode|pwd|pw|psk|pre-?shared[ -](?:key|secret))(?![\w.]?[\w(/=]|-\w|\+)/gi,
    accepts: isPasswordHere,
  },
  {
    kind: 'password',
    words: inSentence(PASSWORD_STEMS),
    hints: hintsOf(PASSWORD_STEMS),
    // A word and a number are more likely a product, a host or a page.
    accepts: (value, isTold) =>
      isPasswordHere(value, isTold) && (isTold || !/^\p{L}+(?:-\p{L}+)?[-_]?\d+$/u.test(value)),
  },
  {
    kind: 'password',
    words:
      /(?<![\w.$/-])(?:log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed|ing)?[ -]in|credentials?|creds)(?![\w.]?[\w(/=]|-\w)/gi,
    accepts: (value, isTold) => (isTold || /[!#$%^&*+?~@=]/u.test(value)) && isSecret(value, 'sure'),
  },
  {
    kind: 'token',
    words:
      /(?<![\w.$/-])(?:(?:api|access|secret|auth|bearer|deploy|session|private)[ -](?:keys?|tokens?)|tokens?|secrets?)(?![\w.]?[\w(/=]|-\w|[ ]id\b)/gi,
    accepts: isGenerated,
  },
  {
    kind: 'token',
    words: inSentence([...SECRET_STEMS, ...KEY_STEMS]),
    hints: hintsOf([...SECRET_STEMS, ...KEY_STEMS]),
    accepts: isGenerated,
  },
];

const VALUE = /(?<![!#-&(-_a-~\u00c0-\u04ff])[!#-&(-_a-~\u00c0-\u04ff]{6,200}/g;

/**
 * Finds values that can only be a secret in the same sentence as a word for one, or alone on the line below it:
 * `Type VALUE when it asks for the password`. The grammar between them, which differs in every language, is ignored; the
 * value itself must look like a secret.
 */
export function findInSentences(text: string): Finding[] {
  // Sealed secrets may be committed, and look like tokens.
  if (!/[0-9]|\p{Ll}{2}[!#$%*+~^&\-_.=]\p{L}{3}/u.test(text) || /encrypted_?data/iu.test(text)) return [];
  const holds = hintsIn(text);
  const cues = CUES.filter(({ hints }) => hints === undefined || hints.some(holds));
  return cues.flatMap((cue) => around(text, cue).map((range) => ({ ...range, kind: cue.kind })));
}

function around(text: string, { words, accepts }: Cue): { start: number; end: number }[] {
  return matchesOf(text, words).flatMap(({ index, 0: word }) => {
    const end = index + word.length;
    if (isMarkedKind(text, index, end)) return [];
    const found = [
      ...valuesIn(text, sentenceStart(text, index), index, accepts),
      ...valuesIn(text, end, sentenceEnd(text, end), accepts),
    ];
    return found.length > 0 ? found : inNextLine(text, end, accepts);
  });
}

/** A value alone on the line below. */
const ALONE = /^[^\n]{0,80}\n(?:[ \t]*\n)?[\s#*/>;•-]{0,12}(?=[!-~]{8,200}[\s*/]*(?:\n|$))(?![^\s=:]{1,60}[=:])/u;

function inNextLine(text: string, at: number, accepts: Cue['accepts']): { start: number; end: number }[] {
  const lead = ALONE.exec(text.slice(at, at + 2 * REACH + LONGEST))?.[0].length;
  return lead === undefined ? [] : valuesIn(text, at + lead, at + lead + 1, accepts);
}

/** What comes before a value in a sentence that says it. */
const TELLS = new RegExp(
  `(?:^|\\s)(?:${BE}|now|jetzt|it[’']s|so|with|mit|avec|con|com|med|met|using|use|type|enter|try)\\W{1,3}$|(?:^|\\s)["'\`«„“「『]$`,
  'iu',
);
/** What comes before the name of a user or a place. */
const FOR = /(?:\b(?:user|account|login|name|for|by|of|from|in|on|at|für|von|de|di|dla|för)|для|от)\W{1,3}$/iu;
/** What pages and headers show publicly. */
const PUBLIC_FIELD =
  /(?:(?<=[a-z])Id|(?<![A-Za-z])(?:site_?key|id|class|href|src|kid|hash|integrity|nonce|digest|iv))["']?\s{0,2}[:=]\s{0,2}["']$/u;
/** Lines of public keys, users at hosts, ids, tickets, digests and addresses. */
const OTHER: readonly RegExp[] = [
  /^(?=.*[A-Z])[\w+/=]{60,}$/u,
  /^(?:[\w.-]+\/)?(?:[A-Za-z_][a-z0-9_.-]*@\d{1,3}(?:\.\d{1,3}){3}|[a-z_][a-z0-9_.-]*@[a-z][a-z0-9-]*)(?::\d{0,5})?$/u,
  /^(?:\w{1,20}-)?id=|.-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u,
  /^\W{0,3}(?:\w{2,20}=["']?)?(?:sha\d{1,3}[-:]|[a-z]{2,8}:\/\/)/iu,
  /^(?:[A-Z]{2,5}-?\d{3,10}|(?:ticket|case|issue|task|req|inc|bug)\p{L}{0,4}#\d+)$/iu,
];

/** The values that begin within the range; of a user and a password, the password. */
function valuesIn(text: string, from: number, to: number, accepts: Cue['accepts']): { start: number; end: number }[] {
  const floor = Math.max(0, from - 1);
  return matchesOf(text.slice(floor, to + LONGEST), VALUE).flatMap((match) => {
    const start = floor + match.index;
    if (start < from || start >= to) return [];
    // Markup after a value is not part of it, and stars on both sides are Markdown's.
    const whole = match[0]
      .replace(/(?:<\/|&lt;|&quot;|<br).*/u, '')
      .replace(/^[([{<]+|(?:[()\]}>,.;:?\\]|\\[rn]){1,4}$/gu, '')
      .replace(/^\*{1,2}(.*?)\*{1,2}$/u, '$1');
    if (isStandIn(whole) || OTHER.some((pattern) => pattern.test(whole))) return [];
    if (PUBLIC_FIELD.test(text.slice(Math.max(0, start - 24), start))) return [];
    const link = text.slice(Math.max(0, start - 12), start) + match[0].slice(0, match[0].indexOf(whole));
    const isTold = (/^[^\p{L}\p{N}]{0,6}$/u.test(text.slice(from, start)) || TELLS.test(link)) && !FOR.test(link);
    const second = /^(?:[a-z][\w.@+-]{1,40}[:/]|\w{1,40}=)(.{8,})/u.exec(whole)?.[1] ?? '';
    const value = [whole, second].find((one) => one !== '' && accepts(one, isTold));
    if (value === undefined) return [];
    const at = start + match[0].lastIndexOf(value);
    return [{ start: at, end: at + value.length }];
  });
}

function sentenceStart(text: string, at: number): number {
  const floor = Math.max(0, at - REACH);
  const before = text.slice(floor, at);
  return floor + Math.max(before.lastIndexOf('\n') + 1, before.lastIndexOf('. ') + 1, before.lastIndexOf('。') + 1);
}

function sentenceEnd(text: string, at: number): number {
  const length = text.slice(at, at + REACH).search(/\n|\. |。/u);
  return length < 0 ? Math.min(text.length, at + REACH) : at + length;
}
