import { Fragment, type JSX } from 'preact';
import type { Filters } from '../../protocol.ts';
import type { Attention, Insight } from '../../protocol-insight.ts';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { withoutTurns } from './plain-text.tsx';

/** What each count means as a filter of the feed; those without one are counts only. */
const COUNTS: { key: Exclude<keyof Attention, 'name'>; filters?: Filters }[] = [
  { key: 'records', filters: {} },
  { key: 'stale', filters: { freshness: 'touched' } },
  { key: 'unreviewed', filters: { trust: 'unreviewed' } },
  { key: 'unused' },
  { key: 'disputed' },
];

/** How many records of each team and repository need attention. */
export function AttentionTable({ teams }: { teams: NonNullable<Insight['attention']> }): JSX.Element {
  return (
    <div class="attention">
      <table>
        <thead>
          <tr>
            <th scope="col">Team, repository</th>
            {COUNTS.map(({ key }) => (
              <th key={key} scope="col" class="number capital">
                {key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {teams.map((team) => (
            <Fragment key={team.name}>
              <Row row={team} isTeam />
              {team.repositories.map((row) => (
                <Row key={row.name} row={row} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, isTeam = false }: { row: Attention; isTeam?: boolean }): JSX.Element {
  const name = withoutTurns(row.name);
  return (
    <tr class={isTeam ? 'team' : undefined}>
      <th scope="row">
        {isTeam ? name || 'Without a team' : <a href={linkTo({ view: 'feed', repository: row.name })}>{name}</a>}
      </th>
      {COUNTS.map(({ key, filters }) => (
        <td key={key} class="number">
          {isTeam || filters === undefined || row[key] === 0 ? (
            numberOf(row[key])
          ) : (
            <a href={linkTo({ view: 'feed', repository: row.name, filters })}>{numberOf(row[key])}</a>
          )}
        </td>
      ))}
    </tr>
  );
}
