import type { JSX } from 'preact';
import type { Card, RecordPage } from '../../protocol.ts';
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
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <ol class="card-names">
        {around(cards, id).map((card) => (
          <Name key={card.id} id={card.id} title={card.title} isCurrent={card.id === id}>
            <time class="soft" dateTime={card.created}>
              {dayAndTime(card.created)}
            </time>
          </Name>
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

/** Records that replace each other; nothing if there is no other. */
export function Chain({ chain, id }: { chain: RecordPage['chain']; id: string }): JSX.Element | null {
  if (chain.length < 2) return null;
  return (
    <section class="panel" aria-label="What replaced what">
      <h2>What replaced what</h2>
      <ol class="card-names">
        {chain.map((one) => (
          <Name key={one.id} id={one.id} title={one.title || one.id} isCurrent={one.id === id}>
            <span class="soft">{one.state}</span>
          </Name>
        ))}
      </ol>
    </section>
  );
}

/** One line: what tells a record from the others, and its title. */
function Name({
  id,
  title,
  isCurrent,
  children,
}: {
  id: string;
  title: string;
  isCurrent: boolean;
  children: JSX.Element;
}): JSX.Element {
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      {children}
      {isCurrent ? (
        <strong>
          <PlainText text={title} />
        </strong>
      ) : (
        <RecordLink id={id} title={title} />
      )}
    </li>
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
