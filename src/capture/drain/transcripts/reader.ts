import { blobId } from '../../../memory/id.ts';
import type { AgentEvent, LogLine, Said, SessionLogs, Where } from '../../agents/event.ts';
import { isRecord } from '../../agents/payload.ts';

/** An event that a log reports. */
export interface Heard {
  /** ISO 8601, UTC. */
  at: string;
  branch: string;
  event: AgentEvent;
}

/** Reads the lines of one log, in order. */
export interface Reader {
  /** The events that a line reports; undefined if it is not JSON, or reports an event without a time. */
  read(text: string): Heard[] | undefined;
  /** Ends a turn whose last reply was not followed by anything. */
  endTurn(): Heard[];
  /** Whether the last reply may still be followed by something of its turn. */
  readonly isReplying: boolean;
  /** The session's directory; empty until the log names it. */
  readonly cwd: string;
  /** The SHA-256 of its repository's directory; empty until the log names it. */
  readonly hash: string;
}

const WORDS = ['session', 'cwd', 'branch', 'turn'] as const satisfies (keyof Where)[];

/** A reader of one log of a host. */
export function createReader(logs: SessionLogs): Reader {
  const readLine = logs.open();
  const where: Where = { session: '', cwd: '', branch: '', turn: '' };
  let hash = '';
  let reply: { said: Said; at: string; identity: string } | undefined;

  function read(text: string): Heard[] | undefined {
    const line = parsed(text);
    if (line === undefined) return undefined;
    const found = isRecord(line) ? readLine(line) : undefined;
    return found === undefined ? [] : follow(found, blobId(text).slice(0, 16));
  }

  function follow({ at: lineAt, where: own, hash: named, said = [] }: LogLine, line: string): Heard[] | undefined {
    hash ||= named ?? '';
    // The turn before has to end before the next one sets its id.
    const heard = said.some(({ role }) => role === 'prompt') ? endTurn() : [];
    for (const word of WORDS) where[word] = own?.[word] || where[word];
    for (const [i, one] of said.entries()) {
      const at = one.at ?? lineAt;
      const identity = one.id || `${line} ${i}`;
      if (one.role === 'call' || one.role === 'turn-end') reply = undefined;
      if (one.role === 'reply') {
        if (at !== undefined) reply = { said: one, at, identity };
        continue;
      }
      const events = tell(one, at ?? '', identity);
      if (events.length > 0 && at === undefined) return undefined;
      heard.push(...events);
    }
    return heard;
  }

  function endTurn(): Heard[] {
    const last = reply;
    reply = undefined;
    return last === undefined ? [] : tell(last.said, last.at, last.identity);
  }

  function tell(said: Said, at: string, identity: string): Heard[] {
    return said
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller counts it.
  }
}
