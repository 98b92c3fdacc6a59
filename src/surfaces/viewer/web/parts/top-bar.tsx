import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Repository } from '../../protocol.ts';
import { go, linkTo, route, type ViewProps } from '../route.ts';
import { Dialog } from './dialog.tsx';
import { withoutTurns } from './plain-text.tsx';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const SIGNS: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' };

/** Cycles through the themes; the choice is stored in this browser. */
export function ThemeSwitch(): JSX.Element {
  const theme = useSignal<Theme>(current());
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Theme: ${theme.value}. Change to ${next}.`}
      title={`Theme: ${theme.value}`}
      onClick={() => {
        theme.value = next;
        choose(next);
      }}
    >
      <span aria-hidden="true">{SIGNS[theme.value]}</span>
    </button>
  );
}

function current(): Theme {
  return THEMES.find((one) => one === document.documentElement.dataset.theme) ?? 'system';
}

function choose(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem('git-mem-theme');
    else localStorage.setItem('git-mem-theme', theme);
  } catch {
    // Storage may be unavailable: then it applies to this page only.
  }
}

type Key = [keys: string[], what: string];

const KEYS: Key[] = [
  [['/'], 'find'],
  [['j', 'k'], 'next and previous record'],
  [['Enter'], 'open the record'],
  [['Esc'], 'leave the search, go back, close what is open'],
];

interface HelpProps {
  pages: { key: string; name: string }[];
  canWrite: boolean;
  onClose: () => void;
}

/** The list of keyboard shortcuts. */
export function Help({ pages, canWrite, onClose }: HelpProps): JSX.Element {
  const keys: Key[] = [
    ...KEYS,
    ...(canWrite ? [[['n'], 'write a new record'] satisfies Key] : []),
    ...pages.map(({ key, name }): Key => [['g', key], `go to ${name}`]),
    [['?'], 'this help'],
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {keys.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** Chooses the repository that every page is about. */
export function RepositoryChoice({ repositories }: { repositories: Repository[] }): JSX.Element {
  const { view, repository = '', q, filters } = route.value;
  const choose = (name: string) => {
    // A record is of one repository alone.
    const to = view === 'record' ? 'feed' : view;
    go({ view: to, repository: name, ...(q !== undefined && { q }), filters });
  };
  return (
    <select
      class="repository-choice"
      aria-label="Repository"
      value={repository}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">All repositories</option>
      {repositories.map(({ name, root, gone, problem }) => (
        <option key={name} value={name} title={withoutTurns(root)}>
          {withoutTurns(name)}
          {gone ? ' (gone)' : problem !== null && ' (unreadable)'}
        </option>
      ))}
    </select>
  );
}

/** In place of a page that is about one repository, while none is chosen. */
export function ChooseRepository({ meta: { repositories = [] } }: ViewProps): JSX.Element {
  return (
    <section class="panel" aria-labelledby="choose">
      <h1 id="choose">Of which repository?</h1>
      <ul class="repositories">
        {repositories.map(({ name, root, problem }) => (
          <li key={name}>
            <a href={linkTo({ ...route.value, repository: name })}>{withoutTurns(name)}</a>
            <span class={problem === null ? 'soft' : 'soft gone'}>{withoutTurns(problem ?? root)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
