import type { JSX } from 'preact';
import type { RecordPage } from '../../protocol.ts';
import { linkTo } from '../route.ts';
import { PlainText } from './plain-text.tsx';

const WIDTH = 190;
const HEIGHT = 44;
const GAP = { x: 44, y: 14 };

/** Records that replace each other, oldest on the left: an arrow leads from each to what replaced it. */
export function Chain({ chain, id }: { chain: RecordPage['chain']; id: string }): JSX.Element {
  const columns = columnsOf(chain);
  const places = new Map(
    columns.flatMap((ids, x) =>
      ids.map((one, y) => [one, { x: x * (WIDTH + GAP.x), y: y * (HEIGHT + GAP.y) }] as const),
    ),
  );
  const width = columns.length * (WIDTH + GAP.x) - GAP.x;
  const height = Math.max(...columns.map((ids) => ids.length)) * (HEIGHT + GAP.y) - GAP.y;
  return (
    <div class="chain">
      <svg width={width} height={height} aria-hidden="true">
        {chain.edges.map(({ from, to }) => {
          const [a, b] = [places.get(from), places.get(to)];
          if (!a || !b) return null;
          const [x1, y1, x2, y2] = [a.x + WIDTH, a.y + HEIGHT / 2, b.x, b.y + HEIGHT / 2];
          const half = (x2 - x1) / 2;
          return (
            <g key={`${from} ${to}`}>
              <path d={`M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2 - 5} ${y2}`} />
              <path class="tip" d={`M${x2 - 8} ${y2 - 4}L${x2} ${y2}L${x2 - 8} ${y2 + 4}Z`} />
            </g>
          );
        })}
      </svg>
      <ol style={{ width: `${width}px`, height: `${height}px` }}>
        {chain.nodes.map(({ id: one, title, state }) => (
          <li
            key={one}
            class={`node ${state}`}
            style={{ left: `${places.get(one)?.x ?? 0}px`, top: `${places.get(one)?.y ?? 0}px` }}
          >
            <a href={linkTo({ view: 'record', id: one })} aria-current={one === id ? 'true' : undefined}>
              <PlainText text={title || one} />
              <span class="soft">{state}</span>
            </a>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Each record as many columns to the right as replacements led to it; circles end where they began. */
function columnsOf({ nodes, edges }: RecordPage['chain']): string[][] {
  const depth = new Map(nodes.map(({ id }) => [id, 0]));
  for (let round = 0; round < nodes.length; round++) {
    let hasMoved = false;
    for (const { from, to } of edges) {
      const next = Math.min((depth.get(from) ?? 0) + 1, nodes.length - 1);
      if ((depth.get(to) ?? 0) >= next) continue;
      depth.set(to, next);
      hasMoved = true;
    }
    if (!hasMoved) break;
  }
  const columns: string[][] = [];
  for (const [id, x] of depth) columns[x] = [...(columns[x] ?? []), id];
  return columns.filter((ids) => ids !== undefined);
}
