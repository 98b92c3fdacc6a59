import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { useWidth } from '../width.ts';
import { withoutTurns } from './plain-text.tsx';

interface Node {
  name: string;
  path: string;
  count: number;
  stale: number;
  children?: Node[];
}

/** In pixels, about half a screen; the width is that of the page. */
const HEIGHT = 400;

/** Smallest rectangle that fits a name, in pixels. */
const NAMED = { width: 64, height: 22 };

/** Files by folder: the size of each shows how many records cite it, the colour how many of those are stale. */
export function Treemap({ files }: { files: { path: string; count: number; stale: number }[] }): JSX.Element {
  const [ref, width] = useWidth<HTMLDivElement>();
  const leaves = useMemo(() => (width > 0 ? layout(files, width) : []), [files, width]);
  return (
    <div ref={ref} class="treemap" style={{ minHeight: `${HEIGHT}px` }}>
      {/* The list of files has the same links for keyboards. */}
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {leaves.map(({ x0, y0, x1, y1, data }) => {
          const share = data.stale / Math.max(1, data.count);
          const isNamed = x1 - x0 > NAMED.width && y1 - y0 > NAMED.height;
          return (
            <a key={data.path} href={linkTo({ view: 'feed', filters: { file: [data.path] } })} tabindex={-1}>
              <rect x={x0} y={y0} width={x1 - x0} height={y1 - y0} rx={3} class={`stale-${Math.ceil(share * 4)}`} />
              {isNamed && (
                <text x={x0 + 6} y={y0 + 15}>
                  {fitted(shortPath(data.path), x1 - x0 - 10)}
                </text>
              )}
              <title>{`${withoutTurns(data.path)}: ${numberOf(data.count)} records, ${numberOf(data.stale)} stale`}</title>
            </a>
          );
        })}
      </svg>
      <p class="warmth" aria-hidden="true">
        none stale
        <svg width="90" height="12" aria-hidden="true">
          {[0, 1, 2, 3, 4].map((level) => (
            <rect key={level} x={level * 18} width={18} height={12} class={`stale-${level}`} />
          ))}
        </svg>
        all stale
      </p>
    </div>
  );
}

function layout(
  files: { path: string; count: number; stale: number }[],
  width: number,
): HierarchyRectangularNode<Node>[] {
  const root: Node = { name: '', path: '', count: 0, stale: 0, children: [] };
  for (const { path, count, stale } of files) {
    let folder = root;
    const parts = path.split('/');
    for (const [i, name] of parts.entries()) {
      folder.children ??= [];
      const isFile = i === parts.length - 1;
      let next = folder.children.find((one) => one.name === name && (one.children !== undefined) !== isFile);
      if (next === undefined) {
        next = isFile ? { name, path, count, stale } : { name, path: '', count: 0, stale: 0, children: [] };
        folder.children.push(next);
      }
      folder = next;
    }
  }
  const tree = hierarchy(root)
    .sum(({ count }) => count)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  return treemap<Node>().size([width, HEIGHT]).paddingInner(2).paddingOuter(1).tile(treemapSquarify)(tree).leaves();
}

/** The last two parts of a path, which are enough to tell files apart. */
function shortPath(path: string): string {
  return withoutTurns(path.split('/').slice(-2).join('/'));
}

/** The end of a name, as much as fits. */
function fitted(name: string, width: number): string {
  const room = Math.floor(width / 6.6);
  return name.length <= room ? name : `…${name.slice(-Math.max(1, room - 1))}`;
}
