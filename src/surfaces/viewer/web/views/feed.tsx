import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Filters, SearchAnswer } from '../../protocol.ts';
import { countOf, numberOf } from '../dates.ts';
import { Card } from '../parts/card.tsx';
import { CardList } from '../parts/card-list.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FeedList, NoneFits } from '../parts/feed-list.tsx';
import { type Visit, visitOf } from '../parts/feed-pages.ts';
import { ActiveFilters, activeOf, FilterForm } from '../parts/filter-bar.tsx';
import { FindField } from '../parts/find-field.tsx';
import { wordsOf } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { go, linkTo, route, type ViewProps } from '../route.ts';
import { HITS, type Store } from '../store.ts';

/** All records, newest first; with a question, the best answers. */
export function FeedView({ store, meta }: ViewProps): JSX.Element {
  const { q = '', filters } = route.value;
  const address = linkTo({ view: 'feed', filters });
  const visit = useMemo(() => visitOf(store, address, filters), [address]);
  const isNarrowing = useSignal(false);
  const region = useRef<HTMLDivElement>(null);
  const active = activeOf(filters).length;
  const isToEnter = useSignal(false);
  const { answer, isBusy } = visit.search;
  const isAnswered = q === '' || (!isBusy.value && answer.value?.query === q);

  useEffect(() => {
    if (q !== '') void visit.search.ask(q, filters);
  }, [q, visit]);
  useEffect(() => {
    if (!isToEnter.value || !isAnswered) return;
    isToEnter.value = false;
    firstInSight(region.current)?.focus({ preventScroll: true });
  }, [isToEnter.value, isAnswered]);
  // The next page begins at its top; coming back restores the position.
  useLayoutEffect(() => () => scrollTo(0, 0), []);

  const narrow = (next: Filters) => {
    go({ view: 'feed', q, filters: next }, { replace: true });
    scrollTo(0, 0);
  };
  const form = <FilterForm filters={filters} meta={meta} onChange={narrow} />;
  return (
    <div class="feed">
      <h1 class="hidden-visually">Feed</h1>
      <div class="find">
        <FindField
          query={q}
          onQuery={(next) => {
            go({ view: 'feed', q: next, filters }, { replace: true });
            scrollTo(0, 0);
          }}
          onEnter={() => {
            isToEnter.value = true;
          }}
        />
        <button type="button" class="find-filters" onClick={() => (isNarrowing.value = true)}>
          Filters{active > 0 && <span class="count">{active}</span>}
        </button>
      </div>
      <aside class="feed-side" aria-label="Narrow the list">
        {form}
      </aside>
      <div class="feed-main" ref={region}>
        <h2 class="hidden-visually">{q === '' ? 'Records' : 'Found'}</h2>
        <div class="feed-state line soft">
          <p role="status" class={q === '' ? undefined : 'found'}>
            {q === '' ? totalOf(visit) : foundOf(visit)}
          </p>
          <ActiveFilters filters={filters} onChange={narrow} />
        </div>
        {q === '' ? (
          <FeedList key={address} store={store} visit={visit} isNarrowed={active > 0} onClear={() => narrow({})} />
        ) : (
          <HitList
            key={`find ${address}`}
            store={store}
            visit={visit}
            filters={filters}
            query={q}
            onClear={active > 0 ? () => narrow({}) : undefined}
          />
        )}
      </div>
      {isNarrowing.value && (
        <Dialog title="Filters" onClose={() => (isNarrowing.value = false)}>
          {form}
          <button type="button" class="primary filters-done" onClick={() => (isNarrowing.value = false)}>
            Show the records
          </button>
        </Dialog>
      )}
    </div>
  );
}

/** The first record below the sticky bars. */
function firstInSight(region: HTMLElement | null): HTMLElement | undefined {
  const top = document.querySelector('.find')?.getBoundingClientRect().bottom ?? 0;
  const rows = region?.querySelectorAll<HTMLElement>('article') ?? [];
  return [...rows].find((row) => row.getBoundingClientRect().top >= top - 1);
}

function totalOf({ feed: { total } }: Visit): string {
  return total.value === undefined ? 'Reading…' : countOf(total.value, 'record');
}

function foundOf({ search: { answer } }: Visit): string {
  if (!answer.value) return 'Looking…';
  const { total, took_ms, hits } = answer.value;
  const best = total > hits.length ? `The best ${hits.length} of ${numberOf(total)}` : numberOf(total);
  return `${best} found in ${numberOf(Math.round(took_ms))} ms`;
}

interface HitListProps {
  store: Store;
  visit: Visit;
  query: string;
  filters: Filters;
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
}

/** The hits of a search, best first. */
function HitList({ store, visit, query, filters, onClear }: HitListProps): JSX.Element {
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
