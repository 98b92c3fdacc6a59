import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Filters, SearchAnswer } from '../../protocol.ts';
import { HITS } from '../search.ts';
import type { Store } from '../store.ts';
import type { Visit } from '../visit.ts';
import { Card } from './card.tsx';
import { CardList } from './card-list.tsx';
import { NoneFits } from './feed-list.tsx';
import { wordsOf } from './plain-text.tsx';
import { Problem } from './problem.tsx';

interface HitListProps {
  store: Store;
  visit: Visit;
  query: string;
  filters: Filters;
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
}

/** The hits of a search, best first. */
export function HitList({ store, visit, query, filters, onClear }: HitListProps): JSX.Element {
  const { answer, isBusy, problem } = visit.search;
  const { change } = store;
  useEffect(() => {
    const revision = change.value?.revision;
    if (revision === visit.revision) return;
    void visit.search.ask(query, filters);
  }, [change.value]);
  const generation = useGeneration(answer.value);
  const list = useRef<HTMLDivElement>(null);
  /** The position of the first record requested with the button, which is gone by the time the record has loaded. */
  const toEnter = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (toEnter.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[aria-posinset="${toEnter.current}"]`)?.focus({ preventScroll: true });
    toEnter.current = undefined;
  }, [answer.value]);

  if (problem.value) return <Problem error={problem.value} />;
  const { hits = [], query: asked = query, total = 0 } = answer.value ?? {};
  const words = wordsOf(asked);
  if (answer.value && hits.length === 0) {
    const { nearest } = answer.value;
    return (
      <>
        <NoneFits isSearch {...(onClear && { onClear })} />
        {nearest && (
          <section class="nearest">
            <h2>Nearest</h2>
            <Card card={nearest} words={words} snippet={nearest.snippet} titleId="nearest" />
          </section>
        )}
      </>
    );
  }
  return (
    <div class={isBusy.value ? 'hits busy' : 'hits'} ref={list}>
      <CardList
        label="Records that were found, the best first"
        listing={{ count: answer.value ? hits.length : 6, at: (index) => hits[index], generation }}
        draw={(card, index, titleId) => (
          <Card card={card} words={words} snippet={hits[index]?.snippet ?? ''} titleId={titleId} />
        )}
        from={visit.left.hits?.query === query ? visit.left.hits : undefined}
        onLeave={(left) => {
          visit.left.hits = { ...left, query: asked };
        }}
      />
      {hits.length < Math.min(total, HITS.most) && (
        <button
          type="button"
          class="more"
          onClick={() => {
            toEnter.current = hits.length + 1;
            void visit.search.ask(query, filters, HITS.most);
          }}
        >
          Show more
        </button>
      )}
    </div>
  );
}

/** Counts the answers: each puts records at new positions. */
function useGeneration(answer: SearchAnswer | undefined): number {
  const last = useRef({ answer, count: 0 });
  if (last.current.answer !== answer) last.current = { answer, count: last.current.count + 1 };
  return last.current.count;
}
