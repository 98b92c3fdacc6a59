import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RecordPage } from '../../protocol.ts';
import { since, wholeDate } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { useLoading } from '../loading.ts';
import { Actions } from '../parts/actions.tsx';
import { StateBadges, TypeBadge } from '../parts/badges.tsx';
import { Cards, Chain } from '../parts/card-names.tsx';
import { CitedFiles } from '../parts/cited-files.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { PlainText, withoutTurns } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { draftOf } from '../record-text.ts';
import { go, linkTo, route, type ViewProps } from '../route.ts';
import type { Store } from '../store.ts';

/** One record with everything that is known about it. */
export function RecordView({ store, meta }: ViewProps): JSX.Element {
  const id = route.value.id ?? '';
  const { value, problem } = useLoading(store, (source, signal) => source.record(id, signal), [id]);
  const page = value?.card.id.startsWith(id) ? value : undefined;
  useEffect(() => shortcuts({ Escape: leave, j: () => step(page, 1), k: () => step(page, -1) }), [page]);
  useEffect(() => {
    scrollTo(0, 0);
    // A reader who followed a link from another record starts at the top of this one.
    if (document.activeElement?.closest('.record-page'))
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [id]);
  if (problem) return <Problem error={problem} />;
  return (
    <>
      <Neighbours page={page} />
      <div class="record-page">
        {page ? <Record page={page} store={store} meta={meta} /> : <Waiting />}
        <aside class="beside">{page && <Beside page={page} store={store} meta={meta} />}</aside>
      </div>
    </>
  );
}

function Record({ page, store, meta }: ViewProps & { page: RecordPage }): JSX.Element {
  const { card, raw, subtitle, markdown } = page;
  return (
    <article class="panel record">
      <header>
        <div class="line">
          <TypeBadge type={withoutTurns(card.type)} />
          <StateBadges card={card} />
        </div>
        <h1>
          <PlainText text={card.title || 'Without a title'} />
        </h1>
        {subtitle && (
          <p class="subtitle soft">
            <PlainText text={subtitle} />
          </p>
        )}
        <p class="soft">
          <time dateTime={card.created}>{wholeDate(card.created)}</time>, {since(card.created)}
          {card.branch && (
            <>
              {' on '}
              <PlainText class="mono" text={card.branch} />
            </>
          )}
        </p>
        {meta.live && <Actions card={card} draft={draftOf(page)} store={store} meta={meta} />}
      </header>
      {card.redacted && <p class="soft">This record was redacted: its text is not shown.</p>}
      {!card.redacted &&
        (markdown === '' ? <p class="soft">It has no text.</p> : <Markdown level={2} text={markdown} />)}
      {card.concepts.length > 0 && (
        <ul class="tags line" aria-label="Concepts">
          {[...new Set(card.concepts)].map((concept) => (
            <li key={concept}>
              <a href={linkTo({ view: 'feed', filters: { concept: [concept] } })}>
                <PlainText text={concept} />
              </a>
            </li>
          ))}
        </ul>
      )}
      <footer class="line">
        <Copy name="id" text={card.id} store={store} />
        <Copy name="link" text={location.href} store={store} />
        {raw !== '' && <Raw page={page} />}
      </footer>
    </article>
  );
}

function Beside({ page, store, meta }: ViewProps & { page: RecordPage }): JSX.Element {
  const { card, chain, marks, session, around, cited_by } = page;
  return (
    <>
      {page.files.length > 0 && <CitedFiles page={page} store={store} canCompare={meta.live} />}
      <Chain chain={chain} id={card.id} />
      {marks.length > 0 && <Marks marks={marks} />}
      <Provenance page={page} />
      <Cards title="Its session" cards={session} id={card.id} more={card.session} />
      <Cards title="Around that time" cards={around} id={card.id} />
      <Cards title="Cited by" cards={cited_by} id={card.id} />
    </>
  );
}

/** Links back, and to the records before and after this one; they keep the keyboard focus while paging. */
function Neighbours({ page }: { page: RecordPage | undefined }): JSX.Element {
  return (
    <nav class="neighbours" aria-label="Records">
      <a href={linkTo({ view: 'feed' })}>All records</a>
      <span class="line">
        <button type="button" class="quiet" aria-disabled={!next(page, -1)} onClick={() => step(page, -1)}>
          <span aria-hidden="true">↑ </span>Newer
        </button>
        <button type="button" class="quiet" aria-disabled={!next(page, 1)} onClick={() => step(page, 1)}>
          <span aria-hidden="true">↓ </span>Older
        </button>
      </span>
    </nav>
  );
}

/** A placeholder as high as most records, so that little moves when the record loads. */
function Waiting(): JSX.Element {
  return (
    <article class="panel record waiting" aria-busy="true" aria-label="The record is on its way">
      <div class="skeleton" style={{ width: '30%' }} />
      <div class="skeleton high" style={{ width: '80%' }} />
      <div class="skeleton" style={{ width: '50%' }} />
      <div class="skeleton text" />
    </article>
  );
}

function Raw({ page: { path, raw } }: { page: RecordPage }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="raw" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        The file <PlainText class="mono soft" text={path} />
      </summary>
      {/* It may be a megabyte. A scrolling region must be reachable by keyboard. */}
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre class="wrap" tabIndex={0}>
          {withoutTurns(raw)}
        </pre>
      )}
    </details>
  );
}

function next(page: RecordPage | undefined, by: 1 | -1): string | undefined {
  if (page === undefined) return undefined;
  const at = page.around.findIndex(({ id }) => id === page.card.id);
  return at < 0 ? undefined : page.around[at - by]?.id;
}

/** Goes to the next older record (1) or the next newer one (-1); a step back still leads to the list. */
function step(page: RecordPage | undefined, by: 1 | -1): void {
  const id = next(page, by);
  if (id !== undefined) go({ view: 'record', id }, { replace: true });
}

function leave(): void {
  if (history.length > 1) history.back();
  else go({ view: 'feed' });
}

/** Copies a text to the clipboard, and confirms it. */
function Copy({ text, name, store }: { text: string; name: string; store: Store }): JSX.Element {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      store.say(`The ${name} is copied.`);
    } catch {
      store.say(`The browser does not let pages copy. The ${name}: ${text}`, { level: 'error' });
    }
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      Copy {name}
    </button>
  );
}

/** The marks on a record, who made each, and whether it is active. */
function Marks({ marks }: { marks: RecordPage['marks'] }): JSX.Element {
  return (
    <section class="panel" aria-labelledby="marks">
      <h2 id="marks">Marks</h2>
      <ul class="said">
        {marks.map(({ id, type, reason, by, created, trust, active, guards = [] }) => (
          <li key={id}>
            <strong>{type}</strong> <time class="soft">{wholeDate(created)}</time>{' '}
            <span class="soft">
              by <PlainText text={by} />
            </span>{' '}
            {!active && <span class="state off">not active</span>}{' '}
            {trust === 'unreviewed' && <span class="state bad">unreviewed</span>}
            {guards.length > 0 && (
              <p>
                Guards <PlainText text={guards.join(', ')} />
              </p>
            )}
            {reason && (
              <p>
                <PlainText text={reason} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
