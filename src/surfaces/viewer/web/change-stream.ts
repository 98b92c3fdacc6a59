import type { ChangeEvent } from '../protocol.ts';

/** A change, or whether the stream is connected. */
type News = ChangeEvent | boolean;

/** What a page that opens later asks the one with the stream. */
const QUESTION = 'connected?';

/**
 * Calls back with every change and whenever the connection comes or goes, until the returned function is called.
 * Browsers open six connections to a server, and each stream occupies one: the pages of one browser share the stream
 * of the page that holds the lock, and when that one is closed, the next one opens its own.
 */
export function followChanges(onNews: (news: News) => void): () => void {
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
