import { CHECK_STEMS, CODE_STEMS, LOCK_STEMS, OTHER_STEMS, PIN_STEMS, SENT_STEMS, TYPE_STEMS } from './code-words.ts';
import { matchesOf } from './findings.ts';
import { PASSWORD_STEMS } from './secret-words.ts';

/** What the words of a line are about. */
export type Role = 'pin' | 'code' | 'lock' | 'check' | 'type' | 'other';

const STEMS: Record<Role, readonly string[]> = {
  pin: PIN_STEMS,
  code: [...CODE_STEMS, ...PASSWORD_STEMS],
  lock: LOCK_STEMS,
  check: [...CHECK_STEMS, ...SENT_STEMS],
  type: TYPE_STEMS,
  other: OTHER_STEMS,
};

/** A word of a line, and what it is about. */
export interface Hit {
  role: Role;
  start: number;
  end: number;
}

/** A word to look for. */
export interface Word {
  role: Role;
  stem: string;
  /** What it begins with, up to a mark. */
  first: string;
  expression: RegExp | undefined;
}

const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Ethiopic}]/u;
const SEMITIC = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const INDIC_ENDING = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]$/u;

/** The words of all roles; each is compiled when a text first holds it, and then kept. */
const WORDS = Object.entries(STEMS).flatMap(([role, stems]) =>
  stems
    // Scripts of India write the last consonant of a word without a vowel otherwise where an ending follows.
    .map((stem) => stem.replace(INDIC_ENDING, ''))
    .map(
      (stem): Word => ({
        role: role as Role,
        stem,
        first: stem.replace('$', '').split('_')[0] ?? '',
        expression: undefined,
      }),
    ),
);

/** The words by their first two characters, so that the few in a line are found in one pass. */
const BY_START = new Map<string, Word[]>();
for (const word of WORDS) {
  const start = word.first.slice(0, 2);
  BY_START.set(start, [...(BY_START.get(start) ?? []), word]);
}

/** Where the line has words of these roles. */
export function hitsOf(line: string, words: readonly Word[], roles: ReadonlySet<Role>): Hit[] {
  return words.filter(({ role }) => roles.has(role)).flatMap((word) => hitsIn(line, expressionOf(word), word.role));
}

/** Where the line has what the expression matches. */
export function hitsIn(line: string, words: RegExp, role: Role): Hit[] {
  return matchesOf(line, words).map(({ 0: word, index }) => ({ role, start: index, end: index + word.length }));
}

/** Tells whether a clause in another language names a number of another kind: of an order, an error, a parcel. */
export function saysOtherNumber(words: string): boolean {
  const clause = words.slice(words.search(/[^,;|\p{N}]*$/u));
  return wordsIn(clause).some((word) => word.role === 'other' && matchesOf(clause, expressionOf(word)).length > 0);
}

/** English words among those, or such as begin like one. */
const ENGLISH =
  /^(?:codes?|doors?|gates?|entrance|lock|padlock|key|alarm|safe|garage|cupboard|shed|voicemail|car|tele|phone|smartphone|combo|combin|pass|portal|port|casier|cave|card|cart|clave|secur|segr|kind|local|intercom|mango|vers|final|laser|bill|porta|shim|barc|unicode|encod|decod|simu)/iu;

/** Tells whether a word shows that its line is in another language. */
export function isForeignWord(word: string): boolean {
  return word.length > 4 && !ENGLISH.test(word);
}

/** Those words that the line contains, or whose first part it does. */
export function wordsIn(line: string): Word[] {
  const lower = line.toLowerCase();
  const found = new Set<Word>();
  for (let at = 0; at < lower.length; at++)
    for (const start of [lower.charAt(at), lower.slice(at, at + 2)])
      for (const word of BY_START.get(start) ?? []) if (lower.startsWith(word.first, at)) found.add(word);
  return [...found];
}

/** A word with what may precede it: the article and small words of Arabic and Hebrew are written with it. */
function expressionOf(word: Word): RegExp {
  word.expression ??= compiled(word.stem);
  return word.expression;
}

function compiled(stem: string): RegExp {
  const letters = stem.replace('$', '').replaceAll('_', "[ _'’\u200c-]?");
  if (NO_SPACES.test(stem)) return new RegExp(letters, 'giu');
  if (SEMITIC.test(stem)) return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])[وبلفكعاهובהמש]{0,4}?${letters}`, 'giu');
  return new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}_])${letters}${stem.endsWith('$') ? '(?![\\p{L}\\p{M}])' : '[\\p{L}\\p{M}]{0,2}'}`,
    'giu',
  );
}
