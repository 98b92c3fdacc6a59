import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { numberOf } from '../dates.ts';
import type { Store } from '../store.ts';
import type { Visit } from '../visit.ts';
import { Card } from './card.tsx';
import { CardList } from './card-list.tsx';
import { GroupHead } from './group-head.tsx';
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
