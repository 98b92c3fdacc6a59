import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Review, ReviewItem } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { useLoading } from '../loading.ts';
import { Markdown } from '../parts/markdown.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { go, route } from '../route.ts';
import type { Store } from '../store.ts';
import type { ViewProps } from '../view-props.ts';

const LEVELS = { error: 'bad', warn: 'warn', info: 'plain' } as const;

/** What this branch does to the memory, against a base. */
export function ReviewView({ store }: ViewProps): JSX.Element {
  const { base } = route.value.more;
  const { value, problem, isBusy } = useLoading(
    (signal) => store.source.review(base, signal),
    [base, store.change.value?.revision],
  );
  return (
    <div class="review-page">
      <h1>Review</h1>
      <form
        class="panel row"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('base');
          go({ view: 'review', more: typeof given === 'string' && given.trim() !== '' ? { base: given.trim() } : {} });
        }}
      >
        <label class="row">
          <span>This checkout against</span>
          <input
            name="base"
            key={value?.base_name ?? ''}
            defaultValue={base ?? value?.base_name ?? ''}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Compare
        </button>
      </form>
      {problem && <Problem error={problem} />}
      {!value && !problem && <div class="skeleton tall" />}
      {value && <Findings review={value} store={store} />}
    </div>
  );
}

function Findings({ review, store }: { review: Review; store: Store }): JSX.Element {
  const { sections, ok, size } = review;
  if (sections.every(({ items }) => items.length === 0)) {
    return <p class="empty">This checkout says the same as {review.base_name}.</p>;
  }
  return (
    <>
      <p role="status">
        <span class={`state ${ok ? 'good' : 'bad'}`}>{ok ? 'nothing against it' : 'not to be merged as it is'}</span>{' '}
        <span class="soft">
          {numberOf(size.records)} new files, {numberOf(Math.ceil(size.bytes / 1024))} KB
        </span>
      </p>
      {sections
        .filter(({ items }) => items.length > 0)
        .map(({ key, title, level, items }) => (
          <section key={key} class="panel" aria-label={title}>
            <h2>
              {title} <span class={`state ${LEVELS[level]}`}>{numberOf(items.length)}</span>
            </h2>
            <ul class="review">
              {items.map((item, i) => (
                <Finding key={`${item.path} ${i}`} item={item} store={store} />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

function Finding({ item, store }: { item: ReviewItem; store: Store }): JSX.Element {
  const isOpen = useSignal(false);
  const { id, title, path, note, trust, before, after } = item;
  const hasText = before !== null || after !== null;
  return (
    <li>
      <div class="row">
        {id ? (
          <RecordLink id={id} title={title} />
        ) : (
          <span class="mono">
            <PlainText text={path} />
          </span>
        )}
        {trust && trust !== 'reviewed' && (
          <span class={`state ${trust === 'unreviewed' ? 'bad' : 'plain'}`}>{trust}</span>
        )}
        <span class="row end">
          {hasText && (
            <button
              type="button"
              class="quiet"
              aria-expanded={isOpen.value}
              onClick={() => (isOpen.value = !isOpen.value)}
            >
              {isOpen.value ? 'Hide' : 'Read'}
            </button>
          )}
          {id && trust === 'unreviewed' && (
            <button
              type="button"
              onClick={() => void store.act({ action: 'trust', ids: [id] }, 'Trusted on this clone.')}
            >
              Trust
            </button>
          )}
          {id && after !== null && (
            <>
              <button type="button" onClick={() => void store.act({ action: 'verify', ids: [id] }, 'Verified.')}>
                Verify
              </button>
              <button type="button" onClick={() => void store.act({ action: 'retire', ids: [id] }, 'Retired.')}>
                Retire
              </button>
            </>
          )}
        </span>
      </div>
      {note && (
        <p class="soft">
          <PlainText text={note} />
        </p>
      )}
      {isOpen.value && (
        <div class={before !== null && after !== null ? 'columns' : 'one-column'}>
          {before !== null && (
            <div class="side">
              <h3>Before</h3>
              <Markdown text={before} />
            </div>
          )}
          {after !== null && (
            <div class="side">
              <h3>{before === null ? 'New' : 'After'}</h3>
              <Markdown text={after} />
            </div>
          )}
        </div>
      )}
    </li>
  );
}
