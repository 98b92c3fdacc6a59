import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Card, Commit, FileOfRecord, RecordPage } from '../../protocol.ts';
import { numberOf, since, timeOf, wholeDate } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { useLoading } from '../loading.ts';
import { Actions } from '../parts/actions.tsx';
import { StateBadges, TypeBadge } from '../parts/badges.tsx';
import { Chain } from '../parts/chain.tsx';
import { Copy } from '../parts/copy.tsx';
import { Diff } from '../parts/diff.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { go, linkTo, route } from '../route.ts';
import type { Store } from '../store.ts';
import type { ViewProps } from '../view-props.ts';

/** One record with everything that is known of it. */
export function RecordView({ store, meta }: ViewProps): JSX.Element {
  const id = route.value.id ?? '';
  const { value, problem } = useLoading(
    (signal) => store.source.record(id, signal),
    [id, store.change.value?.revision],
  );
  const page = value?.card.id.startsWith(id) ? value : undefined;
  useEffect(() => shortcuts({ Escape: () => history.back(), j: () => step(page, 1), k: () => step(page, -1) }), [page]);
  useEffect(() => scrollTo(0, 0), [id]);
  if (problem) return <Problem error={problem} />;
  if (page === undefined) return <div class="skeleton tall" />;
  const { card } = page;
  return (
    <div class="record-page">
      <article class="panel record">
        <header>
          <div class="row">
            <TypeBadge type={card.type} />
            <StateBadges card={card} />
          </div>
          <h1>
            <PlainText text={card.title} />
          </h1>
          <p class="soft">
            <time dateTime={card.created} title={wholeDate(card.created)}>
              {wholeDate(card.created)}, {since(card.created)}
            </time>
            {card.branch && (
              <>
                {' '}
                on{' '}
                <span class="mono">
                  <PlainText text={card.branch} />
                </span>
              </>
            )}
          </p>
        </header>
        <Markdown text={page.markdown} />
        {card.concepts.length > 0 && (
          <p class="row concepts">
            {card.concepts.map((concept) => (
              <a key={concept} class="chip" href={linkTo({ view: 'feed', filters: { concept: [concept] } })}>
                <PlainText text={concept} />
              </a>
            ))}
          </p>
        )}
        {meta.live && <Actions card={card} draft={draftOf(page)} store={store} meta={meta} />}
        <footer class="row">
          <Copy name="id" text={card.id} store={store} />
          <Copy name="link" text={location.href} store={store} />
          <Raw page={page} />
        </footer>
      </article>
      <aside class="beside">
        {page.files.length > 0 && <Files page={page} store={store} isLive={meta.live} />}
        <Provenance page={page} />
        {page.chain.nodes.length > 1 && (
          <section class="panel" aria-labelledby="chain">
            <h2 id="chain">What replaced what</h2>
            <Chain chain={page.chain} id={card.id} />
          </section>
        )}
        {page.marks.length > 0 && <Marks marks={page.marks} />}
        <Cards title="Its session" cards={page.session} id={card.id} more={card.session} />
        <Cards title="Around that time" cards={page.around} id={card.id} />
        <Cards title="Cited by" cards={page.cited_by} id={card.id} />
      </aside>
    </div>
  );
}

/** Goes to the next older record (1) or the next newer one (-1). */
function step(page: RecordPage | undefined, by: 1 | -1): void {
  if (page === undefined) return;
  const at = page.around.findIndex(({ id }) => id === page.card.id);
  const next = at < 0 ? undefined : page.around[at - by];
  if (next) go({ view: 'record', id: next.id });
}

