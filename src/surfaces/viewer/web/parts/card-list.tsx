import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Card as CardOf } from '../../protocol.ts';
import { shortcuts } from '../keyboard.ts';
import { go, recordPlace } from '../route.ts';
import { useWindowList } from '../window-list.ts';
import { Card } from './card.tsx';
import { type Deeds, useDeedKeys } from './deeds.tsx';
import { withoutTurns } from './plain-text.tsx';

/** A reader's state in a list, to come back to. */
export interface Left {
  offset: number;
  selected: number | undefined;
}

interface Props {
  /** Cards by position, some of which may not have loaded yet. */
  count: number;
  at(index: number): CardOf | undefined;
  /** Called with the positions that are drawn. */
  want?(first: number, last: number): void;
  label: string;
  /** The words to highlight, and the text of a card where it is not its excerpt. */
  words?: string[];
  snippet?(index: number): string;
  deeds: Deeds;
  /** Nothing can be selected where nothing can be written. */
  canWrite: boolean;
  chosen: Signal<ReadonlyMap<string, CardOf>>;
  from: Left | undefined;
  onLeave(left: Left): void;
}

/**
 * A list of cards of any length: `j` and `k` move through it, `x` selects, other keys act on what is selected.
 * Long because what is current, what has the focus and what is drawn move together.
 */
export function CardList(props: Props): JSX.Element {
  const { count, at, want, label, words = [], snippet, deeds, canWrite, chosen, from, onLeave } = props;
  const rows = useWindowList({ count, covered, from: from?.offset });
  const selected = useSignal<number | undefined>(from?.selected);
  const isToFocus = useRef(from?.selected !== undefined);

  /** The current record, so that it is found again when it moves. */
  const currentId = useRef<string | undefined>(undefined);
  const latest = useRef({ rows, count, at, onLeave });
  latest.current = { rows, count, at, onLeave };
  const current = () => (selected.peek() === undefined ? undefined : latest.current.at(selected.peek() ?? 0));
  const select = (index: number) => {
    selected.value = index;
    currentId.current = current()?.id;
  };
  useEffect(() => {
    const move = (step: 1 | -1) => () => {
      const next = nextOf(selected.peek(), step, latest.current);
      if (next === undefined) return;
      isToFocus.current = true;
      select(next);
      latest.current.rows.show(next);
    };
    const leave = () => {
      selected.value = undefined;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
    return shortcuts({
      j: move(1),
      k: move(-1),
      Escape: leave,
      ...(canWrite && { x: () => toggle(chosen, current()) }),
    });
  }, [canWrite]);
  useDeedKeys(deeds, canWrite, () => {
    const [one, all] = [current(), [...chosen.peek().values()]];
    return all.length === 0 && one !== undefined ? [one] : all;
  });
  useLayoutEffect(() => {
    const there = current()?.id;
    if (currentId.current !== undefined && there !== undefined && there !== currentId.current) {
      selected.value = rows.indexes.find((index) => at(index)?.id === currentId.current);
    }
    if (!isToFocus.current || selected.value === undefined) return;
    const row = rows.list.current?.querySelector<HTMLElement>(`[aria-posinset="${selected.value + 1}"]`);
    isToFocus.current = row === null;
    row?.focus({ preventScroll: true });
  });
  useLayoutEffect(
    () => () => latest.current.onLeave({ offset: latest.current.rows.offset(), selected: selected.peek() }),
    [],
  );
  useEffect(() => want?.((rows.indexes[0] ?? 0) - 1, rows.indexes.at(-1) ?? 0));

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
            <article
              key={key}
              class={selected.value === index ? 'item selected' : 'item'}
              tabIndex={-1}
              aria-posinset={index + 1}
              aria-setsize={count}
              aria-labelledby={card && `title-${key}`}
              aria-busy={card === undefined ? true : undefined}
              aria-current={selected.value === index ? 'true' : undefined}
              onFocusIn={() => select(index)}
              onKeyDown={(event) => {
                // Links inside handle their own keys.
                if (event.key !== 'Enter' || event.target !== event.currentTarget || card === undefined) return;
                event.preventDefault();
                go(recordPlace(card));
              }}
            >
              {card && (
                <Card card={card} titleId={`title-${key}`} words={words} snippet={snippet?.(index) ?? ''}>
                  {canWrite && (
                    <input
                      type="checkbox"
                      aria-label={`Select ${withoutTurns(card.title)}`}
                      checked={chosen.value.has(card.id)}
                      onChange={() => toggle(chosen, card)}
                    />
                  )}
                </Card>
              )}
            </article>
          );
        })}
      </div>
    </div>
  );
}

function toggle(chosen: Props['chosen'], card: CardOf | undefined): void {
  if (card === undefined) return;
  const next = new Map(chosen.peek());
  if (!next.delete(card.id)) next.set(card.id, card);
  chosen.value = next;
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
  const next = isSeen ? selected + step : step === 1 ? first : last;
  return Math.min(Math.max(next, 0), count - 1);
}

/** How much of the window the two sticky bars at its top cover. */
function covered(): number {
  return ['.top', '.find'].reduce(
    (sum, bar) => sum + (document.querySelector(bar)?.getBoundingClientRect().height ?? 0),
    0,
  );
}
