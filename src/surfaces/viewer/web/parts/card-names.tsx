import type { JSX } from 'preact';
import type { Card } from '../../protocol.ts';
import { dayAndTime } from '../dates.ts';
import { linkTo } from '../route.ts';
import { PlainText, RecordLink } from './plain-text.tsx';

/** Most names in a list: several lists stand below each other, and the session and the feed have all. */
const MOST = 12;

interface CardsProps {
  title: string;
  cards: Card[];
  id: string;
  more?: string | null;
}

/** Other records by their titles, including the current one; nothing if there is no other. */
export function Cards({ title, cards, id, more }: CardsProps): JSX.Element | null {
  if (cards.every((card) => card.id === id)) return null;
  const shown = around(cards, id);
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <ol class="card-names">
        {shown.map((card) => (
          <li key={card.id} aria-current={card.id === id ? 'true' : undefined}>
            <time class="soft" dateTime={card.created}>
              {dayAndTime(card.created)}
            </time>
            {card.id === id ? (
              <strong>
                <PlainText text={card.title} />
              </strong>
            ) : (
              <RecordLink id={card.id} title={card.title} />
            )}
          </li>
        ))}
      </ol>
      {more && (
        <p class="all">
          <a href={linkTo({ view: 'feed', filters: { session: more } })}>The whole session</a>
        </p>
      )}
    </section>
  );
}

/** A window of cards with the current one in its middle. */
function around(cards: Card[], id: string): Card[] {
  const at = Math.max(
    0,
    cards.findIndex((card) => card.id === id),
  );
  const start = Math.max(0, Math.min(at - MOST / 2, cards.length - MOST));
  return cards.slice(start, start + MOST);
}
