import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** Rows drawn beyond each edge of the window, so that scrolling shows no gap. */
const OVERSCAN = 8;

/** The distance of a row that is shown from the edges that cover it. */
const PADDING = 10;

/**
 * Draws only the rows near the window, of a list of any length whose rows all have the same height. `covered` is how
 * much of the window is covered at its top.
 */
export function useWindowList({
  count,
  covered,
  from,
}: {
  count: number;
  covered: () => number;
  from: number | undefined;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const row = useRef(48);
  const offset = useRef(from ?? 0);
  const top = () => (list.current?.getBoundingClientRect().top ?? 0) + scrollY;
  const rowAt = (y: number) => Math.floor((y - top()) / row.current);
  const within = (index: number) => Math.max(0, Math.min(index, count - 1));

  useEffect(() => {
    const follow = () => {
      offset.current = scrollY;
      redraw(undefined);
    };
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
    };
  }, []);
  useLayoutEffect(() => {
    scrollTo(0, offset.current);
    redraw(undefined);
  }, []);
  useLayoutEffect(() => {
    const article = list.current?.querySelector('article');
    // The laid-out height: the box's own is rounded by its position, so measurements far down would undo each other.
    const height = article ? Number.parseFloat(getComputedStyle(article).height) : 0;
    if (!(height > 0) || height === row.current) return;
    row.current = height;
    redraw(undefined);
  });

  const first = within(rowAt(scrollY) - OVERSCAN);
  const last = within(rowAt(scrollY + innerHeight) + OVERSCAN);
  return {
    list,
    /** The height of the whole list, and the offset of the drawn rows from its top. */
    height: count * row.current,
    start: first * row.current,
    indexes: Array.from({ length: Math.min(count, last - first + 1) }, (_, i) => first + i),
    /** Scrolls no further than necessary. */
    show(index: number): void {
      const y = top() + index * row.current;
      const [highest, lowest] = [y - covered() - PADDING, y + row.current + PADDING - innerHeight];
      if (scrollY > highest || scrollY < lowest) scrollTo(0, scrollY > highest ? highest : lowest);
    },
    /** The first row visible below the sticky bars, and the last visible one. */
    seen: () => ({ first: rowAt(scrollY + covered() + PADDING), last: rowAt(scrollY + innerHeight - PADDING) }),
    /** The reader's position, to come back to. */
    offset: () => offset.current,
  };
}
