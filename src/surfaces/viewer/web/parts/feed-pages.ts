import { batch, type Signal, signal } from '@preact/signals';
import { asError } from '../../../../errors.ts';
import type { Card, FeedPage, Filters } from '../../protocol.ts';
import type { Source } from '../source.ts';
import { openSearch, type Search, type Store } from '../store.ts';
import type { Left } from './card-list.tsx';

/**
 * How many records one request asks for, a few screens of them, and how many such pages stay in memory, so that a step back needs
 * no request and a memory of any size takes little room.
 */
const PAGE = { size: 100, kept: 15 };

interface Page {
  items: Card[];
  /** Shown until its new state has loaded. */
  isStale: boolean;
}

/** The pages in memory, in the order of last use: the one used longest ago goes first. */
class PageWindow {
  /** The id of the feed's first record, when it was last seen. */
  firstId: string | undefined;
  private readonly pages = new Map<number, Page>();

  keep(number: number, items: Card[]): void {
    this.pages.delete(number);
    this.pages.set(number, { items, isStale: false });
    if (number === 0) this.firstId = items[0]?.id;
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= PAGE.kept) break;
      this.pages.delete(oldest);
    }
  }

  at(index: number): Card | undefined {
    return this.pages.get(Math.floor(index / PAGE.size))?.items[index % PAGE.size];
  }

  /** Tells whether a page need not be loaded; using it keeps it in memory. */
  isFresh(number: number): boolean {
    const page = this.pages.get(number);
    if (page === undefined) return false;
    this.pages.delete(number);
    this.pages.set(number, page);
    return !page.isStale;
  }

  /** All are loaded again when they are wanted, and shown until then. */
  expire(): void {
    for (const page of this.pages.values()) page.isStale = true;
  }

  clear(): void {
    this.pages.clear();
  }
}

/**
 * The feed of records that pass the filters; only the pages near the reader's position are kept. Long because the pages, the
 * pending requests and what waits are one state: each answer moves all three.
 */
function openFeed(source: Source, filters: Filters) {
  const total = signal<number | undefined>(undefined);
  const [version, waiting] = [signal(0), signal(0)];
  const problem = signal<Error | undefined>(undefined);
  const pages = new PageWindow();
  const asked = new Map<number, AbortController>();
  let refreshing: AbortController | undefined;

  function drop(stop: (number: number) => boolean): void {
    for (const [number, controller] of asked) {
      if (!stop(number)) continue;
      controller.abort();
      asked.delete(number);
    }
  }

  async function load(number: number): Promise<void> {
    const stop = new AbortController();
    asked.set(number, stop);
    try {
      // Waiting records are above the first one: the server counts them, this list does not yet.
      const offset = number * PAGE.size + waiting.value;
      const answer = await source.feed(filters, { offset, limit: PAGE.size }, stop.signal);
      if (stop.signal.aborted) return;
      batch(() => {
        pages.keep(number, answer.items);
        total.value = Math.max(0, answer.total - waiting.value);
        version.value++;
      });
    } catch (error) {
      if (!stop.signal.aborted) problem.value = asError(error);
    } finally {
      if (asked.get(number) === stop) asked.delete(number);
    }
  }

  function take(answer: FeedPage, newer: number): void {
    if (newer > 0 || answer.total !== total.value) pages.clear();
    pages.expire();
    pages.keep(0, answer.items);
    total.value = answer.total;
    waiting.value = 0;
  }

  function holdBack(answer: FeedPage, newer: number): void {
    pages.expire();
    waiting.value = newer;
    total.value = Math.max(0, answer.total - newer);
  }

  async function refresh({ isAtTop }: { isAtTop: boolean }): Promise<void> {
    refreshing?.abort();
    drop(() => true);
    const stop = new AbortController();
    refreshing = stop;
    try {
      const answer = await source.feed(filters, { offset: 0, limit: PAGE.size }, stop.signal);
      if (stop.signal.aborted) return;
      drop(() => true);
      const newer = newerThan(pages.firstId, answer, total.value);
      batch(() => {
        problem.value = undefined;
        if (isAtTop) take(answer, newer);
        else holdBack(answer, newer);
        version.value++;
      });
    } catch (error) {
      if (!stop.signal.aborted) problem.value = asError(error);
    }
  }

  return {
    /** Undefined until the first answer. */
    total,
    /** Increases with every change that needs a redraw. */
    version,
    /** New records above the first one, held back while the reader is further down. */
    waiting,
    problem,
    /** Reloads: new records are shown if `isAtTop`, and wait if they would move what is being read. */
    refresh,
    /** The record at a position; undefined until its page has loaded. */
    at: (index: number) => pages.at(index),
    /** Requests the pages of these positions, and cancels requests for others. */
    want(first: number, last: number): void {
      // After a failure the source is not asked again at every scroll.
      if (problem.value) return;
      const from = Math.floor(Math.max(first, 0) / PAGE.size);
      const to = Math.floor(Math.max(last, 0) / PAGE.size);
      drop((number) => number < from || number > to);
      for (let number = from; number <= to; number++) {
        if (!pages.isFresh(number) && !asked.has(number)) void load(number);
      }
    },
    close() {
      refreshing?.abort();
      drop(() => true);
    },
  };
}

/** How many records of the answer are above the former first one. */
function newerThan(firstId: string | undefined, { items, total }: FeedPage, before: number | undefined): number {
  if (before === undefined) return 0;
  const place = firstId === undefined ? -1 : items.findIndex(({ id }) => id === firstId);
  return place >= 0 ? place : Math.max(0, total - before);
}

/** A feed and a search with the same filters, and the reader's position. */
export interface Visit {
  address: string;
  feed: ReturnType<typeof openFeed>;
  search: Search;
  left: { feed?: Left; hits?: Left & { query: string } };
  chosen: Signal<ReadonlyMap<string, Card>>;
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
  const visit: Visit = {
    address,
    feed,
    search: openSearch(store.source),
    left: {},
    chosen: signal(new Map()),
    revision,
  };
  last.set(store, visit);
  return visit;
}
