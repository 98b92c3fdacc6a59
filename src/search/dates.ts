import { GitMemError } from '../errors.ts';

/** A period in UTC, like all times that git-mem prints; `end` is the first instant after it. */
interface Period {
  start: Date;
  end: Date;
}

type Reader = (match: string[], now: Date) => Period | undefined;

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** In lower case; the first three letters are enough. */
export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** The hint for a date that was not understood. */
export const DATE_HINT =
  'Write 2026, 2026-11, 2026-11-20, 2026-11-20T20:05:00Z, yesterday, monday, "last week" or "3 days ago".';

const UNITS = 'second|minute|hour|day|week|month|year';

/** Every way to name a time, most specific first. Texts arrive in lower case with single spaces. */
const FORMS: [form: RegExp, read: Reader][] = [
  [/^(\d{4})$/, ([, year]) => months(Number(year), 0, 12)],
  [/^(\d{4})-(0[1-9]|1[0-2])$/, ([, year, month]) => months(Number(year), Number(month) - 1, 1)],
  [/^(\d{4}-\d\d-\d\d)$/, ([, day]) => realDay(day ?? '')],
  [/^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(z|[+-]\d\d:?\d\d)?$/, readTime],
  [/^now$/, (_, now) => instant(now)],
  [/^today$/, (_, now) => days(now, 0)],
  [/^yesterday$/, (_, now) => days(now, -1)],
  [new RegExp(`^(\\d{1,5}|an?) (${UNITS})s? ago$`), ([, n, unit], now) => ago(amount(n), unit ?? '', now)],
  [
    /^(\d{1,5})([hdwy])$/,
    ([, n, letter], now) => ago(amount(n), { h: 'hour', d: 'day', w: 'week', y: 'year' }[letter ?? ''] ?? '', now),
  ],
  [
    new RegExp(`^(?:the )?(?:last|past) (\\d{1,5}) (${UNITS})s?$`),
    ([, n, unit], now) => ({ start: ago(amount(n), unit ?? '', now).start, end: instant(now).end }),
  ],
  [/^(this|last) (week|month|year)$/, ([, which, unit], now) => calendar(unit ?? '', which === 'last' ? -1 : 0, now)],
  [/^(?:(last|on) )?([a-z]{3,9})$/, ([, which, name], now) => weekday(name ?? '', which === 'last', now)],
  [/^(?:in )?([a-z]{3,9})(?: (\d{4}))?$/, ([, name, year], now) => month(name ?? '', year, now)],
];

/** A time that a person names: its first or last second, as ISO 8601 in UTC; undefined if the text names none. */
export function readDate(text: string, end: 'start' | 'end', now: Date): string | undefined {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ');
  for (const [form, read] of FORMS) {
    const match = form.exec(plain);
    const period = match ? read([...match], now) : undefined;
    if (period === undefined || Number.isNaN(period.start.getTime())) continue;
    const last = Math.max(period.start.getTime(), period.end.getTime() - 1000);
    // Not with the function that makes file names: this also runs in pages, which have no hashes.
    const iso = new Date(end === 'start' ? period.start : last).toISOString();
    return /^\d{4}-/.test(iso) ? `${iso.slice(0, 19)}Z` : '1970-01-01T00:00:00Z';
  }
  return undefined;
}

/** Like `readDate`; throws bad-input for text that names no time. */
export function dateOf(text: string, end: 'start' | 'end', now: Date): string {
  const found = readDate(text, end, now);
  if (found !== undefined) return found;
  throw new GitMemError('bad-input', `"${text.slice(0, 80)}" is not a date.`, { hint: DATE_HINT });
}

function readTime([, day = '', time = '', zone = 'z']: string[]): Period | undefined {
  if (realDay(day) === undefined) return undefined;
  const at = new Date(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(at.getTime()) ? undefined : instant(at);
}

/** 30 February and the like are not real days. */
function realDay(text: string): Period | undefined {
  const start = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== text) return undefined;
  return days(start, 0);
}

function amount(text = ''): number {
  return text.startsWith('a') ? 1 : Number(text);
}

/** Hours and less are counted to the second, days and more in whole days. */
function ago(n: number, unit: string, now: Date): Period {
  const ms = { second: 1000, minute: 60_000, hour: 3_600_000 }[unit];
  if (ms !== undefined) return instant(new Date(now.getTime() - n * ms));
  if (unit === 'day' || unit === 'week') return days(now, unit === 'day' ? -n : -7 * n);
  const monthsBack = unit === 'year' ? n * 12 : n;
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack, 1));
  // A month before 31 March is the last day of February.
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(now.getUTCDate(), length));
  return days(first, 0);
}

function calendar(unit: string, offset: number, now: Date): Period {
  const year = now.getUTCFullYear();
  if (unit === 'year') return months(year + offset, 0, 12);
  if (unit === 'month') return months(year, now.getUTCMonth() + offset, 1);
  // Weeks begin on Monday: https://www.iso.org/iso-8601-date-and-time-format.html
  const monday = days(now, -((now.getUTCDay() + 6) % 7) + 7 * offset).start;
  return { start: monday, end: days(monday, 7).start };
}

/** The latest such weekday: today counts unless `before` is set. */
function weekday(name: string, before: boolean, now: Date): Period | undefined {
  const wanted = DAYS.findIndex((day) => day === name || day.slice(0, 3) === name);
  if (wanted < 0) return undefined;
  const back = (now.getUTCDay() - wanted + 7) % 7;
  return days(now, -(back === 0 && before ? 7 : back));
}

/** The latest such month, or the month of a given year. */
function month(name: string, year: string | undefined, now: Date): Period | undefined {
  const wanted = MONTHS.findIndex((one) => one === name || one.slice(0, 3) === name);
  if (wanted < 0) return undefined;
  const current = now.getUTCFullYear();
  return months(year ? Number(year) : wanted > now.getUTCMonth() ? current - 1 : current, wanted, 1);
}

function months(year: number, first: number, count: number): Period {
  const start = new Date(Date.UTC(year, first, 1));
  return { start, end: new Date(Date.UTC(year, first + count, 1)) };
}

/** The whole day `offset` days after the day of `date`. */
function days(date: Date, offset: number): Period {
  const at = (day: number) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + day));
  return { start: at(offset), end: at(offset + 1) };
}

function instant(at: Date): Period {
  return { start: at, end: new Date(at.getTime() + 1000) };
}

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
const IN_SENTENCES: [form: RegExp, plain: (match: string[]) => string][] = [
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

/** A part of each of these forms: most questions name no time, and compiling the forms takes longer than this test. */
const ANY = /\d|day|week|month|year|ago|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;

/** The times that a text names, in any order; `now` is the reference for `yesterday` and a month without a year. */
export function datesIn(text: string, now: Date): Mention[] {
  const found: Mention[] = [];
  if (!ANY.test(text)) return found;
  for (const [form, plain] of IN_SENTENCES) {
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

/** A day in the form that `readDate` understands, unless the year is missing. */
function dated(day = '', month = '', year = ''): string {
  const number = MONTHS.findIndex((name) => name.startsWith(month.slice(0, 3).toLowerCase())) + 1;
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
