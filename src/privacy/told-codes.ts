import { type Hit, hitsIn, hitsOf, isForeignWord, type Role, wordsIn } from './code-hits.ts';
import { BOARD, COUNTED, INDIAN_POST_CODE, PAID, POSTAL, WITH, WITH_BEHIND } from './code-words.ts';
import { type Finding, matchesOf } from './findings.ts';
import { isAbroad, isEnglish } from './languages.ts';
import { withLatinDigits } from './latin-digits.ts';

/** Without one of these, the others say nothing. */
const MAIN = new Set<Role>(['pin', 'code', 'lock']);
const REST = new Set<Role>(['check', 'type', 'other']);
/** Lines of people: a longer one is a program's. */
const LONGEST_LINE = 2000;
/** How far before and behind digits the word for them may be, in UTF-16 units. */
const BEFORE = 64;
const BEHIND = 36;

/** Digits of a code: four to eight, pairs, groups of three, with the marks of a keypad, and with an ending or a prefix. */
const DIGITS =
  /(?=\d)(?:(?<=(?<!\p{L})\d{1,4}[КкKk])\d{4}(?!\p{N})|(?<![\p{N}.,:/#+_$]|\p{N}-|[A-Za-z][-–]?(?<!(?<![\p{L}\p{N}-])(?:\p{Ll}{1,4}-|[bcg]a?)))(?:\d{4,8}|\d{3}[ -]\d{3}|\d{2}(?:[ -]\d{2}){2,3}|\d(?:[ -]\d){3,5})(?![\p{N}A-Z_/%]|(?![dt][iıuü]r?(?!\p{L}))[a-z]|[.:-]\d|,\d{3}(?!\d)|-[A-Z]|[ ]\d{3,4}[ ]\d))/gu;
const DATES =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{1,2}[:h]\d\d(?!\d)|\+\d[\d ()-]{6,16}\d/g;
/** The ends of sentences, at which the words of one are no longer those of the next. */
const ENDS = /[.!।።။](?=\s+[^\s\p{Ll}])|[。！;；]/gu;
/** PINs by the abbreviations that most languages have for them, with an ending. */
const ABBREVIATED =
  /(?<![\p{L}\p{N}_.$/])(?:\p{L}{1,3}[-'’])?(?:PIN|PUK|NIP|TAN|OTP|TAC)(?:\p{Ll}{1,5}|[-'’]\p{Ll}{1,6})?\d?(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_.$/-])(?:pin|nip|otp|puk)(?:[-'’]?(?:e|i|a|u|om|ul|en|et|kodi))?(?![\p{L}\p{N}_=-])/gu;
/** Between the two codes of a pair: "to", "or", "and not" and an arrow; another one, of which a few words say the use. */
const PAIR =
  /^(?:\s?(?:→|->|から|或|还是|\/)\s?|,? (?:(?:and|or|not|to|und|oder|nicht|auf|et|ou|pas|non|à|a|y|o|no|ni|al|e|ed|em|não|para|en|of|niet|naar|och|eller|inte|ikke|og|til|till|и|или|не|а|на|і|й|або|чи|i|lub|czy|nie|nebo|ne|veya|değil|و|أو|لا|یا|או|ולא|ל|या|और|hoặc|atau|bukan|dan|eta|edo|agus)[ -]){1,3}(?:el |la |il |den |die |der )?|[;,] (?:the|a|la|die|el|il|o|de|den) (?:of|de|da|del|con|com|with|mit|voor|for) \p{L}{2,10},? )$/iu;
/** "With" before digits; "is", where it needs no space. */
const BY = new RegExp(`(?:(?<![\\p{L}\\p{M}])(?:${WITH})[ -]?|[是为為係に])$`, 'iu');
/** The wheels of a lock. */
const COMBINATION = /^\d{1,2}(?:-\d{1,2}){2,5}$/u;
/** A code word behind another in one word: `kapukód`, `Haustürcode`. */
const COMPOUND = /(?<=\p{L}{3})(?:codes?|kod[ei]?|kód|koodi?|koden|kodas|číslo)(?![\p{N}_])/giu;
const CODE_OF_PROGRAM = /[{}=]|\w\(|=>|::|^\s*(?:#|\/\/)/u;

/**
 * Finds codes of digits in sentences in other languages by the words around them, whatever their grammar: a word for a
 * PIN; a word for a code, and what it opens or confirms; a lock, and a word for typing.
 */
export function findToldCodes(original: string): Finding[] {
  const text = withLatinDigits(original);
  const found: Finding[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    if (end - at <= LONGEST_LINE && /\d{4}|\d[ -]\d/u.test(text.slice(at, end)))
      found.push(...inLine(text.slice(at, end)).map((one) => moved(one, at)));
    at = end + 1;
  }
  return found;
}

const moved = ({ start, end, kind }: Finding, by: number): Finding => ({ start: start + by, end: end + by, kind });

function inLine(whole: string): Finding[] {
  const line = whole.replace(DATES, (date) => '~'.repeat(date.length));
  const digits = matchesOf(line, DIGITS).filter(({ 0: code, index }) => isPlain(line, index, index + code.length));
  if (digits.length === 0 || CODE_OF_PROGRAM.test(line) || BOARD.test(line) || POSTAL.test(line)) return [];
  const isForeign = isAbroad(line);
  if (!isForeign && isEnglish(line)) return [];
  const words = wordsIn(line);
  const main = [...hitsOf(line, words, MAIN), ...hitsIn(line, ABBREVIATED, 'pin'), ...hitsIn(line, COMPOUND, 'code')];
  if (!isForeign && !main.some(({ start, end }) => isForeignWord(line.slice(start, end)))) return [];
  if (main.length === 0) return [];
  const hits = [...main, ...hitsOf(line, words, REST)];
  const found: Finding[] = [];
  for (const { 0: code, index: start } of digits) {
    const end = start + code.length;
    if (isTold(line, start, end, hits) || isPaired(line, start, found.at(-1))) found.push({ start, end, kind: 'pin' });
  }
  return found;
}

/** No price, no year, nothing that is counted. */
function isPlain(line: string, start: number, end: number): boolean {
  const code = line.slice(start, end);
  if (INDIAN_POST_CODE.test(line.slice(Math.max(0, start - 16), end))) return false;
  if (PAID.test(line.slice(Math.max(0, start - 6), start)) || COUNTED.test(line.slice(end, end + 16))) return false;
  return !/^(?:19[5-9]|20[0-4])\d$/u.test(code) || /[:：]\s?$/u.test(line.slice(0, start));
}

/** The second of two: `from 6038 to 7460`, `4967 and not 6599`. */
function isPaired(line: string, start: number, earlier: Finding | undefined): boolean {
  if (!earlier) return false;
  return PAIR.test(line.slice(earlier.end, start));
}

function isTold(line: string, start: number, end: number, hits: readonly Hit[]): boolean {
  const from = Math.max(start - 140, lastEnd(line, start));
  const to = Math.min(end + 100, nextEnd(line, end));
  const near = hits.filter((hit) => hit.start >= from && hit.end <= to);
  const others = near.filter(({ role }) => role === 'other');
  const isFree = (hit: Hit) =>
    // `Posta kodu`: another code; `kod błędu 4310`: one between the word and the digits.
    !others.some(
      (other) =>
        (other.start <= hit.start && other.end >= hit.start - 2) ||
        (hit.end <= start && other.start >= hit.start && other.end <= start) ||
        (other.end <= start && other.end > start - 4) ||
        (other.start >= end && other.start < end + 3),
    );
  const beside = (role: Role, before = BEFORE, behind = BEHIND) =>
    near.some(
      (hit) =>
        hit.role === role &&
        isFree(hit) &&
        (hit.end <= start
          ? start - hit.end <= before && isLink(line.slice(hit.end, start))
          : hit.start >= end && hit.start - end <= behind && isLink(line.slice(end, hit.start))),
    );
  const isAbout = (role: Role) => near.some((hit) => hit.role === role);
  if (beside('pin')) return true;
  // `kod błędu alarmu 4418`
  const clause = Math.max(
    from,
    start - 60,
    ...matchesOf(line.slice(from, start), /[,;|]/gu).map(({ index }) => from + index),
  );
  if (others.some((other) => other.start >= clause && other.end <= start)) return false;
  if (beside('code') && (isAbout('lock') || hits.some(({ role }) => role === 'check'))) return true;
  if (beside('lock', 24, 0) && COMBINATION.test(line.slice(start, end))) return true;
  const lead = line.slice(0, start);
  return (
    beside('lock') &&
    (beside('type', 30, 14) || BY.test(lead) || WITH_BEHIND.test(line.slice(end)) || /\d[КкKk]$/u.test(lead))
  );
}

/** Few words, and no other number. */
function isLink(link: string): boolean {
  return !/\p{N}{3}|[(|]/u.test(link) && (link.match(/,/gu)?.length ?? 0) < 3 && link.split(/\s+/u).length <= 10;
}

function lastEnd(line: string, at: number): number {
  return matchesOf(line.slice(0, at), ENDS).at(-1)?.index ?? 0;
}

function nextEnd(line: string, at: number): number {
  const next = matchesOf(line.slice(at), ENDS)[0];
  return next === undefined ? line.length : at + next.index;
}
