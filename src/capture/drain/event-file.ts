import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isSystemError, messageOf } from '../../errors.ts';
import { type Checkout, locate, readHead } from '../../git/locate.ts';
import { isInside } from '../../git/paths.ts';
import { isObject, jsonIn } from '../../json.ts';
import type { Environment } from '../../user-folders.ts';
import { findDecoder } from '../agents/agents.ts';
import type { Agent, AgentLog, LoggedEvent } from '../agents/event.ts';
import { asRecord, asText } from '../agents/payload.ts';
import type { SpooledEvent } from '../extract/turns.ts';
import { type EventHead, readEvent, type StoredEvent } from '../spool/spool.ts';
import { findLogs } from './transcripts/logs.ts';

/** A payload larger than this is set aside unread: parsed, it would take several times as much memory. */
const MAX_BYTES = 128 * 1024 * 1024;

/** System errors with which reading a valid file may fail. */
const UNREADABLE = ['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM'];

/** An event that could not be read for an hour counts as unreadable: a full or remounted disk is back by then. */
const UNREADABLE_MS = 3_600_000;

/** `isLogged`: reported by the host's log, not by a hook. */
export type Decoded = SpooledEvent & { isLogged: boolean };

export interface Decoding {
  commonDir: string;
  env: Environment;
  log: (line: string) => void;
  nowMs: number;
}

/**
 * Reads spool files, and remembers which worktrees their directories are in. Gives a file's events, or why it holds none;
 * undefined if another process was quicker. Throws system errors.
 */
export function eventDecoder({ commonDir, env, log, nowMs }: Decoding) {
  const heads = new Map<string, Checkout | undefined>();

  /** The worktree that holds the event's own directory, else the launcher's; with the HEAD of that worktree. */
  function place(head: EventHead, cwd: string): Pick<SpooledEvent, 'root' | 'branch' | 'commit' | 'head'> {
    // The directory of a removed worktree that was inside another one now resolves to that other one.
    const isOther = (root: string) => isInside(cwd, head.root) && !isInside(root, head.root);
    const found = [cwd, head.root].map(checkoutAt);
    const checkout = found.find((one) => one?.commonDir === commonDir && !isOther(one.root));
    if (checkout !== undefined && checkout.root !== head.root) return { root: checkout.root, ...readHead(checkout) };
    const { root, branch } = head;
    // The launcher does not read packed references. If the branch has changed since, HEAD now names another commit.
    const now = head.commit === undefined && branch && checkout ? readHead(checkout) : {};
    const commit = head.commit ?? (now.branch === branch ? now.commit : undefined);
    return { root, head: head.commit, ...(branch && { branch }), ...(commit && { commit }) };
  }

  function checkoutAt(dir: string): Checkout | undefined {
    if (dir === '') return undefined;
    if (!heads.has(dir)) heads.set(dir, locate(dir));
    return heads.get(dir);
  }

  return (state: string, stored: StoredEvent): Decoded[] | string | undefined => {
    try {
      if (stored.size > MAX_BYTES) return `${stored.size} bytes`;
      const read = readEvent(state, stored.name);
      if (read === undefined) return 'no header';
      const decoder = findDecoder(read.head.host);
      if (decoder === undefined) return `unknown host ${read.head.host}`;
      const payload: unknown = JSON.parse(read.payload);
      const at = read.head.at ?? new Date(stored.timeMs).toISOString();
      const { host, event: name } = read.head;
      const reported = completedEvents(decoder, name, asRecord(payload), { env, at });
      // A tool call without the tool's name is not one.
      const found = reported.filter(({ event }) => event.kind !== 'tool' || event.call.tool !== '');
      // A newer client may send what this version does not understand.
      const { events = [], quiet = [] } = decoder;
      if (found.length === 0 && events.includes(name) && !quiet.includes(name)) log(notUnderstood(read.head));
      return found.map(({ event, at: logged }) => ({
        ...place(read.head, event.cwd),
        // A log reports an event only later, so HEAD at that time is not known.
        ...(logged !== undefined && { head: undefined }),
        name: stored.name,
        at: logged ?? at,
        isLogged: logged !== undefined,
        host,
        event,
      }));
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined;
      // A disk error, not a bad event. Its turn would be incomplete without it, so all events wait for another drain.
      if (isSystemError(error, ...UNREADABLE) && nowMs - stored.timeMs < UNREADABLE_MS) throw error;
      // The parser's message quotes the payload, which is not redacted: only its kind is logged.
      return error instanceof SyntaxError ? 'payload is not JSON' : messageOf(error);
    }
  };
}

/** How much of a log's end is read, in bytes: only a turn with pictures may begin before that. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The events of a payload, completed from the log that the host itself keeps of the session, where it needs one. */
export function completedEvents(
  { toEvents, log }: Pick<Agent, 'toEvents' | 'log'>,
  event: string,
  payload: Record<string, unknown>,
  { env, at }: { env: Environment; at: string },
): LoggedEvent[] {
  const events = toEvents(event, payload);
  const path = log?.event === event && events.length > 0 ? logOf(log, payload, env) : '';
  if (log === undefined || path === '') return events.map((one) => ({ event: one }));
  return log.complete(events, payload, lastLines(path), at);
}

function logOf({ path }: AgentLog, payload: Record<string, unknown>, env: Environment): string {
  if (typeof path === 'string') return asText(payload[path]);
  const files = path.files.replace(/\{(\w+)\}/, (_, key) => asText(payload[key]));
  return findLogs({ ...path, files }, '', env)[0]?.path ?? '';
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
  // Non-blocking: opening a pipe in the log's place would wait for its other end.
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

/** The line of `hook.log` about a payload that was not understood. */
function notUnderstood({ host, event }: Pick<EventHead, 'host' | 'event'>): string {
  return `payload of ${host} ${event}: not understood`;
}

const LINE = / payload of (\S+) (\S+): not understood$/;

/** The host and event that such a line names; undefined for all other lines. */
export function readNotUnderstood(line: string): { host: string; event: string } | undefined {
  const [, host, event] = LINE.exec(line) ?? [];
  return host === undefined || event === undefined ? undefined : { host, event };
}
