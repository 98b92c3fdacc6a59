import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Commit, RecordPage } from '../../protocol-record.ts';
import { numberOf, since } from '../dates.ts';
import { linkTo } from '../route.ts';
import { Outside, PlainText } from './plain-text.tsx';

/** Who wrote a record, the prompt behind it, how it got here, and what it saves. */
export function Provenance({ page: { card, provenance } }: { page: RecordPage }): JSX.Element {
  const { by, extractor, prompt, trust_reason, recorded, history_ends, reverted_by, discovery_tokens, read_tokens } =
    provenance;
  const found = discovery_tokens === null ? '' : `${numberOf(discovery_tokens)} to find out, `;
  return (
    <section class="panel" aria-labelledby="provenance">
      <h2 id="provenance">Where it comes from</h2>
      <dl class="origin-of">
        <Row name="Written by">
          <PlainText text={[by, extractor].filter(Boolean).join(', ')} />
        </Row>
        {prompt && (
          <Row name="Asked for">
            <span class="clamp" title={prompt}>
              <PlainText text={prompt} />
            </span>
          </Row>
        )}
        <Row name="Trust">
          <PlainText text={trust_reason} />
        </Row>
        {recorded && (
          <Row name="Recorded in">
            <CommitLine commit={recorded} /> {recorded.with_change ? 'with the change' : 'by itself'}
          </Row>
        )}
        {history_ends && <Row name="Recorded in">The history here ends before it.</Row>}
        {reverted_by && <Row name="Reverted">Its change was reverted by {reverted_by.slice(0, 8)}.</Row>}
        {card.session && (
          <Row name="Session">
            <a class="mono" href={linkTo({ view: 'feed', filters: { session: card.session } })}>
              <PlainText text={card.session.slice(0, 13)} />
            </a>
          </Row>
        )}
        <Row name="Tokens">
          {found}
          {numberOf(read_tokens)} to read
        </Row>
      </dl>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CommitLine({ commit: { commit, subject, author, at, url } }: { commit: Commit }): JSX.Element {
  return (
    <span>
      <Outside url={url}>
        <code>{commit.slice(0, 9)}</code>
      </Outside>{' '}
      <PlainText text={subject} />, <PlainText text={author} />, {since(at)}
    </span>
  );
}

/** Of a node, in pixels: height of three lines, and the least width at which titles are readable. */
const HEIGHT = 62;
const LEAST = 150;
const GAP = { x: 12, y: 26 };

/** Records that replace each other, oldest at the top: an arrow leads from each to its replacement. */
export function Chain({ chain, id }: { chain: RecordPage['chain']; id: string }): JSX.Element {
  const [ref, room] = useWidth<HTMLDivElement>();
  const { places, width, height } = arranged(chain, room);
  const titles = new Map(chain.nodes.map((node) => [node.id, node]));
  return (
    <div class="chain" ref={ref}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {chain.edges.map(({ from, to }) => {
          const [a, b] = [places.get(from), places.get(to)];
          if (!a || !b) return null;
          const [x1, y1, x2, y2] = [a.x + a.width / 2, a.y + HEIGHT, b.x + b.width / 2, b.y];
          const half = (y2 - y1) / 2;
          return (
            <g key={`${from} ${to}`}>
              <path d={`M${x1} ${y1}C${x1} ${y1 + half} ${x2} ${y2 - half} ${x2} ${y2 - 6}`} />
              <path class="tip" d={`M${x2 - 4} ${y2 - 8}L${x2} ${y2}L${x2 + 4} ${y2 - 8}Z`} />
            </g>
          );
        })}
      </svg>
      <ol style={{ width: `${width}px`, height: `${height}px` }}>
        {[...places].map(([one, { x, y, width: wide }]) => {
          const { title, state } = titles.get(one) ?? { title: '', state: 'missing' };
          return (
            <li
              key={one}
              class={`node ${state}`}
              style={{ left: `${(x / width) * 100}%`, top: `${y}px`, width: `${(wide / width) * 100}%` }}
            >
              <a href={linkTo({ view: 'record', id: one })} aria-current={one === id ? 'true' : undefined}>
                <PlainText text={title || one} />
                <span class="soft">{one === id ? `${state}, this one` : state}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

interface Arranged {
  places: Map<string, { x: number; y: number; width: number }>;
  width: number;
  height: number;
}

/** Rows below each other, each as wide as the room allows. */
function arranged(chain: RecordPage['chain'], room: number): Arranged {
  const rows = rowsOf(chain);
  const most = Math.max(...rows.map((ids) => ids.length));
  const width = Math.max(room - 6, most * (LEAST + GAP.x) - GAP.x);
  const places: Arranged['places'] = new Map();
  for (const [y, ids] of rows.entries()) {
    const wide = (width - GAP.x * (ids.length - 1)) / ids.length;
    for (const [x, id] of ids.entries()) {
      places.set(id, { x: x * (wide + GAP.x), y: y * (HEIGHT + GAP.y), width: wide });
    }
  }
  return { places, width, height: rows.length * (HEIGHT + GAP.y) - GAP.y };
}

/** Places each record as many rows down as replacements led to it; cycles end where they began. */
function rowsOf({ nodes, edges }: RecordPage['chain']): string[][] {
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
  const rows: string[][] = [];
  for (const [id, y] of depth) rows[y] = [...(rows[y] ?? []), id];
  return rows.filter((ids) => ids !== undefined);
}

/** The width of an element in pixels, known before the first paint and tracked from then on. */
function useWidth<T extends HTMLElement>(): [ref: RefObject<T | null>, width: number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return undefined;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
