import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';

interface Node {
  name: string;
  path: string;
  count: number;
  stale: number;
  children?: Node[];
}

const WIDTH = 1000;
const HEIGHT = 420;

/** Smallest rectangle that can hold a name, in the units of the picture. */
const NAMED = { width: 56, height: 20 };

/** Files by their folders: as large as much is remembered of them, as warm as much of that is stale. */
export function Treemap({ files }: { files: { path: string; count: number; stale: number }[] }): JSX.Element {
  const leaves = useMemo(() => layout(files), [files]);
  return (
    <svg
      class="treemap"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Files by how much is remembered of them"
    >
      {leaves.map(({ x0, y0, x1, y1, data }) => {
        const share = data.stale / data.count;
        const isNamed = x1 - x0 > NAMED.width && y1 - y0 > NAMED.height;
        return (
          <a key={data.path} href={linkTo({ view: 'feed', filters: { file: [data.path] } })} tabIndex={-1}>
            <rect x={x0} y={y0} width={x1 - x0} height={y1 - y0} rx={3} class={`stale-${Math.ceil(share * 4)}`} />
            {isNamed && (
              <text x={x0 + 6} y={y0 + 15}>
                {fitted(data.name, x1 - x0 - 10)}
              </text>
            )}
            <title>{`${data.path}: ${numberOf(data.count)} records, ${numberOf(data.stale)} stale`}</title>
          </a>
        );
      })}
    </svg>
  );
}

function layout(files: { path: string; count: number; stale: number }[]): HierarchyRectangularNode<Node>[] {
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
  return treemap<Node>().size([WIDTH, HEIGHT]).paddingInner(2).paddingOuter(1).tile(treemapSquarify)(tree).leaves();
}

/** A name as far as there is room for it. */
function fitted(name: string, width: number): string {
  const room = Math.floor(width / 6.6);
  return name.length <= room ? name : `${name.slice(0, Math.max(1, room - 1))}…`;
}
