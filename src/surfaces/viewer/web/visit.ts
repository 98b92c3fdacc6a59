import type { Filters } from '../protocol.ts';
import { type FeedPages, openFeed } from './feed-pages.ts';
import type { Left } from './parts/card-list.tsx';
import { openSearch, type Search } from './search.ts';
import type { Store } from './store.ts';

/** A feed and a search with the same filters, and where their reader was. */
export interface Visit {
  address: string;
  feed: FeedPages;
  search: Search;
  left: { feed?: Left; hits?: Left & { query: string } };
  /** The newest change that it knows of. */
  revision: string | undefined;
}

const last = new WeakMap<Store, Visit>();

/** The visit of an address: the last one where it had the same, so that a step back leads to the same place. */
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
