import type { ComponentChildren, JSX } from 'preact';
import type { Card as CardOf } from '../../protocol.ts';
import { dateOf, wholeDate } from '../dates.ts';
import { linkTo, recordPlace } from '../route.ts';
import { StateBadges, TypeBadge } from './badges.tsx';
import { PlainText, withoutTurns } from './plain-text.tsx';

interface CardProps {
  card: CardOf;
  words: string[];
  snippet: string;
  titleId: string;
  /** Before everything else: whether it is selected. */
  children?: ComponentChildren;
}

/** A record at a glance, on two lines. `words` are highlighted, and `snippet` is shown instead of the excerpt. */
export function Card({ card, words, snippet, titleId, children }: CardProps): JSX.Element {
  const isOff = card.retired || card.redacted || card.superseded_by.length > 0;
  const [file, ...others] = new Set(card.files);
  return (
    <div class={isOff ? 'card off' : 'card'}>
      <div class="card-line">
        {children}
        <TypeBadge type={withoutTurns(card.type)} />
        <h3 id={titleId}>
          <a class="whole" href={linkTo(recordPlace(card))}>
            <PlainText text={card.title || 'Untitled'} words={words} />
          </a>
        </h3>
        <StateBadges card={card} />
        {card.repository !== undefined && (
          <a class="repository" href={linkTo({ view: 'feed', repository: card.repository })}>
            <bdi>{withoutTurns(card.repository)}</bdi>
          </a>
        )}
        <PlainText class="author soft" text={card.author} />
        <time class="soft" dateTime={card.created} title={wholeDate(card.created)}>
          {dateOf(card.created)}
        </time>
      </div>
      <div class="card-line soft">
        <p>
          <PlainText text={snippet || card.excerpt} words={words} />
        </p>
        {file !== undefined && (
          <a
            class="file mono"
            href={linkTo({ view: 'feed', filters: { file: [file] } })}
            title={withoutTurns([file, ...others].join('\n'))}
          >
            <bdi>{shortPath(withoutTurns(file))}</bdi>
            {others.length > 0 && ` +${others.length}`}
          </a>
        )}
      </div>
    </div>
  );
}

/** The last two parts of a path, which are enough to tell files apart. */
function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : path;
}
