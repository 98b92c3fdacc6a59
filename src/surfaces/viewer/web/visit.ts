import type { Filters } from '../protocol.ts';
import { type FeedPages, openFeed } from './feed-pages.ts';
import type { Left } from './parts/card-list.tsx';
import { openSearch, type Search } from './search.ts';
import type { Store } from './store.ts';

/** A feed and a search with the same filters, and the reader's position. */
export interface Visit {
  address: string;
  feed: FeedPages;
  search: Search;
  left: { feed?: Left; hits?: Left & { query: string } };
  /** The newest change that it includes. */
  revision: string | undefined;
}

const last = new WeakMap<Store, Visit>();

/**
 * The visit for an address: the last one if its address was the same, so that a step back leads to the same position.
 */
export function visitOf(store: Store, address: string, filters: Filters): Visit {
  const before = last.get(store);
  if (before?.address === address) return before;
  before?.feed.close();
  before?.search.close();
  const revision = store.change.peek()?.revision;
  const feed = openFeed(store.source, filters);
  const visit: Visit = { address, feed, search: openSearch(store.source), left: {}, revision };
  last.set(store, visit);
  return visit;
}
