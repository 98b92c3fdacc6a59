import type { JSX } from 'preact';
import type { Card } from '../../protocol.ts';
import { dayKey, dayOf, countOf as numbered } from '../dates.ts';
import { linkTo } from '../route.ts';
import { withoutTurns } from './plain-text.tsx';

/** How far to look for the end of a session, at every draw: one page of the feed. */
const FARTHEST = 100;

interface GroupHeadProps {
  at: (index: number) => Card | undefined;
  index: number;
}

/**
 * The heading above a card that begins a day or a session: this depends on its neighbours, so it is drawn with the
 * card.
 */
export function GroupHead({ at, index }: GroupHeadProps): JSX.Element | null {
  const card = at(index);
  if (!card) return null;
  const before = at(index - 1);
  const isNewDay = index === 0 || (before !== undefined && dayKey(before.created) !== dayKey(card.created));
  const isNewSession = isNewDay || (before !== undefined && before.session !== card.session);
  if (!isNewSession) return null;
  return (
    <>
      {isNewDay && <h2 class="day">{dayOf(card.created)}</h2>}
      {card.session !== null && (
        <p class="session">
          <a
            href={linkTo({
              view: 'feed',
              filters: { session: card.session },
              ...(card.repository !== undefined && { repository: card.repository }),
            })}
          >
            session <bdi class="mono">{shortId(withoutTurns(card.session))}</bdi>
          </a>
          <span>· {countOf(at, index)}</span>
        </p>
      )}
    </>
  );
}

/** How many consecutive records are of the same session and day, as far as they have loaded. */
function countOf(at: (index: number) => Card | undefined, index: number): string {
  const first = at(index);
  const isSame = (card: Card | undefined) =>
    card !== undefined &&
    first !== undefined &&
    card.session === first.session &&
    dayKey(card.created) === dayKey(first.created);
  let count = 1;
  while (count < FARTHEST && isSame(at(index + count))) count++;
  return count === FARTHEST ? `${FARTHEST}+ records` : numbered(count, 'record');
}

function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…` : id;
}
