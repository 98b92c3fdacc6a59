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
    watch: (onChange, onState) =>
      followChanges((news) => {
        if (typeof news === 'boolean') onState(news);
        else if (repository === undefined || news.repository === repository) onChange(news);
      }),
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

/** A change, or whether the stream is connected. */
type News = ChangeEvent | boolean;

/** What a page that opens later asks the one with the stream. */
const QUESTION = 'connected?';

/**
 * Calls back with every change and whenever the connection comes or goes, until the returned function is called.
 * Browsers open six connections to a server, and each stream occupies one: the pages of one browser share the stream
 * of the page that holds the lock, and when that one is closed, the next one opens its own.
 */
function followChanges(onNews: (news: News) => void): () => void {
  const others = new BroadcastChannel('git-mem-changes');
  const closing = new AbortController();
  let stream: EventSource | undefined;
  const tell = (news: News) => {
    onNews(news);
    others.postMessage(news);
  };
  const open = () =>
    new Promise<void>((done) => {
      const events = new EventSource('api/events');
      stream = events;
      events.addEventListener('open', () => tell(true));
      events.addEventListener('error', () => tell(false));
      events.addEventListener('change', ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as ChangeEvent));
      closing.signal.addEventListener('abort', () => {
        events.close();
        done();
      });
    });
  others.addEventListener('message', ({ data }: MessageEvent<News | typeof QUESTION>) => {
    if (data !== QUESTION) onNews(data);
    else if (stream) others.postMessage(stream.readyState === EventSource.OPEN);
  });
  others.postMessage(QUESTION);
  // A hub without encryption is no place where pages get locks: there each has its own stream.
  if (!('locks' in navigator)) void open();
  else {
    navigator.locks.request('git-mem-changes', { signal: closing.signal }, open).catch(() => {
      // Closed before its turn came.
    });
  }
  return () => {
    closing.abort();
    others.close();
  };
}
