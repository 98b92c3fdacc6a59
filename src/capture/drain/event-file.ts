import { sep } from 'node:path';
import { isSystemError, messageOf } from '../../errors.ts';
import { type Checkout, locate, readHead } from '../../git/locate.ts';
import { findDecoder } from '../agents/agents.ts';
import { asRecord } from '../agents/payload.ts';
import { isStrange, usable } from '../agents/understood.ts';
import type { SpooledEvent } from '../extract/turns.ts';
import { type EventHead, isNewer, readEvent, type StoredEvent } from '../spool/spool.ts';
import { notUnderstood } from './not-understood.ts';
import { completedEvents } from './session-log.ts';

/** A payload larger than this is set aside unread. */
const MAX_BYTES = 128 * 1024 * 1024;

/** What the system answers when reading a good file fails. */
const UNREADABLE = ['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM'];

/** An event that could not be read for so long is held to be unreadable. */
const UNREADABLE_MS = 3_600_000;

/** `isLogged`: no hook reported it, the host's log tells of it. */
export type Decoded = SpooledEvent & { isLogged: boolean };

/**
 * The events of a file, or why it holds none; undefined for what waits for a newer version, or where somebody else was
 * quicker. Throws system errors.
 */
type Decode = (state: string, stored: StoredEvent) => Decoded[] | string | undefined;

/** Reads files of the spool; remembers which worktrees their directories lie in. */
export function eventDecoder(options: { commonDir: string; log: (line: string) => void; nowMs: number }): Decode {
  const { commonDir, log, nowMs } = options;
  const heads = new Map<string, Checkout | undefined>();

  /** The worktree that the event's own directory lies in, else the launcher's; with the HEAD of that worktree. */
  function place(head: EventHead, cwd: string): Pick<SpooledEvent, 'root' | 'branch' | 'commit'> {
    const checkout = [cwd, head.root]
      .map(checkoutAt)
      // Of a removed worktree that lay inside another one the directory now leads to the other.
      .find(
        (found) => found?.commonDir === commonDir && !(isInside(cwd, head.root) && !isInside(found.root, head.root)),
      );
    if (checkout !== undefined && checkout.root !== head.root) return { root: checkout.root, ...readHead(checkout) };
    const { root, branch } = head;
    // The launcher reads no packed references. Another branch by now says nothing of then.
    const now = head.commit === undefined && branch && checkout ? readHead(checkout) : {};
    const commit = head.commit ?? (now.branch === branch ? now.commit : undefined);
    return { root, ...(branch && { branch }), ...(commit && { commit }) };
  }

  function checkoutAt(dir: string): Checkout | undefined {
    if (dir === '') return undefined;
    if (!heads.has(dir)) heads.set(dir, locate(dir));
    return heads.get(dir);
  }

  return (state, stored) => {
    try {
      if (stored.size > MAX_BYTES) return isNewer(state, stored.name) ? undefined : `${stored.size} bytes`;
      const read = readEvent(state, stored.name);
      if (read === undefined) return isNewer(state, stored.name) ? undefined : 'no header';
      const decoder = findDecoder(read.head.host);
      if (decoder === undefined) return `unknown host ${read.head.host}`;
      const payload: unknown = JSON.parse(read.payload);
      const at = read.head.at ?? new Date(stored.timeMs).toISOString();
      const found = usable(completedEvents(decoder, read.head.event, asRecord(payload)));
      if (found.length === 0 && isStrange(decoder, read.head.event)) log(notUnderstood(read.head));
      return found.map(({ event, at: logged }) => ({
        ...place(read.head, event.cwd),
        name: stored.name,
        at: logged ?? at,
        isLogged: logged !== undefined,
        host: read.head.host,
        event,
      }));
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined;
      // The disk's trouble and not the event's. Its turn would lack it, so all of them wait for another drain.
      if (isSystemError(error, ...UNREADABLE) && nowMs - stored.timeMs < UNREADABLE_MS) throw error;
      // The parser's message quotes the payload, which is not redacted: only its kind is logged.
      return error instanceof SyntaxError ? 'payload is not JSON' : messageOf(error);
    }
  };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
