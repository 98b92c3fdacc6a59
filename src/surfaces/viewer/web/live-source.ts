import type { ChangeEvent, Failure } from '../protocol.ts';
import { queryOf } from './route.ts';
import { type Source, SourceError } from './source.ts';

/** A source that asks the server that the page came from, about one of its repositories if it is named. */
export function liveSource(repository?: string): Source {
  const ask = <T>(path: string, init?: RequestInit) => answerOf<T>(`api/${withRepository(path, repository)}`, init);
  const get = <T>(path: string, signal?: AbortSignal) => ask<T>(path, signal && { signal });
  return {
    meta: () => get('meta'),
    feed: (filters, page, signal) => get(`feed?${queryOf(filters, page)}`, signal),
    search: (q, filters, limit, signal) => get(`search?${queryOf(filters, { q, limit })}`, signal),
    record: (id, signal) => get(`record/${encodeURIComponent(id)}`, signal),
    context: (signal) => get('context', signal),
    inbox: (signal) => get('inbox', signal),
    sessions: (limit, signal) => get(`sessions?${queryOf({}, { limit })}`, signal),
    session: (id, signal) => get(`sessions/${encodeURIComponent(id)}`, signal),
    review: (base = '', signal) => get(`review?${queryOf({}, { base })}`, signal),
    act: (action) => ask('act', posted(action)),
    async signOut() {
      const { to } = await answerOf<{ to: string }>('sign-out', posted({}));
      location.assign(to);
    },
    watch: (onChange, ...others) =>
      followChanges(
        (change) => {
          if (repository === undefined || change.repository === repository) onChange(change);
        },
        ...others,
      ),
  };
}

function posted(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function withRepository(path: string, repository: string | undefined): string {
  if (repository === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}repository=${encodeURIComponent(repository)}`;
}

async function answerOf<T>(address: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new SourceError('gone', 'The viewer does not answer any more.', 'Start `git mem ui` again.');
  }
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  const { error } = body as Failure;
  // A hub whose session has ended.
  if (error.code === 'sign-in') location.assign('sign-in');
  throw new SourceError(error.code, error.message, error.hint ?? undefined);
}

/**
 * Follows changes until the returned function is called. Browsers open six connections to a server, and each stream occupies one,
 * so the server refuses a fifth page; whenever that page is shown, it asks again, and for what it missed.
 */
function followChanges(...[onChange, onState, onUnseen]: Parameters<Source['watch']>): () => void {
  let events: EventSource | undefined;
  const open = () => {
    if (events && events.readyState !== EventSource.CLOSED) return;
    if (events) onUnseen();
    events = new EventSource('api/events');
    events.addEventListener('open', () => onState(true));
    events.addEventListener('error', () => onState(false));
    events.addEventListener('change', ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as ChangeEvent));
  };
  open();
  document.addEventListener('visibilitychange', open);
  return () => {
    document.removeEventListener('visibilitychange', open);
    events?.close();
  };
}
