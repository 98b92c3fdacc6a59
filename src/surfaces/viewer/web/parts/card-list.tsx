import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Card } from '../../protocol.ts';
import { shortcuts } from '../keyboard.ts';
import { go, recordPlace } from '../route.ts';
import { type Place, useWindowList } from '../window-list.ts';
import { CardSkeleton } from './card.tsx';

/** Cards by position, some of which may not have loaded yet. */
export interface Listing {
  count: number;
  at(index: number): Card | undefined;
  /** Called with the positions that are drawn. */
  want?(first: number, last: number): void;
  /** Changes when cards changed their positions. */
  generation: number;
}

/** A reader's state in a list, to come back to. */
export interface Left extends Place {
  selected: number | undefined;
}

interface Props {
  listing: Listing;
  label: string;
  /** Draws the card itself, and what belongs above it. */
  draw(card: Card, index: number, titleId: string): ComponentChildren;
  from: Left | undefined;
  onLeave(left: Left): void;
}

/** Heights of a card that has not loaded yet: the stylesheet gives its placeholder the same. */
const ESTIMATE = { wide: 124, narrow: 180 };

/** A list of cards of any length; `j` and `k` move through it. */
export function CardList({ listing, label, draw, from, onLeave }: Props): JSX.Element {
  const { count, at, want, generation } = listing;
  const estimate = innerWidth > 720 ? ESTIMATE.wide : ESTIMATE.narrow;
  const rows = useWindowList({ count, estimate, generation, covered, from });
  const selected = useSignal<number | undefined>(from?.selected);
  const isToFocus = useRef(from?.selected !== undefined);

  /** The selected record, so that it is found again when it moves. */
  const chosen = useRef<string | undefined>(undefined);
  const select = (index: number) => {
    selected.value = index;
    chosen.current = latest.current.at(index)?.id;
  };

  const latest = useRef({ rows, count, at });
  latest.current = { rows, count, at };
  const move = (step: 1 | -1) => {
    const next = nextOf(selected.peek(), step, latest.current);
    if (next === undefined) return;
    select(next);
    isToFocus.current = true;
    latest.current.rows.show(next);
  };
  useEffect(() => {
    const leave = () => {
      selected.value = undefined;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
    return shortcuts({ j: () => move(1), k: () => move(-1), Escape: leave });
  }, []);
  useLayoutEffect(() => {
    if (chosen.current === undefined) return;
    selected.value = rows.indexes.find((index) => at(index)?.id === chosen.current);
  }, [generation]);
  useLayoutEffect(() => () => onLeave({ ...latest.current.rows.place(), selected: selected.peek() }), []);
  useEffect(() => {
    const { indexes } = rows;
    want?.((indexes[0] ?? 0) - 1, indexes.at(-1) ?? 0);
  });

  const drawn = new Set<string>();
  return (
    <div
      class="cards"
      role="feed"
      aria-label={label}
      ref={rows.list}
      style={{ height: `${rows.height}px` }}
      tabIndex={-1}
    >
      <div class="cards-drawn" style={{ transform: `translateY(${rows.start}px)` }}>
        {rows.indexes.map((index) => {
          const card = at(index);
          // A record keeps its element when it moves; a record that is briefly listed twice gets a second one.
          const key = card && !drawn.has(card.id) ? card.id : String(index);
          drawn.add(key);
          return (
            <Row
              key={key}
              index={index}
              count={count}
              generation={generation}
              isToFocus={isToFocus}
              isSelected={selected.value === index}
              measure={rows.measure}
              onSelect={() => select(index)}
              card={card}
            >
              {(titleId) => (card ? draw(card, index, titleId) : <CardSkeleton />)}
            </Row>
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  index: number;
  count: number;
  generation: number;
  isSelected: boolean;
  isToFocus: { current: boolean };
  card: Card | undefined;
  measure(element: HTMLElement): void;
  onSelect(): void;
  children(titleId: string): ComponentChildren;
}

function Row(props: RowProps): JSX.Element {
  const { index, count, generation, isSelected, isToFocus, card, measure, onSelect, children } = props;
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    if (ref.current) measure(ref.current);
  }, [index, generation]);
  useLayoutEffect(() => {
    if (!isSelected || !isToFocus.current) return;
    isToFocus.current = false;
    ref.current?.focus({ preventScroll: true });
  }, [isSelected]);
  return (
    <article
      class={isSelected ? 'item selected' : 'item'}
      ref={ref}
      data-index={index}
      tabIndex={-1}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-labelledby={card === undefined ? undefined : titleId}
      aria-busy={card === undefined ? true : undefined}
      aria-current={isSelected ? 'true' : undefined}
      onFocusIn={onSelect}
      onKeyDown={(event) => {
        // Links inside handle their own keys.
        if (event.key !== 'Enter' || event.target !== event.currentTarget || card === undefined) return;
        event.preventDefault();
        go(recordPlace(card));
      }}
    >
      {children(titleId)}
    </article>
  );
}

/** The position that `j` or `k` moves to: if the selection was scrolled out of sight, back into sight. */
function nextOf(
  selected: number | undefined,
  step: 1 | -1,
  { rows, count }: { rows: { seen(): { first: number; last: number } }; count: number },
): number | undefined {
  if (count === 0) return undefined;
  const { first, last } = rows.seen();
  const isSeen = selected !== undefined && selected >= first - 1 && selected <= last + 1;
  if (!isSeen) return Math.min(step === 1 ? first : last, count - 1);
  return Math.min(Math.max(selected + step, 0), count - 1);
}

/** How much of the window the two sticky bars at its top cover. */
function covered(): number {
  return ['.top', '.find'].reduce(
    (sum, bar) => sum + (document.querySelector(bar)?.getBoundingClientRect().height ?? 0),
    0,
  );
}
