import type { JSX } from 'preact';
import type { Repository } from '../../protocol.ts';
import { go, linkTo, route, type ViewProps } from '../route.ts';
import { Dialog } from './form.tsx';
import { withoutTurns } from './plain-text.tsx';

type Key = [keys: string[], what: string];

const KEYS: Key[] = [
  [['/'], 'find'],
  [['j', 'k'], 'next and previous record'],
  [['Enter'], 'open the record'],
  [['Esc'], 'leave the search, go back, close what is open'],
];

/** For the selected records, else the current one. */
const WRITING: Key[] = [
  [['x'], 'select or deselect'],
  [['v'], 'verify'],
  [['r'], 'retire'],
  [['e'], 'edit'],
  [['n'], 'write a new record'],
];

/** The list of keyboard shortcuts. */
export function Help(props: {
  pages: { key: string; name: string }[];
  canWrite: boolean;
  onClose: () => void;
}): JSX.Element {
  const { pages, canWrite, onClose } = props;
  const keys: Key[] = [
    ...KEYS,
    ...(canWrite ? WRITING : []),
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
    // A record belongs to one repository.
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
      <h1 id="choose">Which repository?</h1>
      <ul>
        {repositories.map(({ name, root, problem }) => (
          <li key={name} class="line">
            <a href={linkTo({ ...route.value, repository: name })}>{withoutTurns(name)}</a>
            <span class="soft">{withoutTurns(problem ?? root)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
