import { isChained, isGiven, isSpoken } from './given-values.ts';
import { isAnnouncedPassword, isHyphenated, isWord } from './password-values.ts';
import type { Place } from './places.ts';
import { isPlace, looksRandom } from './secret-values.ts';
import { anyOf, BE, CHANGED, hintsOf, KEY_STEMS, NOW, PASSWORD_STEMS, SECRET_STEMS } from './secret-words.ts';

// Latin, Greek and Cyrillic letters may be part of a value, and an apostrophe between two. It ends before a sentence's
// punctuation; letters of scripts that need no space, and quotes, end it too.
export const VALUE =
  '([!-~\\u00c0-\\u04ff\\u1e00-\\u1eff]{6,200}?)(?=[,.;:)\\]]{0,2}(?:[\\s"`<]|\'(?![A-Za-z\\u00c0-\\u04ff])|[^\\x00-\\x7f\\u00c0-\\u04ff\\u1e00-\\u1eff]|$))';
export const QUOTE = '["\'`「『“”„«»‘’‚‹›]?';

const PASSWORD = anyOf(PASSWORD_STEMS);
const PASSWORD_HINTS = hintsOf(PASSWORD_STEMS);
const SECRET = anyOf(SECRET_STEMS);
const KEY = anyOf(KEY_STEMS);

/** From the word to the value: "от базы:", "lautet", "do banco é", `是`. */
const LEADS = `\\p{L}{0,6}[^\\n:：=]{0,60}?(?:["'\`」』”»]?[ ]{0,4}[:：=՝>]|[ ](?:(?:(?:${BE})(?:[ ](?:${NOW}))?(?:[ ](?:${CHANGED}))?|${CHANGED})|[-–—])(?=[ ])|是|は|为|為|는|은|成了?)`;

// The value may be on the next line, unless that is an assignment of its own.
const GAP = '[ \\t]{0,4}(?:\\r?\\n[ \\t]{0,4}(?![^\\s=:]{1,60}[ \\t]{0,4}[=:]))?';

/** What a rule about passwords counts. */
const COUNTED = /최소|최대|至少|最少|最多|最低|最大|最短|以上|以下|以内|文字|长度|長度|桁|أقل|أكثر|לפחות|עד/u;

/** Secrets that people announce in a sentence or label, in languages other than English. */
export const ANNOUNCEMENTS: readonly Place[] = [
  {
    kind: 'password',
    source: 'messages and notes in other languages',
    example: '数据库的密码：{password}',
    hints: PASSWORD_HINTS,
    pattern: new RegExp(`(?:${PASSWORD})${LEADS}${GAP}${QUOTE}${VALUE}`, 'giu'),
    // A word with a capital letter behind a verb: no language but German writes things so.
    accepts: (value, match) =>
      (isAnnouncedPassword(value) && !isHyphenated(value)) ||
      isSpoken(value) ||
      isChained(value) ||
      (/^\p{Lu}\p{Ll}{7,19}$/u.test(value) && isGiven(value) && /[ ](?!ist |la )\p{L}+[ ]\S+$/u.test(match)),
  },
  {
    kind: 'password',
    source: 'words of scripts that write no Latin letters, and a number',
    example: 'كلمة سر الواي فاي: {native}',
    hints: PASSWORD_HINTS,
    pattern: new RegExp(
      `(?:${PASSWORD})[^\\n:：]{0,40}?(?:[:：]|[是为為は은는係]|가|이)[ ]{0,3}["'“„「『«]?([\\p{Lo}\\p{M}]{2,14}\\d{2,6})(?=["'”」』»]|[,،，。．.、!！؛;]|\\s|$)`,
      'giu',
    ),
    accepts: (value) => !COUNTED.test(value),
  },
  {
    kind: 'secret',
    source: 'messages and notes in other languages',
    example: '接口密钥：{token}',
    hints: hintsOf([...SECRET_STEMS, ...KEY_STEMS]),
    pattern: new RegExp(
      `(?:${SECRET}|\\bapi[ -]{0,3}(?:${KEY})|(?:${KEY})\\p{L}{0,3}[ ](?:\\p{L}{1,3}[ '’]){0,2}api\\b)${LEADS}${GAP}${QUOTE}${VALUE}`,
      'giu',
    ),
    accepts: (value) => looksRandom(value) && !isPlace(value) && !isWord(value),
  },
];
