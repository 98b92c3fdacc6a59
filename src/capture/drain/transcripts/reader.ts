import { isObject, jsonIn } from '../../../json.ts';
import { blobId } from '../../../memory/id.ts';
import type { AgentEvent, LogEntry, LogLine, SessionLogs, Where } from '../../agents/event.ts';

/** An event that a log reports. */
export interface LoggedEvent {
  /** ISO 8601, UTC. */
  at: string;
  branch: string;
  event: AgentEvent;
}

/** Reads the lines of one log, in order. */
export interface Reader {
  /** The events that a line reports; undefined if it is not JSON, or reports an event without a time. */
  read(text: string): LoggedEvent[] | undefined;
  /** Ends a turn if nothing followed its last reply and that was given before a time (ISO 8601). */
  endTurn(before?: string): LoggedEvent[];
  /** Whether the last reply may still be followed by something of its turn. */
  readonly isReplying: boolean;
  /** The session's directory; empty until the log names it. */
  readonly cwd: string;
  /** The SHA-256 of its repository's directory; empty until the log names it. */
  readonly hash: string;
}

const WORDS = ['session', 'cwd', 'branch', 'turn'] as const satisfies (keyof Where)[];

export function createReader(logs: SessionLogs): Reader {
  const readLine = logs.open();
  const where: Where = { session: '', cwd: '', branch: '', turn: '' };
  let hash = '';
  let reply: { entry: LogEntry; at: string; identity: string } | undefined;

  function read(text: string): LoggedEvent[] | undefined {
    const line = jsonIn(text);
    if (line === undefined) return undefined;
    const found = isObject(line) ? readLine(line) : undefined;
    return found === undefined ? [] : follow(found, blobId(text).slice(0, 16));
  }

  function follow(
    { at: lineAt, where: own, hash: named, entries = [] }: LogLine,
    line: string,
  ): LoggedEvent[] | undefined {
    hash ||= named ?? '';
    // The previous turn has to end before the next one sets its id.
    const reported = entries.some(({ role }) => role === 'prompt' || role === 'over') ? endTurn() : [];
    for (const word of WORDS) where[word] = own?.[word] || where[word];
    for (const [i, entry] of entries.entries()) {
      const at = entry.at ?? lineAt;
      const identity = entry.id || `${line} ${i}`;
      if (entry.role === 'call' || entry.role === 'turn-end') reply = undefined;
      if (entry.role === 'reply') {
        if (at !== undefined) reply = { entry, at, identity };
        continue;
      }
      const events = eventsOf(entry, at ?? '', identity);
      if (events.length > 0 && at === undefined) return undefined;
      reported.push(...events);
    }
    return reported;
  }

  function endTurn(before = '~'): LoggedEvent[] {
    if (reply !== undefined && reply.at >= before) return [];
    const last = reply;
    reply = undefined;
    return last === undefined ? [] : eventsOf(last.entry, last.at, last.identity);
  }

  function eventsOf(entry: LogEntry, at: string, identity: string): LoggedEvent[] {
    return entry
      .events(where)
      .filter(({ session }) => session !== '')
      .map((event) => ({
        at,
        branch: where.branch,
        event: { ...event, key: event.key ?? `${event.kind} ${identity}` },
      }));
  }

  return {
    read,
    endTurn,
    get isReplying() {
      return reply !== undefined;
    },
    get cwd() {
      return where.cwd;
    },
    get hash() {
      return hash;
    },
  };
}
