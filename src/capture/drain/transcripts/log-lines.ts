import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Longest line that is read, in bytes: some hold pictures and whole files, most of which is cut anyway. */
export const MAX_LINE = 4 * 1024 * 1024;

/** Small, because only the first line of most logs is read: it shows that they are about another repository. */
const CHUNK = 1 << 16;
const LINE_FEED = 10;

/** One line of a log, by its place in the file in bytes. */
export interface LogLine {
  start: number;
  /** After its line feed. */
  end: number;
  /** Undefined where it is too long to read. */
  text: string | undefined;
}

/**
 * The whole lines of a file from a byte on, however large it is; text without a line feed yet waits for one. A link in
 * the file's place is not followed. Throws system errors.
 */
export async function* linesOf(path: string, from: number): AsyncGenerator<LogLine> {
  // Non-blocking: a pipe in the log's place would wait for its other end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(CHUNK);
    let start = from;
    let held: Buffer[] = [];
    let heldBytes = 0;
    const take = (end: number): LogLine => {
      const text = end - start > MAX_LINE ? undefined : Buffer.concat(held).toString('utf8');
      const line = { start, end, text };
      start = end;
      held = [];
      heldBytes = 0;
      return line;
    };
    for (let at = from; ; ) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
      if (bytesRead === 0) break;
      for (let begin = 0; begin < bytesRead; ) {
        const feed = buffer.subarray(0, bytesRead).indexOf(LINE_FEED, begin);
        const end = feed < 0 ? bytesRead : feed;
        heldBytes += end - begin;
        // Nothing is kept of a line that is too long, so that it takes no memory.
        if (heldBytes <= MAX_LINE) held.push(Buffer.from(buffer.subarray(begin, end)));
        else held = [];
        if (feed >= 0) yield take(at + feed + 1);
        begin = end + 1;
      }
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
