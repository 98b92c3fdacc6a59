import type { ServerResponse } from 'node:http';
import type { ChangeEvent } from './protocol.ts';

/** The open pages: a stream of server-sent events for each. */
export interface Audience {
  /** Adds a stream; false if there is no room. */
  join(response: ServerResponse): boolean;
  send(change: ChangeEvent): void;
  close(): void;
}

/** Most streams at once: each holds one of the six connections that a browser opens to a server. */
export const MOST_PAGES = 4;

/** How often an open stream gets a comment, so that a stream whose page is gone is noticed. */
const BEAT_MS = 15_000;

/** Calls `onEmpty` when the last page has left, and `onJoin` whenever one joins. */
export function createAudience({ onEmpty, onJoin }: { onEmpty: () => void; onJoin: () => void }): Audience {
  const streams = new Set<ServerResponse>();
  const beat = setInterval(() => {
    for (const stream of streams) stream.write(': still here\n\n');
  }, BEAT_MS);
  beat.unref();

  return {
    join(response) {
      if (streams.size >= MOST_PAGES) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      response.write('retry: 1000\n\n');
      streams.add(response);
      onJoin();
      response.on('close', () => {
        if (streams.delete(response) && streams.size === 0) onEmpty();
      });
      return true;
    },
    send(change) {
      // JSON has no bare line breaks, so one line is one event.
      for (const stream of streams) stream.write(`event: change\ndata: ${JSON.stringify(change)}\n\n`);
    },
    close() {
      clearInterval(beat);
      for (const stream of streams) stream.end();
      streams.clear();
    },
  };
}
