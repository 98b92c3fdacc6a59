import { MONTHS, readDate } from './dates.ts';

/** A time that a question names: from one second to another, both included, as ISO 8601 in UTC. */
export interface Span {
  since: string;
  until: string;
}

interface Mention {
  start: number;
  end: number;
  span: Span;
}

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const UNIT = '(?:second|minute|hour|day|week|month|year)';

/** Dates as they appear in sentences, most specific first; each in the form that `readDate` understands. */
const FORMS: [form: RegExp, plain: (match: string[]) => string][] = [
  [/\b\d{4}-\d\d(?:-\d\d)?\b/g, ([whole = '']) => whole],
  [
    new RegExp(`\\b${DAY}(?: of)? ${MONTH}\\b\\.?(?:,? (\\d{4})\\b)?`, 'gi'),
    ([, day, month, year]) => dated(day, month, year),
  ],
  [
    new RegExp(`\\b${MONTH}\\b\\.? ${DAY}\\b(?:,? (\\d{4})\\b)?`, 'gi'),
    ([, month, day, year]) => dated(day, month, year),
  ],
  [new RegExp(`\\b${MONTH}\\b\\.?,? (\\d{4})\\b`, 'gi'), ([, month = '', year]) => `${month.slice(0, 3)} ${year}`],
  // Without one of these words before them, `may` and `march` are taken for verbs.
  [new RegExp(`\\b(?:in|during|since|last|this|of) ${MONTH}\\b`, 'gi'), ([, month = '']) => month.slice(0, 3)],
  [/\b(?:in|during|since) ((?:19|20)\d\d)\b/gi, ([, year = '']) => year],
  [
    new RegExp(
      `\\b(?:today|yesterday|(?:this|last) (?:week|month|year)|(?:on|last) ${WEEKDAY}|(?:\\d{1,5}|an?) ${UNIT}s? ago|(?:last|past) \\d{1,5} ${UNIT}s)\\b`,
      'gi',
    ),
    ([whole = '']) => whole,
  ],
];

/** The times that a text names, in any order; `now` is the reference for `yesterday` and a month without a year. */
export function datesIn(text: string, now: Date): Mention[] {
  const found: Mention[] = [];
  for (const [form, plain] of FORMS) {
    for (const match of text.matchAll(form)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((one) => start < one.end && one.start < end)) continue;
      const date = plain([...match]);
      const since = readDate(date, 'start', now);
      const until = readDate(date, 'end', now);
      if (since !== undefined && until !== undefined) found.push({ start, end, span: { since, until } });
    }
  }
  return found;
}

/** A day in the form that `readDate` understands; without a year in one that it does not. */
function dated(day = '', month = '', year = ''): string {
  const number = MONTHS.findIndex((name) => name.startsWith(month.slice(0, 3).toLowerCase())) + 1;
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