function draftOf({ card, markdown, facts, files }: RecordPage) {
  const paths = (change: FileOfRecord['change']) =>
    files.filter((file) => file.change === change).map(({ path }) => path);
  return {
    type: card.type,
    title: card.title,
    subtitle: '',
    narrative: (markdown.split(/^## Facts$/m)[0] ?? '').trim(),
    facts,
    concepts: card.concepts,
    files_modified: paths('modified'),
    files_read: paths('read'),
  };
}

function Raw({ page }: { page: RecordPage }): JSX.Element {
  return (
    <details class="raw">
      <summary>
        The file <span class="mono soft">{page.path}</span>
      </summary>
      <pre class="wrap">{page.raw}</pre>
    </details>
  );
}

function Files({ page, store, isLive }: { page: RecordPage; store: Store; isLive: boolean }): JSX.Element {
  return (
    <section class="panel" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <ul class="files">
        {page.files.map((file) => (
          <FileRow
            key={file.path}
            file={file}
            id={page.card.id}
            store={store}
            canCompare={isLive && file.freshness === 'touched'}
          />
        ))}
      </ul>
    </section>
  );
}

const WORDS: Record<FileOfRecord['freshness'], string> = {
  fresh: 'unchanged since',
  touched: 'changed since',
  moved: 'moved',
  gone: 'gone',
  unknown: 'not compared',
};

function FileRow({
  file,
  id,
  store,
  canCompare,
}: {
  file: FileOfRecord;
  id: string;
  store: Store;
  canCompare: boolean;
}): JSX.Element {
  const isOpen = useSignal(false);
  const { path, freshness, change, now_at, commits_since, last_commit } = file;
  const level =
    freshness === 'fresh' ? 'good' : freshness === 'gone' ? 'bad' : freshness === 'unknown' ? 'plain' : 'warn';
  return (
    <li>
      <div class="row">
        <a class="mono path" href={linkTo({ view: 'feed', filters: { file: [path] } })}>
          <PlainText text={path} />
        </a>
        <span class={`state ${level}`}>{WORDS[freshness]}</span>
        {change === 'read' && <span class="state plain">read only</span>}
      </div>
      {now_at && (
        <p class="soft">
          now at{' '}
          <span class="mono">
            <PlainText text={now_at} />
          </span>
        </p>
      )}
      {last_commit && (
        <p class="soft">
          {commits_since !== null && `${numberOf(commits_since)} commits since, last `}
          <CommitLine commit={last_commit} />
        </p>
      )}
      {canCompare && (
        <button type="button" class="quiet" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Hide what changed' : 'What changed'}
        </button>
      )}
      {isOpen.value && <Change id={id} path={path} store={store} />}
    </li>
  );
}

function Change({ id, path, store }: { id: string; path: string; store: Store }): JSX.Element {
  const { value, problem } = useLoading((signal) => store.source.change(id, path, signal), [id, path]);
  if (problem) return <Problem error={problem} />;
  if (value === undefined) return <div class="skeleton" style={{ height: '120px' }} />;
  if (value.diff === null) return <p class="soft">What it was then is not in this repository, or is no text.</p>;
  if (value.diff === '') return <p class="soft">Nothing that a diff shows.</p>;
  return (
    <>
      <Diff text={value.diff} />
      {value.truncated && <p class="soft">Cut: `git diff` shows all of it.</p>}
    </>
  );
}

function CommitLine({ commit }: { commit: Commit }): JSX.Element {
  return (
    <span>
      <code>{commit.commit.slice(0, 9)}</code> <PlainText text={commit.subject} />, {commit.author}, {since(commit.at)}
    </span>
  );
}

function Provenance({ page: { card, provenance } }: { page: RecordPage }): JSX.Element {
  const { by, extractor, prompt, trust_reason, added, landed, pull_request, discovery_tokens, read_tokens } =
    provenance;
  return (
    <section class="panel" aria-labelledby="provenance">
      <h2 id="provenance">Where it comes from</h2>
      <dl class="facts">
        <dt>Written by</dt>
        <dd>{[by, extractor].filter(Boolean).join(', ')}</dd>
        {prompt && (
          <>
            <dt>Asked for</dt>
            <dd class="clamp">{prompt}</dd>
          </>
        )}
        <dt>Trust</dt>
        <dd>{trust_reason}</dd>
        {landed && (
          <>
            <dt>The work</dt>
            <dd>
              <CommitLine commit={landed} />
            </dd>
          </>
        )}
        {added && added.commit !== landed?.commit && (
          <>
            <dt>The record</dt>
            <dd>
              <CommitLine commit={added} />
            </dd>
          </>
        )}
        {pull_request && (
          <>
            <dt>Pull request</dt>
            <dd>{pull_request}</dd>
          </>
        )}
        {card.session && (
          <>
            <dt>Session</dt>
            <dd>
              <a class="mono" href={linkTo({ view: 'feed', filters: { session: card.session } })}>
                {card.session.slice(0, 13)}
              </a>
            </dd>
          </>
        )}
        <dt>Tokens</dt>
        <dd>
          {discovery_tokens !== null && `${numberOf(discovery_tokens)} to find out, `}
          {numberOf(read_tokens)} to read
        </dd>
      </dl>
    </section>
  );
}

function Marks({ marks }: { marks: RecordPage['marks'] }): JSX.Element {
  return (
    <section class="panel" aria-labelledby="marks">
      <h2 id="marks">What was said of it</h2>
      <ul class="cards-small">
        {marks.map(({ id, type, reason, created, trust, stands }) => (
          <li key={id}>
            <span class="soft">{wholeDate(created)}</span> <strong>{type}</strong>{' '}
            {!stands && <span class="state off">does not count</span>}{' '}
            {trust === 'unreviewed' && <span class="state bad">unreviewed</span>}
            {reason && <p>{reason}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cards({
  title,
  cards,
  id,
  more,
}: {
  title: string;
  cards: Card[];
  id: string;
  more?: string | null;
}): JSX.Element | null {
  if (cards.every((card) => card.id === id)) return null;
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <ol class="cards-small">
        {cards.map((card) => (
          <li key={card.id} aria-current={card.id === id ? 'true' : undefined}>
            <span class="soft">{timeOf(card.created)}</span>{' '}
            {card.id === id ? <strong>{card.title}</strong> : <RecordLink id={card.id} title={card.title} />}
          </li>
        ))}
      </ol>
      {more && <a href={linkTo({ view: 'feed', filters: { session: more } })}>All of them</a>}
    </section>
  );
}
