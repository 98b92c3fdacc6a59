import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shortcuts } from './keyboard.ts';
import { Help } from './parts/help.tsx';
import { Problem } from './parts/problem.tsx';
import { ThemeSwitch } from './parts/theme-switch.tsx';
import { Toasts } from './parts/toasts.tsx';
import { go, linkTo, route, type View } from './route.ts';
import type { Source } from './source.ts';
import { createStore } from './store.ts';
import type { ViewProps } from './view-props.ts';
import { ContextView } from './views/context.tsx';
import { FeedView } from './views/feed.tsx';
import { InsightView } from './views/insight.tsx';
import { RecordView } from './views/record.tsx';
import { ReviewView } from './views/review.tsx';
import { SettingsView } from './views/settings.tsx';

const PAGES: Record<View, ComponentType<ViewProps>> = {
  feed: FeedView,
  record: RecordView,
  review: ReviewView,
  insight: InsightView,
  context: ContextView,
  settings: SettingsView,
};

/** Pages in the order of the menu; those that need a server are not offered without one. */
const MENU: { view: View; name: string; needsServer?: true }[] = [
  { view: 'feed', name: 'Feed' },
  { view: 'insight', name: 'Insight' },
  { view: 'context', name: 'Next session', needsServer: true },
  { view: 'review', name: 'Review', needsServer: true },
  { view: 'settings', name: 'Settings', needsServer: true },
];

/** The whole viewer: what surrounds every page, and the page that the address names. */
export function App({ source }: { source: Source }): JSX.Element {
  const [store] = useState(() => createStore(source));
  const { meta, problem, isConnected } = store;
  const isHelpOpen = useSignal(false);
  useEffect(() => store.start(), []);
  useEffect(() => shortcuts({ '?': () => (isHelpOpen.value = true), 'g f': () => go({ view: 'feed' }) }), []);
  useEffect(() => {
    document.title = [titleOf(route.value.view), meta.value?.repository, 'git-mem'].filter(Boolean).join(' · ');
  }, [route.value.view, meta.value]);

  const Page = PAGES[route.value.view];
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={linkTo({ view: 'feed' })}>
          <span class="mark" aria-hidden="true" />
          <span class="brand-name">{meta.value?.repository ?? 'git-mem'}</span>
          {meta.value?.branch && <span class="brand-branch">{meta.value.branch}</span>}
        </a>
        <nav aria-label="Pages">
          {MENU.filter(({ needsServer }) => !needsServer || meta.value?.live !== false).map(({ view, name }) => (
            <a key={view} href={linkTo({ view })} aria-current={route.value.view === view ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class="top-end">
          {meta.value?.live && (
            <span class={isConnected.value ? 'live on' : 'live'} role="status">
              {isConnected.value ? 'live' : 'offline'}
            </span>
          )}
          <button type="button" class="quiet" aria-label="Keyboard shortcuts" onClick={() => (isHelpOpen.value = true)}>
            ?
          </button>
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {problem.value && <Problem error={problem.value} />}
        {meta.value && <Page store={store} meta={meta.value} />}
      </main>
      <Toasts store={store} />
      {isHelpOpen.value && <Help onClose={() => (isHelpOpen.value = false)} />}
    </>
  );
}

function titleOf(view: View): string {
  return MENU.find((one) => one.view === view)?.name ?? 'Record';
}
