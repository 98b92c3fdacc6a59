import type { JSX } from 'preact';
import type { Insight } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { hueOf } from './badges.tsx';

const HEIGHT = 140;
const WIDTH = 1000;

/** Types of what was remembered, month by month, one on top of the other. */
export function TypesOverTime({ months }: { months: Insight['months'] }): JSX.Element {
  const totals = months.map(({ types }) => Object.values(types).reduce((sum, count) => sum + count, 0));
  const most = Math.max(1, ...totals);
  const step = WIDTH / Math.max(months.length, 6);
  const types = [...new Set(months.flatMap((one) => Object.keys(one.types)))];
  return (
    <>
      <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT + 22}`} role="img" aria-label="Types over time">
        {months.map(({ month, types: counts }, i) => {
          let y = HEIGHT;
          return (
            <g key={month}>
              {Object.entries(counts).map(([type, count]) => {
                const height = (count / most) * HEIGHT;
                y -= height;
                return (
                  <rect
                    key={type}
                    class="typed"
                    x={i * step + 2}
                    y={y}
                    width={Math.min(step - 4, 60)}
                    height={height}
                    style={{ '--hue': String(hueOf(type)) }}
                  >
                    <title>{`${month}, ${type}: ${numberOf(count)}`}</title>
                  </rect>
                );
              })}
              <text x={i * step + 2} y={HEIGHT + 16}>
                {month}
              </text>
            </g>
          );
        })}
      </svg>
      <ul class="legend">
        {types.map((type) => (
          <li key={type}>
            <a
              class="type"
              style={{ '--hue': String(hueOf(type)) }}
              href={linkTo({ view: 'feed', filters: { type: [type] } })}
            >
              {type}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
