import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isObject, jsonIn } from '../../json.ts';
import type { Agent, LoggedEvent } from '../agents/event.ts';

/** How much of a log's end is read, in bytes: only a turn with pictures may begin before that. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The events of a payload, completed from the log that the host itself keeps of the session, where it needs one. */
export function completedEvents(
  { toEvents, log }: Pick<Agent, 'toEvents' | 'log'>,
  event: string,
  payload: Record<string, unknown>,
): LoggedEvent[] {
  const events = toEvents(event, payload);
  const path = events.length === 0 ? undefined : log?.pathFor(event, payload);
  if (log === undefined || path === undefined) return events.map((one) => ({ event: one }));
  return log.complete(events, payload, lastLines(path));
}

/** The JSON objects in the lines of a log; none if it is gone. A link in its place is not followed. */
function lastLines(path: string): Record<string, unknown>[] {
  let text: string;
  try {
    text = endOf(path);
  } catch {
    return []; // The host has removed it: the turn is recorded without it.
  }
  // A line may be cut off, or being written.
  return text.split('\n').map(jsonIn).filter(isObject);
}

function endOf(path: string): string {
  // Non-blocking: a pipe in the log's place would wait for its other end.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, MOST_BYTES));
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, read);
  } finally {
    closeSync(file);
  }
}
