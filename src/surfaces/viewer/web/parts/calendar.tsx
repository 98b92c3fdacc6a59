import type { JSX } from 'preact';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { useWidth } from '../width.ts';

/** Largest and smallest side of a day, in pixels, and most columns: a year has days in 53 weeks. */
const CELL = { most: 18, least: 13 };
const WEEKS = 53;
const DAY_MS = 86_400_000;

const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });

/**
 * How many records were written on each day of the year that ends with `today` (YYYY-MM-DD, UTC), or of as many weeks
 * as fit; a day links to its records.
 */
export function Calendar({ days, today }: { days: Record<string, number>; today: string }): JSX.Element {
  const [ref, width] = useWidth<HTMLDivElement>();
  const weeks = Math.max(1, Math.min(WEEKS, Math.floor(width / CELL.least)));
  const cell = Math.max(CELL.least, Math.min(CELL.most, Math.floor(width / weeks)));
  const [wide, high] = [weeks * cell, 7 * cell + 16];
  const end = Date.parse(today);
  const weekday = new Date(end).getUTCDay();
  const start = end - ((weeks - 1) * 7 + weekday) * DAY_MS;
  const cells = Array.from({ length: (weeks - 1) * 7 + weekday + 1 }, (_, i) => {
    const key = new Date(start + i * DAY_MS).toISOString().slice(0, 10);
    return { key, x: Math.floor(i / 7), y: i % 7, count: days[key] ?? 0 };
  });
  const most = Math.max(1, ...cells.map(({ count }) => count));
  const busy = cells.filter(({ count }) => count > 0);
  return (
    <div class="calendar" ref={ref}>
      <svg width={wide} height={high} viewBox={`0 0 ${wide} ${high}`} aria-hidden="true">
        {cells
          .filter(({ key, y }) => y === 0 && Number(key.slice(8)) <= 7)
          .map(({ key, x }) => (
            <text key={key} x={x * cell} y={10}>
              {month.format(Date.parse(key))}
            </text>
          ))}
        {cells.map(({ key, x, y, count }) => {
          const square = (
            <rect
              x={x * cell}
              y={16 + y * cell}
              width={cell - 2}
              height={cell - 2}
              rx={2}
              class={count === 0 ? 'level-0' : `level-${Math.ceil((count / most) * 4)}`}
            >
              <title>{`${whole.format(Date.parse(key))}: ${numberOf(count)}`}</title>
            </rect>
          );
          // The list below has the same links for keyboards: hundreds of tab stops would be in everybody's way.
          return count === 0 ? (
            <g key={key}>{square}</g>
          ) : (
            <a key={key} href={linkTo({ view: 'feed', filters: { since: key, until: key } })} tabindex={-1}>
              {square}
            </a>
          );
        })}
      </svg>
      <details>
        <summary>Days as a list</summary>
        <ul class="names">
          {busy.toReversed().map(({ key, count }) => (
            <li key={key}>
              <a href={linkTo({ view: 'feed', filters: { since: key, until: key } })}>
                {whole.format(Date.parse(key))}
              </a>{' '}
              <span class="soft">{numberOf(count)}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
