import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Filters } from '../../protocol.ts';
import { countOf, numberOf } from '../dates.ts';
import { ActiveFilters, activeOf } from '../parts/active-filters.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FeedList } from '../parts/feed-list.tsx';
import { FilterForm } from '../parts/filter-bar.tsx';
import { FindField } from '../parts/find-field.tsx';
import { HitList } from '../parts/hit-list.tsx';
import { go, linkTo, route } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { type Visit, visitOf } from '../visit.ts';

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
        <div class="feed-state">
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
