/** Dates and numbers in the format of the reader's browser language. */

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const numbers = new Intl.NumberFormat();
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** 21 Nov 2026, 14:03 */
export const wholeDate = (iso: string): string => whole.format(new Date(iso));

/** 21 Nov 2026, 14:03 – 15:20; shared parts appear once. */
export const rangeOf = (from: string, to: string): string => whole.formatRange(new Date(from), new Date(to));

/** 21 Nov, 14:03; in another year only the day: 21 Nov 2025 */
export function dateOf(iso: string): string {
  const date = new Date(iso);
  return (date.getFullYear() === new Date().getFullYear() ? short : day).format(date);
}

/** 12,840 */
export const numberOf = (value: number): string => numbers.format(value);

/** A number with its noun: `1 file`, `1,200 files`. */
export function countOf(n: number, noun: string): string {
  return `${numberOf(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** yesterday, 3 hours ago */
export function since(iso: string): string {
  const passed = Date.now() - Date.parse(iso);
  const step = STEPS.find(([, ms]) => Math.abs(passed) >= ms);
  return step ? ago.format(-Math.round(passed / step[1]), step[0]) : ago.format(0, 'minute');
}
