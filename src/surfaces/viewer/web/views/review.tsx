import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Review } from '../../protocol.ts';
import { countOf, numberOf } from '../dates.ts';
import { Selection, TrustButton, useDeeds } from '../parts/deeds.tsx';
import { Findings, select } from '../parts/findings.tsx';
import { Pending } from '../parts/form.tsx';
import { go, route, type ViewProps } from '../route.ts';
import { useLoading } from '../store.ts';

const LEVELS = { error: 'bad', warn: 'warn', info: 'off' } as const;

/** What this branch changes in the memory, compared with a base. */
export function ReviewView(props: ViewProps): JSX.Element {
  const { base } = route.value.more;
  const { value, problem } = useLoading(props.store, (source, signal) => source.review(base, signal), [base]);
  return (
    <div class="stack">
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('base');
          go({ view: 'review', more: typeof given === 'string' && given.trim() !== '' ? { base: given.trim() } : {} });
        }}
      >
        <h1>Review</h1>
        <label class="line">
          <span class="soft">what this checkout adds to</span>
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
      {value ? <Sections {...props} review={value} /> : <Pending problem={problem} />}
    </div>
  );
}

function Sections({ review, store, meta }: ViewProps & { review: Review }): JSX.Element {
  const { ok, summary } = review;
  const sections = review.sections.filter(({ items }) => items.length > 0);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const deeds = useDeeds({ store, meta }, (ids) => select(chosen, ids, false));
  if (sections.length === 0)
    return <p class="empty">This checkout remembers the same as {review.base_name || 'its base'}.</p>;
  const items = sections.flatMap((section) => section.items);
  const listed = new Set(items.flatMap(({ id, here }) => (id && here ? id : [])));
  const unreviewed = [...new Set(items.flatMap(({ id, trust }) => (id && trust === 'unreviewed' ? id : [])))];
  // An action may have taken one of them off the page.
  const selected = [...chosen.value].filter((id) => listed.has(id));
  const files = new Set(items.flatMap((item) => item.files));
  return (
    <>
      <div class="line sticky">
        <p role="status">
          <span class={`state ${ok ? 'good' : 'bad'}`}>{ok ? 'nothing to fix' : 'must not be merged yet'}</span>{' '}
          <span class="soft">
            {summary} {files.size > 0 && `${countOf(files.size, 'file')} cited.`}
          </span>
        </p>
        <Selection
          ids={selected}
          isTrusted={!unreviewed.some((id) => chosen.value.has(id))}
          deeds={deeds}
          onClear={() => (chosen.value = new Set())}
        />
        {selected.length === 0 && unreviewed.length > 1 && (
          <span class="line end">
            <TrustButton ids={unreviewed} act={deeds.act} name={`Trust all ${numberOf(unreviewed.length)}`} />
          </span>
        )}
      </div>
      {sections.map(({ key, title, level, items }) => (
        <section key={key} class="panel" aria-label={title}>
          {/* What is routine opens on a click. */}
          <details open={level !== 'info' || key === 'added'}>
            <summary>
              <h2>
                {title} <span class={`state ${LEVELS[level]}`}>{numberOf(items.length)}</span>
              </h2>
            </summary>
            <Findings items={items} deeds={deeds} chosen={chosen} kind={key} />
          </details>
        </section>
      ))}
      {deeds.dialog}
    </>
  );
}
