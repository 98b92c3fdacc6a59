import type { JSX } from 'preact';
import type { Card as CardOf, Filters } from '../../protocol.ts';
import { since, timeOf, wholeDate } from '../dates.ts';
import { linkTo, recordPlace } from '../route.ts';
import { StateBadges, TypeBadge } from './badges.tsx';
import { PlainText, withoutTurns } from './plain-text.tsx';

/** Most concepts and files shown; the record's page has all. */
const MOST = { concepts: 3, files: 2 };

interface CardProps {
  card: CardOf;
  words?: string[];
  snippet?: string;
  when?: 'time' | 'ago';
  titleId?: string;
}

/**
 * A record at a glance. `words` are highlighted, `snippet` is shown instead of the excerpt, and `when` says whether a
 * heading already shows its day.
 */
export function Card({ card, words = [], snippet, when = 'ago', titleId }: CardProps): JSX.Element {
  const text = snippet || card.excerpt;
  const [concepts, files] = [[...new Set(card.concepts)], [...new Set(card.files)]];
  const isOff = card.retired || card.redacted || card.superseded_by.length > 0;
  return (
    <div class={isOff ? 'card off' : 'card'}>
      <div class="card-head">
        <TypeBadge type={withoutTurns(card.type)} />
        <h3 id={titleId}>
          <a href={linkTo(recordPlace(card))}>
            <PlainText text={card.title || 'Without a title'} words={words} />
          </a>
        </h3>
        <time dateTime={card.created} title={wholeDate(card.created)}>
          {when === 'time' ? timeOf(card.created) : since(card.created)}
        </time>
      </div>
      {text && (
        <p class="card-text soft">
          <PlainText text={text} words={words} />
        </p>
      )}
      <div class="card-foot line">
        {card.repository !== undefined && (
          <a class="narrow repository" href={linkTo({ view: 'feed', repository: card.repository })}>
            <bdi>{withoutTurns(card.repository)}</bdi>
          </a>
        )}
        <StateBadges card={card} />
        {card.branch && <Narrow filters={{ branch: card.branch }} text={card.branch} sign="⎇" what="branch" />}
        {concepts.slice(0, MOST.concepts).map((concept) => (
          <Narrow key={`#${concept}`} filters={{ concept: [concept] }} text={concept} sign="#" what="concept" />
        ))}
        <More count={concepts.length - MOST.concepts} what="concepts" />
        {files.slice(0, MOST.files).map((file) => (
          <Narrow key={`/${file}`} filters={{ file: [file] }} text={file} what="file" />
        ))}
        <More count={files.length - MOST.files} what="files" />
      </div>
    </div>
  );
}

interface NarrowProps {
  filters: Filters;
  text: string;
  what: string;
  sign?: string;
}

/** A small link to the feed with one filter. */
function Narrow({ filters, text, what, sign }: NarrowProps): JSX.Element {
  const shown = withoutTurns(text);
  return (
    <a class={`narrow ${what}`} href={linkTo({ view: 'feed', filters })} title={`${what}: ${shown}`}>
      {sign && (
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
      )}
      <bdi>{what === 'file' ? shortPath(shown) : shown}</bdi>
    </a>
  );
}

function More({ count, what }: { count: number; what: string }): JSX.Element | null {
  return count > 0 ? (
    <span class="more" title={`${count} more ${what}`}>
      +{count}
    </span>
  ) : null;
}

/** The last two parts of a path, which are enough to tell files apart. */
function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : path;
}

/** The placeholder of a card that is loading, as high as most cards are. */
export function CardSkeleton(): JSX.Element {
  return (
    <div class="card waiting" aria-hidden="true">
      <div class="skeleton wide" />
      <div class="skeleton" />
      <div class="skeleton short" />
    </div>
  );
}
