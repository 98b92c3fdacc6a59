import type { JSX } from 'preact';
import type { Repository } from '../../protocol.ts';
import { go, linkTo, route } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { withoutTurns } from './plain-text.tsx';

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
