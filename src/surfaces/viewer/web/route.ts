import { computed, signal } from '@preact/signals';
import type { Filters, Meta } from '../protocol.ts';
import type { Store } from './store.ts';

/** The pages. */
export const VIEWS = ['feed', 'record', 'review', 'inbox', 'sessions', 'context'] as const;
export type View = (typeof VIEWS)[number];

/** A place in the viewer; all of it is in the address, so that it can be bookmarked and sent to others. */
export interface Route {
  view: View;
  /** In a viewer of several repositories, the one that the page is about; missing for all together. */
  repository?: string;
  id?: string;
  q?: string;
  /** Parameters other than filters: a base, a tab. */
  more: Record<string, string>;
  filters: Filters;
}

const LISTS = ['kind', 'type', 'concept', 'file'] as const;
const SINGLE = ['branch', 'session', 'since', 'until', 'store', 'trust', 'freshness'] as const;

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The current place. */
export const route = computed(() => parseRoute(hash.value));

/** Parses `#/feed?type=bugfix&q=words` or `#/record/ID`; anything else is the feed. */
export function parseRoute(address: string): Route {
  const [path = '', query = ''] = address.replace(/^#\/?/, '').split('?', 2);
  const [name = '', id] = path.split('/');
  const view = VIEWS.find((one) => one === name) ?? 'feed';
  const params = new URLSearchParams(query);
  const filters: Filters = {};
  for (const key of LISTS) {
    const values = params.getAll(key).filter((value) => value !== '');
    // The server validates the values.
    if (values.length > 0) Object.assign(filters, { [key]: values });
  }
  for (const key of SINGLE) {
    const value = params.get(key);
    if (value) Object.assign(filters, { [key]: value });
  }
  if (params.get('all') === '1') filters.all = true;
  const q = params.get('q') ?? '';
  const repository = params.get('repository');
  const known = new Set<string>([...LISTS, ...SINGLE, 'all', 'q', 'repository']);
  const more = Object.fromEntries([...params].filter(([key]) => !known.has(key)));
  return {
    view,
    ...(repository && { repository }),
    ...(id && { id: decoded(id) }),
    ...(q !== '' && { q }),
    more,
    filters,
  };
}

/** The address of a place; missing parts are empty, but it stays in the current repository. An empty one means all. */
export function linkTo({ view, id, q, more = {}, filters = {}, ...to }: Partial<Route> & { view: View }): string {
  const { repository = route.peek().repository } = to;
  const tail = queryOf(filters, { ...(repository && { repository }), ...(q && { q }), ...more });
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${tail === '' ? '' : `?${tail}`}`;
}

/** Filters and other values as a query string; lists repeat their name. */
export function queryOf(filters: Filters, more: Record<string, string | number> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (Array.isArray(value)) for (const one of value) query.append(name, one);
    else if (value) query.set(name, value === true ? '1' : value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  return query.toString();
}

/** The page of a record, which is in its own repository where several are shown. */
export function recordPlace({ id, repository }: { id: string; repository?: string }): Partial<Route> & { view: View } {
  return { view: 'record', id, ...(repository !== undefined && { repository }) };
}

/** Goes to a place; `replace` adds no history entry, for changes with every keystroke. */
export function go(to: Partial<Route> & { view: View }, { replace = false } = {}): void {
  const address = linkTo(to);
  if (address === location.hash) return;
  if (replace) {
    // The reader went elsewhere, and the event for it is still pending: that place would be replaced.
    if (location.hash !== hash.peek()) return;
    history.replaceState(null, '', address);
    hash.value = address;
  } else {
    location.hash = address;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The props of every page. */
export interface ViewProps {
  store: Store;
  meta: Meta;
  /** There is a server that writes, to one repository. */
  canWrite: boolean;
}
