import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Review } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { useLoading } from '../loading.ts';
import { Doing, Findings } from '../parts/findings.tsx';
import { Problem } from '../parts/problem.tsx';
import { go, route, type ViewProps } from '../route.ts';
import type { Store } from '../store.ts';

const LEVELS = { error: 'bad', warn: 'warn', info: 'plain' } as const;

/** What this branch changes in the memory, compared with a base. */
export function ReviewView({ store }: ViewProps): JSX.Element {
  const { base } = route.value.more;
  const { value, problem } = useLoading(store, (source, signal) => source.review(base, signal), [base]);
  return (
    <div class="review-page">
      <h1>Review</h1>
      <form
        class="panel line"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('base');
          go({ view: 'review', more: typeof given === 'string' && given.trim() !== '' ? { base: given.trim() } : {} });
        }}
      >
        <label class="line">
          <span>What this checkout adds to</span>
          <input
            name="base"
            key={value?.base_name ?? ''}
            defaultValue={base ?? value?.base_name ?? ''}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <button type="submit">Compare</button>
      </form>
      {problem && <Problem error={problem} />}
      {!value && !problem && <div class="skeleton tall" aria-busy="true" />}
      {value && <Sections review={value} store={store} />}
    </div>
  );
}

function Sections({ review, store }: { review: Review; store: Store }): JSX.Element {
  const { sections } = review;
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  if (sections.every(({ items }) => items.length === 0)) {
    return <p class="empty">This checkout remembers the same as {review.base_name}.</p>;
  }
  return (
    <>
      <Summary review={review} store={store} chosen={chosen} />
      {sections
        .filter(({ items }) => items.length > 0)
        .map(({ key, title, level, items }) => (
          <section key={key} class="panel" aria-label={title}>
            {/* What is routine opens on a click. */}
            <details open={level !== 'info' || key === 'added'}>
              <summary>
                <h2>
                  {title} <span class={`state ${LEVELS[level]}`}>{numberOf(items.length)}</span>
                </h2>
              </summary>
              <Findings items={items} store={store} chosen={chosen} kind={key} />
            </details>
          </section>
        ))}
    </>
  );
}

interface SummaryProps {
  review: Review;
  store: Store;
  chosen: Signal<ReadonlySet<string>>;
}

/** How large the change is, and the actions on what is selected, or on all that is untrusted. */
function Summary({ review: { sections, ok, summary }, store, chosen }: SummaryProps): JSX.Element {
  const items = sections.flatMap((section) => section.items);
  const listed = new Set(items.flatMap(({ id, here }) => (id && here ? id : [])));
  const unreviewed = [...new Set(items.flatMap(({ id, trust }) => (id && trust === 'unreviewed' ? id : [])))];
  // What was done with one of them may have taken it off the page.
  const selected = [...chosen.value].filter((id) => listed.has(id));
  return (
    <div class={selected.length > 0 ? 'line selection' : 'line'}>
      <p role="status">
        <span class={`state ${ok ? 'good' : 'bad'}`}>{ok ? 'nothing must be fixed' : 'must not be merged yet'}</span>{' '}
        <span class="soft">{summary}</span>
      </p>
      {selected.length > 0 && (
        <fieldset class="line end" aria-label={`${numberOf(selected.length)} selected`}>
          <span class="soft">{numberOf(selected.length)} selected</span>
          <Doing
            ids={selected}
            isTrusted={!unreviewed.some((id) => chosen.value.has(id))}
            act={(action, words) => {
              chosen.value = new Set();
              return store.act(action, words);
            }}
          />
        </fieldset>
      )}
      {selected.length === 0 && unreviewed.length > 1 && (
        <span class="line end">
          <button
            type="button"
            onClick={() => void store.act({ action: 'trust', ids: unreviewed }, 'Trusted on this clone.')}
          >
            Trust all {numberOf(unreviewed.length)}
          </button>
        </span>
      )}
    </div>
  );
}
