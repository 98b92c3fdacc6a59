import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Card } from '../../protocol.ts';
import type { RecordPage } from '../../record-protocol.ts';
import { dateOf, since, wholeDate } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { StateBadges, TypeBadge } from '../parts/badges.tsx';
import { CitedFiles } from '../parts/cited-files.tsx';
import { Actions, useDeedKeys, useDeeds } from '../parts/deeds.tsx';
import { Problem } from '../parts/form.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Marks, Provenance } from '../parts/origin.tsx';
import { PlainText, RecordLines, withoutTurns } from '../parts/plain-text.tsx';
import { go, linkTo, route, type ViewProps } from '../route.ts';
import { useLoading } from '../store.ts';

/** Most names in a list: several lists share a column, and the session and the feed have all. */
const MOST = 12;

/** One record with everything that is known about it. */
export function RecordView({ store, meta, canWrite }: ViewProps): JSX.Element {
  const id = route.value.id ?? '';
  const { value, problem } = useLoading(store, (source, signal) => source.record(id, signal), [id]);
  const page = value?.card.id.startsWith(id) ? value : undefined;
  const deeds = useDeeds({ store, meta });
  useEffect(() => shortcuts({ Escape: leave }), []);
  useDeedKeys(deeds, canWrite, () => (page && !page.card.redacted ? [page.card] : []));
  useEffect(() => {
    scrollTo(0, 0);
    // A reader who followed a link from another record starts at the top of this one.
    if (document.activeElement?.closest('.record-page'))
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [id]);
  if (problem) return <Problem error={problem} />;
  return (
    <>
      <nav aria-label="Records">
        <a href={linkTo({ view: 'feed' })}>All records</a>
      </nav>
      <div class="record-page">
        {page ? (
          <Record page={page}>{canWrite && <Actions card={page.card} deeds={deeds} />}</Record>
        ) : (
          <article class="panel skeleton" aria-busy="true" aria-label="The record is on its way" />
        )}
        <aside class="stack">
          {page && (
            <>
              {page.files.length > 0 && <CitedFiles files={page.files} />}
              <Chain page={page} />
              <Marks marks={page.marks} />
              <Provenance page={page} />
              <Cards title="Its session" cards={page.session} />
              <Cards title="Cited by" cards={page.cited_by} />
            </>
          )}
        </aside>
      </div>
      {deeds.dialog}
    </>
  );
}

function Record({ page, children }: { page: RecordPage; children: JSX.Element | false }): JSX.Element {
  const { card, raw, path, subtitle, markdown } = page;
  const [isOpen, setOpen] = useState(false);
  return (
    <article class="panel record stack">
      <header class="stack">
        <div class="line">
          <TypeBadge type={withoutTurns(card.type)} />
          <StateBadges card={card} />
        </div>
        <h1>
          <PlainText text={card.title || 'Untitled'} />
        </h1>
        {subtitle && <PlainText class="soft" text={subtitle} />}
        <p class="soft">
          <PlainText text={card.author} />, <time dateTime={card.created}>{wholeDate(card.created)}</time>,{' '}
          {since(card.created)}
          {card.branch && ' on '}
          {card.branch && <PlainText class="mono" text={card.branch} />}
        </p>
        {children}
      </header>
      {card.redacted && <p class="soft">This record was redacted: its text is not shown.</p>}
      {!card.redacted &&
        (markdown === '' ? <p class="soft">It has no text.</p> : <Markdown level={2} text={markdown} />)}
      {card.concepts.length > 0 && (
        <ul class="line" aria-label="Concepts">
          {[...new Set(card.concepts)].map((concept) => (
            <li key={concept}>
              <a href={linkTo({ view: 'feed', filters: { concept: [concept] } })}>
                # <PlainText text={concept} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {raw !== '' && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>
            The file <PlainText class="mono soft" text={path} />
          </summary>
          {/* It may be a megabyte. A scrolling region must be reachable by keyboard. */}
          {isOpen && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            <pre class="wrap sunken" tabIndex={0}>
              {withoutTurns(raw)}
            </pre>
          )}
        </details>
      )}
    </article>
  );
}

/** Other records by their titles; nothing if there is none. */
function Cards({ title, cards }: { title: string; cards: Card[] }): JSX.Element | null {
  if (cards.length === 0) return null;
  const lines = cards.slice(0, MOST).map(({ id, title, created }) => ({ id, title, lead: dateOf(created) }));
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <RecordLines lines={lines} />
    </section>
  );
}

/** Records that replace each other; nothing if there is no other. */
function Chain({ page: { chain, card } }: { page: RecordPage }): JSX.Element | null {
  if (chain.length < 2) return null;
  return (
    <section class="panel" aria-label="What replaced what">
      <h2>What replaced what</h2>
      <RecordLines lines={chain.map(({ state, ...one }) => ({ ...one, lead: state }))} current={card.id} />
    </section>
  );
}

function leave(): void {
  if (history.length > 1) history.back();
  else go({ view: 'feed' });
}
