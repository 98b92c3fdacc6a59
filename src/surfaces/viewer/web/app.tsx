import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepFocus, shortcuts } from './keyboard.ts';
import { Editor, EMPTY_DRAFT } from './parts/editor.tsx';
import { Button, Problem } from './parts/form.tsx';
import { withoutTurns } from './parts/plain-text.tsx';
import { ChooseRepository, Help, RepositoryChoice } from './parts/top-bar.tsx';
import { go, linkTo, route, type View, type ViewProps } from './route.ts';
import { problemWords, type Source } from './source.ts';
import { createStore, type Store } from './store.ts';
import { ContextView } from './views/context.tsx';
import { FeedView } from './views/feed.tsx';
import { InboxView } from './views/inbox.tsx';
import { RecordView } from './views/record.tsx';
import { ReviewView } from './views/review.tsx';
import { SessionsView } from './views/sessions.tsx';

const PAGES: Record<View, ComponentType<ViewProps>> = {
  feed: FeedView,
  record: RecordView,
  review: ReviewView,
  inbox: InboxView,
  sessions: SessionsView,
  context: ContextView,
};

/** Pages in menu order, each with the key that opens it after `g`; all but the feed need a server. */
const MENU: { view: View; name: string; key: string }[] = [
  { view: 'feed', name: 'Feed', key: 'f' },
  { view: 'inbox', name: 'Inbox', key: 'w' },
  { view: 'sessions', name: 'Sessions', key: 'e' },
  { view: 'context', name: 'Next session', key: 'n' },
  { view: 'review', name: 'Review', key: 'r' },
];

/** The whole viewer. With several repositories, each keeps its own state to come back to. */
export function App({ sourceOf }: { sourceOf: (repository?: string) => Source }): JSX.Element {
  const [stores] = useState(() => new Map<string | undefined, Store>());
  useEffect(keepFocus, []);
  const { repository } = route.value;
  const store = stores.get(repository) ?? createStore(sourceOf(repository));
  stores.set(repository, store);
  return <Frame key={repository} store={store} />;
}

/** The frame, and the page that the address names. */
function Frame({ store }: { store: Store }): JSX.Element {
  const { meta, problem } = store;
  const isHelpOpen = useSignal(false);
  useEffect(() => store.start(), []);
  const isWriting = useSignal(false);
  const { view, repository } = route.value;
  const { repositories } = meta.value ?? {};
  const isOfAll = repositories !== undefined && repository === undefined;
  const unreadable = repositories?.find(({ name }) => name === repository)?.problem;
  const Page = isOfAll && view !== 'feed' ? ChooseRepository : PAGES[view];
  const isLive = meta.value?.live !== false;
  const canWrite = isLive && meta.value !== undefined && !isOfAll && !unreadable;
  const hasInbox = meta.value?.inbox === true;
  const menu = MENU.filter(({ view }) => view === 'feed' || (isLive && (view !== 'inbox' || hasInbox)));
  useEffect(() => {
    const pages = menu.map(({ view, key }) => [`g ${key}`, () => go({ view })]);
    const write = canWrite && { n: () => (isWriting.value = true) };
    return shortcuts({ ...Object.fromEntries(pages), ...write, '?': () => (isHelpOpen.value = true) });
  }, [isLive, canWrite, hasInbox]);
  useEffect(() => {
    const { name = 'Record' } = MENU.find((one) => one.view === view) ?? {};
    document.title = [name, meta.value?.repository, 'git-mem'].filter(Boolean).join(' · ');
  }, [view, meta.value]);

  return (
    <>
      <button type="button" class="hidden-visually" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Top
        store={store}
        menu={menu}
        onNew={canWrite ? () => (isWriting.value = true) : undefined}
        onHelp={() => (isHelpOpen.value = true)}
      />
      <main id="main" tabIndex={-1}>
        {problem.value && <Problem error={problem.value} />}
        {unreadable && <p class="problem">{unreadable}</p>}
        {meta.value && !unreadable && <Page store={store} meta={meta.value} canWrite={canWrite} />}
      </main>
      <Toasts store={store} />
      {isHelpOpen.value && <Help pages={menu} canWrite={canWrite} onClose={() => (isHelpOpen.value = false)} />}
      {isWriting.value && meta.value && (
        <Editor
          title="New record"
          draft={EMPTY_DRAFT}
          store={store}
          meta={meta.value}
          into="team"
          onClose={() => (isWriting.value = false)}
        />
      )}
    </>
  );
}

/** The header of every page: the repository, links to the pages, and the actions that all pages have. */
function Top(props: {
  store: Store;
  menu: typeof MENU;
  /** Undefined where nothing can be written. */
  onNew: (() => void) | undefined;
  onHelp: () => void;
}): JSX.Element {
  const { store, menu, onNew, onHelp } = props;
  const { meta, problem, isConnected } = store;
  const { repositories } = meta.value ?? {};
  const { view } = route.value;
  const pages = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // On a phone the menu is wider than the window.
    pages.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [view, menu.length]);
  return (
    <header class={meta.value || problem.value ? 'top' : 'top unknown'}>
      <a class="brand" href={linkTo({ view: 'feed' })}>
        <span class="brand-name">{repositories ? 'git-mem' : (meta.value?.repository ?? 'git-mem')}</span>
        {meta.value?.branch && !repositories && <span class="brand-branch soft">{meta.value.branch}</span>}
      </a>
      {repositories && <RepositoryChoice repositories={repositories} />}
      <nav aria-label="Pages" ref={pages}>
        {menu.map((page) => (
          <a key={page.view} href={linkTo({ view: page.view })} aria-current={page.view === view ? 'page' : undefined}>
            {page.name}
          </a>
        ))}
      </nav>
      <div class="top-end">
        {meta.value?.live && (
          <span class={isConnected.value ? 'connection on' : 'connection'} role="status">
            {isConnected.value ? 'live' : 'not live'}
          </span>
        )}
        {meta.value && onNew && (
          <button type="button" class="new" aria-label="New record" onClick={onNew}>
            <span aria-hidden="true">+</span> <span class="new-words">New record</span>
          </button>
        )}
        {meta.value?.person !== undefined && <Person name={meta.value.person} store={store} />}
        <Button name="?" class="quiet" aria-label="Keyboard shortcuts" onClick={onHelp} />
      </div>
    </header>
  );
}

function Person({ name, store }: { name: string; store: Store }): JSX.Element {
  const leave = () => void store.source.signOut().catch((error) => store.say(problemWords(error), { level: 'error' }));
  return <Button name="Sign out" class="quiet" title={`Signed in as ${withoutTurns(name)}`} onClick={leave} />;
}

function Toasts({ store }: { store: Store }): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {store.toasts.value.map(({ key, text, level, undo }) => (
        <div key={key} class={`toast ${level}`}>
          <span>{text}</span>
          {undo && <Button name="Undo" onClick={undo} />}
        </div>
      ))}
    </div>
  );
}
