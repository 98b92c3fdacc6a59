import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Card as CardData } from '../../protocol.ts';
import { dayKey, dayOf, countOf as numbered, numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import type { Store } from '../store.ts';
import { Card } from './card.tsx';
import { CardList } from './card-list.tsx';
import type { Visit } from './feed-pages.ts';
import { withoutTurns } from './plain-text.tsx';
import { Problem } from './problem.tsx';

/** How many placeholders are drawn before anything has loaded: they fill a high screen. */
const UNKNOWN = 12;

/** Scrolled less than this counts as at the top, in pixels: the first record is still in sight. */
const TOP_PX = 40;

interface FeedListProps {
  store: Store;
  visit: Visit;
  isNarrowed: boolean;
  onClear: () => void;
}

/** All records in order, grouped by day and session; new ones appear at the top. */
export function FeedList({ store, visit, isNarrowed, onClear }: FeedListProps): JSX.Element {
  const { feed } = visit;
  const { change } = store;
  useEffect(() => {
    const revision = change.value?.revision;
    if (revision === visit.revision) return;
    visit.revision = revision;
    void feed.refresh({ isAtTop: scrollY < TOP_PX });
  }, [change.value, feed]);
  // Read here, so that every page that loads is drawn.
  void feed.version.value;
  const total = feed.total.value;
  const showNew = () => {
    scrollTo(0, 0);
    void feed.refresh({ isAtTop: true });
  };

  const problem = feed.problem.value && (
    <div class="feed-problem">
      <Problem error={feed.problem.value} />
      <button type="button" onClick={() => void feed.refresh({ isAtTop: scrollY < TOP_PX })}>
        Try again
      </button>
    </div>
  );
  if (total === undefined && problem) return problem;
  if (total === 0) return isNarrowed ? <NoneFits onClear={onClear} /> : <NoneYet />;
  return (
    <>
      {problem}
      <div class="news" role="status">
        {feed.waiting.value > 0 && (
          <button type="button" class="primary" onClick={showNew}>
            <span aria-hidden="true">↑ </span>
            {numberOf(feed.waiting.value)} new
          </button>
        )}
      </div>
      <CardList
        label="Records, the newest first"
        listing={{ count: total ?? UNKNOWN, at: feed.at, want: feed.want, generation: feed.generation.value }}
        draw={(card, index, titleId) => (
          <div class={feed.arrived.value.has(card.id) ? 'arrived' : undefined}>
            <GroupHead at={feed.at} index={index} />
            <Card card={card} when="time" titleId={titleId} />
          </div>
        )}
        from={visit.left.feed}
        onLeave={(left) => {
          visit.left.feed = left;
        }}
      />
    </>
  );
}

function NoneYet(): JSX.Element {
  return (
    <div class="empty">
      <h2>No records yet</h2>
      <p>
        <code>git mem init</code> sets this repository up. Then work as always: what the agent learns appears here by
        itself, and <code>git mem add</code> writes a record by hand.
      </p>
    </div>
  );
}

/** No record matches; if filters are set, one click removes them. */
export function NoneFits({ onClear, isSearch = false }: { onClear?: () => void; isSearch?: boolean }): JSX.Element {
  return (
    <div class="empty">
      <h2>{isSearch ? 'Nothing found' : 'No record fits these filters'}</h2>
      <p>{isSearch ? 'Try fewer or other words.' : 'Superseded and retired records are shown when asked for.'}</p>
      {onClear && (
        <button type="button" onClick={onClear}>
          Clear the filters
        </button>
      )}
    </div>
  );
}

/** How far to look for the end of a session, at every draw: one page of the feed. */
const FARTHEST = 100;

interface GroupHeadProps {
  at: (index: number) => CardData | undefined;
  index: number;
}

/**
 * The heading above a card that begins a day or a session: this depends on its neighbours, so it is drawn with the
 * card.
 */
function GroupHead({ at, index }: GroupHeadProps): JSX.Element | null {
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
function countOf(at: (index: number) => CardData | undefined, index: number): string {
  const first = at(index);
  const isSame = (card: CardData | undefined) =>
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
