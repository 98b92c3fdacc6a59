import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, readDate } from '../../src/search/dates.ts';
import { runs } from '../support/trials.ts';

/** A Friday. */
const NOW = new Date('2026-11-20T15:04:05.678Z');

const day = (date: string) => [`${date}T00:00:00Z`, `${date}T23:59:59Z`];
const at = (time: string) => [time, time];

describe('dates in prose', () => {
  it.each([
    ['2026', ['2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z']],
    ['2026-11', ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59Z']],
    ['2024-02', ['2024-02-01T00:00:00Z', '2024-02-29T23:59:59Z']],
    ['2026-11-20', day('2026-11-20')],
    ['2026-11-20T20:05', at('2026-11-20T20:05:00Z')],
    ['2026-11-20T20:05:01Z', at('2026-11-20T20:05:01Z')],
    ['2026-11-20 20:05:01.999', at('2026-11-20T20:05:01Z')],
    ['2026-11-20T01:05:01+02:00', at('2026-11-19T23:05:01Z')],
    ['2026-11-20 01:05 +0200', at('2026-11-19T23:05:00Z')],
    ['now', at('2026-11-20T15:04:05Z')],
    ['today', day('2026-11-20')],
    ['  Yesterday ', day('2026-11-19')],
    ['3 days ago', day('2026-11-17')],
    ['a day ago', day('2026-11-19')],
    ['2 weeks ago', day('2026-11-06')],
    ['a month ago', day('2026-10-20')],
    ['1 year ago', day('2025-11-20')],
    ['2 hours ago', at('2026-11-20T13:04:05Z')],
    ['an hour ago', at('2026-11-20T14:04:05Z')],
    ['90 minutes ago', at('2026-11-20T13:34:05Z')],
    ['7d', day('2026-11-13')],
    ['36h', at('2026-11-19T03:04:05Z')],
    ['last 3 days', ['2026-11-17T00:00:00Z', '2026-11-20T15:04:05Z']],
    ['the past 2 weeks', ['2026-11-06T00:00:00Z', '2026-11-20T15:04:05Z']],
    ['this week', ['2026-11-16T00:00:00Z', '2026-11-22T23:59:59Z']],
    ['last week', ['2026-11-09T00:00:00Z', '2026-11-15T23:59:59Z']],
    ['this month', ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59Z']],
    ['last month', ['2026-10-01T00:00:00Z', '2026-10-31T23:59:59Z']],
    ['last year', ['2025-01-01T00:00:00Z', '2025-12-31T23:59:59Z']],
    ['monday', day('2026-11-16')],
    ['sat', day('2026-11-14')],
    ['friday', day('2026-11-20')],
    ['last friday', day('2026-11-13')],
    ['last monday', day('2026-11-16')],
    ['november', ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59Z']],
    ['december', ['2025-12-01T00:00:00Z', '2025-12-31T23:59:59Z']],
    ['Oct 2024', ['2024-10-01T00:00:00Z', '2024-10-31T23:59:59Z']],
  ])('%s', (text, [start, end]) => {
    expect([dateOf(text, 'start', NOW), dateOf(text, 'end', NOW)]).toEqual([start, end]);
  });

  it('ends a month before the 31st on the last day of a shorter month', () => {
    expect(dateOf('a month ago', 'start', new Date('2026-03-31T12:00:00Z'))).toBe('2026-02-28T00:00:00Z');
  });

  it.each([
    '',
    'soon',
    'cache',
    '2026-13',
    '2026-00',
    '2026-02-30',
    '26-11-20',
    '2026-11-20T25:00',
    '0 moons ago',
    'last',
  ])('%j is not a date', (text) => {
    expect(readDate(text, 'start', NOW)).toBeUndefined();
    expect(() => dateOf(text, 'end', NOW)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });

  it('never break on any text, and never end before they start', () => {
    const words = fc.constantFrom(
      'last',
      'week',
      'ago',
      '3',
      '99999',
      'year',
      'years',
      'monday',
      '2026',
      '-',
      'may',
      ' ',
      '9999',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join(' ')),
        ),
        (text) => {
          const [start, end] = [readDate(text, 'start', NOW), readDate(text, 'end', NOW)];
          expect(start === undefined).toBe(end === undefined);
          if (start !== undefined && end !== undefined) expect(start <= end).toBe(true);
        },
      ),
      runs(100),
    );
  });
});
