import type { JSX } from 'preact';
import type { Insight } from '../../protocol-insight.ts';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { useWidth } from '../width.ts';
import { hueOf } from './badges.tsx';
import { PlainText } from './plain-text.tsx';

/** Height of the highest bar, in pixels. */
const HEIGHT = 150;
/** Space above the highest bar, and below all bars. */
const ROOM = { above: 16, below: 20 };
const STEP = { most: 84, least: 26 };
/** Width of a month's name. */
const NAME = 62;

const monthName = new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' });

/** Types of the records, month by month, stacked: the latest months that fit. */
export function TypesOverTime({ months }: { months: Insight['months'] }): JSX.Element {
  const [ref, width] = useWidth<HTMLDivElement>();
  const room = Math.max(1, Math.floor(width / STEP.least));
  const shown = months.slice(-room);
  const step = Math.min(STEP.most, width / Math.max(1, shown.length));
  const totals = shown.map(({ types }) => Object.values(types).reduce((sum, count) => sum + count, 0));
  const scale = HEIGHT / Math.max(1, ...totals);
  const types = [...new Set(shown.flatMap((one) => Object.keys(one.types)))].sort();
  const height = HEIGHT + ROOM.above + ROOM.below;
  const every = Math.max(1, Math.ceil(NAME / step));
  return (
    <div ref={ref}>
      <svg class="bars" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {shown.map(({ month, types: counts }, i) => (
          <g key={month} transform={`translate(${i * step} ${ROOM.above})`}>
            <Stack counts={counts} types={types} width={step - 8} scale={scale} />
            {every === 1 && (
              <text x={0} y={HEIGHT - (totals[i] ?? 0) * scale - 4}>
                {numberOf(totals[i] ?? 0)}
              </text>
            )}
            {(shown.length - 1 - i) % every === 0 && (
              <text x={0} y={HEIGHT + 15}>
                {monthName.format(Date.parse(`${month}-01`))}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ul class="legend">
        {types.map((type) => (
          <li key={type}>
            <a
              class="type"
              style={{ '--hue': String(hueOf(type)) }}
              href={linkTo({ view: 'feed', filters: { type: [type] } })}
            >
              <PlainText text={type} /> {numberOf(shown.reduce((sum, one) => sum + (one.types[type] ?? 0), 0))}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StackProps {
  counts: Record<string, number>;
  types: string[];
  width: number;
  scale: number;
}

function Stack({ counts, types, width, scale }: StackProps): JSX.Element {
  let y = HEIGHT;
  return (
    <>
      {types.map((type) => {
        const count = counts[type] ?? 0;
        y -= count * scale;
        return (
          <rect
            key={type}
            class="typed"
            x={0}
            y={y}
            width={Math.max(2, width)}
            height={count * scale}
            style={{ '--hue': String(hueOf(type)) }}
          >
            <title>{`${type}: ${numberOf(count)}`}</title>
          </rect>
        );
      })}
    </>
  );
}
