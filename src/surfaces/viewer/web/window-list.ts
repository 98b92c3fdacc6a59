import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

/** A reader's position in a list, and the heights measured on the way there. */
export interface Place {
  offset: number;
  sizes: VirtualItem[];
}

/** What a list of any length needs to be drawn while the window scrolls. */
export interface WindowList {
  list: RefObject<HTMLDivElement | null>;
  /** The height of the whole list, and the offset of the drawn rows from its top. */
  height: number;
  start: number;
  indexes: number[];
  /** For the element of a row, which has its index as `data-index`. */
  measure(element: HTMLElement): void;
  show(index: number): void;
  /** The first row visible below the sticky bars, and the last visible one. */
  seen(): { first: number; last: number };
  place(): Place;
}

interface Options {
  count: number;
  estimate: number;
  /** Changes when rows changed their positions: everything is measured again. */
  generation: number;
  /** How much of the window is covered at its top. */
  covered: () => number;
  /** The position to start at. */
  from: Place | undefined;
}

/** Rows drawn beyond each edge of the window, so that scrolling shows no gap. */
const OVERSCAN = 6;

/** Draws only the rows near the window; their heights are measured once they are drawn. */
export function useWindowList({ count, estimate, generation, covered, from }: Options): WindowList {
  const list = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const [margin, setMargin] = useState(0);
  const isBegun = useRef(false);
  const begin = isBegun.current ? undefined : from;
  isBegun.current = true;
  const options = {
    count,
    estimateSize: () => estimate,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    onChange: () => redraw(undefined),
    overscan: OVERSCAN,
    scrollMargin: margin,
    scrollPaddingStart: covered() + 8,
    scrollPaddingEnd: 16,
    // A new function makes the virtualizer ask for all sizes again.
    getItemKey: useMemo(() => (index: number) => index, [generation]),
    ...(begin && { initialOffset: begin.offset, initialMeasurementsCache: begin.sizes }),
  };
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLElement>(options));
  virtualizer.setOptions(options);
  const measured = useRef(generation);
  if (measured.current !== generation) {
    measured.current = generation;
    // Sizes and elements are stored by index, which now belongs to another record.
    virtualizer.elementsCache.clear();
    virtualizer.itemSizeCache.clear();
  }

  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    setMargin(Math.round(top + scrollY));
  });

  const items = virtualizer.getVirtualItems();
  return {
    list,
    height: virtualizer.getTotalSize(),
    start: (items[0]?.start ?? margin) - margin,
    indexes: items.map(({ index }) => index),
    measure: virtualizer.measureElement,
    show: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    seen() {
      const at = (offset: number) => virtualizer.getVirtualItemForOffset(offset)?.index ?? 0;
      return { first: at(scrollY + covered() + 8), last: at(scrollY + innerHeight - 16) };
    },
    place: () => ({ offset: virtualizer.scrollOffset ?? 0, sizes: virtualizer.takeSnapshot() }),
  };
}
