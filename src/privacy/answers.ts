import { type Finding, matchesOf } from './findings.ts';
import { isGivenLiteral } from './given-values.ts';
import { byLanguage, fitting, hintsIn } from './hints.ts';
import { isAnnouncedPassword } from './password-values.ts';
import { hintsOf, PASSWORD_STEMS } from './secret-words.ts';

/** The end of a line that waits for an answer, and what it has to ask for. */
const ASKS = /[?？:：]["'`»”)]{0,2}[ \t\r]*\n/gu;
const ASKED = byLanguage(
  (words) =>
    new RegExp(
      `(?<!\\b(?:forgot|forgotten|reset)[ ](?:your[ ])?)(?:\\bpass(?:w(?:or)?d|word|phrase|code)?|\\bpwd?|\\bwi-?fi|\\bwlan|\\bcreds|\\bsudo|${words})\\p{L}{0,8}(?![\\p{L}\\w./-])`,
      'iu',
    ),
);
/** How far back on its line a question names the password, in UTF-16 units. */
const REACH = 120;
const HINTS = ['pass', 'pwd', 'pw', 'wifi', 'wi-fi', 'wlan', 'creds', 'sudo', ...hintsOf(PASSWORD_STEMS)];
/** When and by whom a line of a chat was written, and its first word, with nothing or a comma behind it. */
const LINE =
  /^(?:[ \t]*[>|•*-])?[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?(?:[\p{L}\p{M}][\p{L}\p{M} .'’-]{0,40}:[ \t]+)?["'`«„“「]?([!-~]{6,100}?)["'`»“”」]?(?:[ \t.;!]*$|,[ \t])/u;
/** The lines of a chat between a question and its answer: who writes, and when. */
const MOST_LINES = 3;

/** What somebody writes below a password that was typed into the wrong window. */
const MISTAKEN = /\b(?:wrong|oops|whoops|sorry|ignore|ups|hoppla|falsches|verkeerd|mauvais|equivocad|sbagliat|errad)/iu;
const ALONE = /(?:^|\n)(?:[^\n]{0,40}[>:][ ])?([!-~]{8,40})\n(?=([^\n]{4,120}))/g;

/** Passwords alone in a line, and in the next one that they went to the wrong place: `oops, that was my password`. */
function findMistaken(text: string, asked: RegExp): Finding[] {
  return matchesOf(text, ALONE).flatMap(({ 0: match, 1: value = '', 2: below = '', index }) => {
    const start = index + match.lastIndexOf(value);
    return MISTAKEN.test(below) && asked.test(below) && isAnnouncedPassword(value)
      ? [{ start, end: start + value.length, kind: 'password' }]
      : [];
  });
}

/** Finds passwords that somebody gives in the next line of a conversation: `what is the password?`, and the password. */
export function findAnswers(text: string): Finding[] {
  if (!HINTS.some(hintsIn(text))) return [];
  const asked = fitting(ASKED, text);
  return [...findMistaken(text, asked), ...findAnswered(text, asked)];
}

function findAnswered(text: string, asked: RegExp): Finding[] {
  return matchesOf(text, ASKS).flatMap((match) => {
    const question = text.slice(Math.max(0, match.index - REACH), match.index);
    if (!asked.test(question.slice(question.lastIndexOf('\n') + 1))) return [];
    let at = match.index + match[0].length;
    for (let line = 0; line < MOST_LINES && at < text.length; line++) {
      const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
      const answer = LINE.exec(text.slice(at, Math.min(end, at + 240)).trimEnd());
      const value = answer?.[1];
      const isAlone = line === 0 && answer?.[0].endsWith(value ?? ' ');
      if (answer && value !== undefined && (isAnnouncedPassword(value) || (isAlone && isGivenLiteral(value)))) {
        const start = at + answer[0].lastIndexOf(value);
        return [{ start, end: start + value.length, kind: 'password' }];
      }
      at = end + 1;
    }
    return [];
  });
}
