import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { countOf, numberOf } from '../dates.ts';
import { Card } from '../parts/card.tsx';
import { CardList } from '../parts/card-list.tsx';
import { Selection, useDeeds } from '../parts/deeds.tsx';
import { type Visit, visitOf } from '../parts/feed-pages.ts';
import { ActiveFilters, activeOf, FilterForm, FindField } from '../parts/filter-bar.tsx';
import { Button, Dialog, Problem } from '../parts/form.tsx';
import { wordsOf } from '../parts/plain-text.tsx';
import { go, linkTo, type Route, route, type ViewProps } from '../route.ts';
import type { Store } from '../store.ts';

/** How many rows are drawn before anything has loaded: they fill a tall screen. */
const UNKNOWN = 20;

/** Scrolled less than this counts as at the top, in pixels: the first record is still in sight. */
const TOP_PX = 40;

/** All records, newest first; with a question, the best answers. */
export function FeedView({ store, meta, canWrite }: ViewProps): JSX.Element {
  const { q = '', filters } = route.value;
  const address = linkTo({ view: 'feed', filters });
  const visit = useMemo(() => visitOf(store, address, filters), [address]);
  const { chosen, search } = visit;
  const unchoose = (ids: string[]) => {
    chosen.value = new Map([...chosen.value].filter(([id]) => !ids.includes(id)));
  };
  const deeds = useDeeds({ store, meta }, unchoose);
  const isNarrowing = useSignal(false);
  const region = useRef<HTMLDivElement>(null);
  const active = activeOf(filters).length;
  const isToEnter = useSignal(false);
  const isAnswered = q === '' || (!search.isBusy.value && search.answer.value?.query === q);

  useEffect(() => {
    if (q !== '') void search.ask(q, filters);
  }, [q, visit]);
  useEffect(() => {
    if (!isToEnter.value || !isAnswered) return;
    isToEnter.value = false;
    firstInSight(region.current)?.focus({ preventScroll: true });
  }, [isToEnter.value, isAnswered]);
  // The next page begins at its top; coming back restores the position.
  useLayoutEffect(() => () => scrollTo(0, 0), []);

  const narrow = (to: Pick<Route, 'q' | 'filters'>) => {
    go({ view: 'feed', ...to }, { replace: true });
    scrollTo(0, 0);
  };
  const form = <FilterForm filters={filters} meta={meta} onChange={(next) => narrow({ q, filters: next })} />;
  const onClear = active > 0 ? () => narrow({ q, filters: {} }) : undefined;
  const list = { store, visit, onClear, deeds, canWrite };
  const selected = [...chosen.value.values()];
  return (
    <div class="feed">
      <h1 class="hidden-visually">Feed</h1>
      <div class="find">
        <FindField
          query={q}
          onQuery={(next) => narrow({ q: next, filters })}
          onEnter={() => (isToEnter.value = true)}
        />
        <button type="button" class="find-filters" onClick={() => (isNarrowing.value = true)}>
          Filters{active > 0 && ` (${active})`}
        </button>
        <div class="feed-state line soft">
          <p role="status">{q === '' ? totalOf(visit) : foundOf(visit)}</p>
          <ActiveFilters filters={filters} onChange={(next) => narrow({ q, filters: next })} />
          <Selection
            ids={selected.map(({ id }) => id)}
            isTrusted={selected.every(({ trust }) => trust !== 'unreviewed')}
            deeds={deeds}
            onClear={() => (chosen.value = new Map())}
          />
        </div>
      </div>
      <aside class="feed-side" aria-label="Narrow the list">
        {form}
      </aside>
      <div class="feed-main" ref={region}>
        <h2 class="hidden-visually">{q === '' ? 'Records' : 'Found'}</h2>
        {q === '' ? <FeedList key={address} {...list} /> : <HitList key={`find ${address}`} {...list} query={q} />}
      </div>
      {deeds.dialog}
      {isNarrowing.value && (
        <Dialog title="Filters" onClose={() => (isNarrowing.value = false)}>
          {form}
          <Button name="Show the records" class="primary filters-done" onClick={() => (isNarrowing.value = false)} />
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

interface ListProps extends Pick<Parameters<typeof CardList>[0], 'deeds' | 'canWrite'> {
  store: Store;
  visit: Visit;
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
}

/** All records in order; new ones appear at the top. */
function FeedList({ store, visit, onClear, ...rest }: ListProps): JSX.Element {
  const { feed } = visit;
  const { change } = store;
  const refresh = (isAtTop = scrollY < TOP_PX) => void feed.refresh({ isAtTop });
  useEffect(() => {
    const revision = change.value?.revision;
    if (revision === visit.revision) return;
    visit.revision = revision;
    refresh();
  }, [change.value, feed]);
  // Read here, so that every page that loads is drawn.
  void feed.version.value;
  const total = feed.total.value;
  const showNew = () => {
    scrollTo(0, 0);
    refresh(true);
  };
  const problem = feed.problem.value && (
    <div class="feed-problem">
      <Problem error={feed.problem.value} />
      <Button name="Try again" onClick={() => refresh()} />
    </div>
  );
  if (total === undefined && problem) return problem;
  if (total === 0) return onClear ? <NoneFits onClear={onClear} /> : <NoneYet />;
  return (
    <>
      {problem}
      <div class="news" role="status">
        {feed.waiting.value > 0 && (
          <button type="button" class="primary" onClick={showNew}>
            <span aria-hidden="true">↑ </span>
            {numberOf(feed.waiting.value)} new
          </button>
        )}
      </div>
      <CardList
        {...rest}
        label="Records, the newest first"
        count={total ?? UNKNOWN}
        at={feed.at}
        want={feed.want}
        chosen={visit.chosen}
        from={visit.left.feed}
        onLeave={(left) => {
          visit.left.feed = left;
        }}
      />
    </>
  );
}

function NoneYet(): JSX.Element {
  return (
    <div class="empty">
      <h2>No records yet</h2>
      <p>
        <code>git mem init</code> sets this repository up. Then work as always: what the agent learns appears here by
        itself, and <code>git mem add</code> writes a record by hand.
      </p>
    </div>
  );
}

/** No record matches; if filters are set, one click removes them. */
function NoneFits({ onClear, isSearch = false }: Pick<ListProps, 'onClear'> & { isSearch?: boolean }): JSX.Element {
  return (
    <div class="empty">
      <h2>{isSearch ? 'Nothing found' : 'No record fits these filters'}</h2>
      <p>{isSearch ? 'Try fewer or other words.' : 'Superseded and retired records are shown when asked for.'}</p>
      {onClear && <Button name="Clear the filters" onClick={onClear} />}
    </div>
  );
}

function HitList({ store, visit, query, onClear, ...rest }: ListProps & { query: string }): JSX.Element {
  const { answer, problem } = visit.search;
  const { filters } = route.value;
  const { change } = store;
  useEffect(() => {
    if (change.value?.revision !== visit.revision) void visit.search.ask(query, filters);
  }, [change.value]);
  if (problem.value) return <Problem error={problem.value} />;
  const { hits = [], query: asked = query, nearest } = answer.value ?? {};
  const words = wordsOf(asked);
  if (answer.value && hits.length === 0) {
    return (
      <>
        <NoneFits isSearch onClear={onClear} />
        {nearest && (
          <section>
            <h2>Nearest</h2>
            <Card card={nearest} words={words} snippet={nearest.snippet} titleId="nearest" />
          </section>
        )}
      </>
    );
  }
  return (
    <CardList
      {...rest}
      label="Records that were found, the best first"
      count={answer.value ? hits.length : UNKNOWN}
      at={(index) => hits[index]}
      words={words}
      snippet={(index) => hits[index]?.snippet ?? ''}
      chosen={visit.chosen}
      from={visit.left.hits?.query === query ? visit.left.hits : undefined}
      onLeave={(left) => {
        visit.left.hits = { ...left, query: asked };
      }}
    />
  );
}
