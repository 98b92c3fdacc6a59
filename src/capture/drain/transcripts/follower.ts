import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { messageOf } from '../../../errors.ts';
import { type Checkout, locate } from '../../../git/locate.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import type { Environment } from '../../../user-folders.ts';
import type { LoggedHost } from '../../agents/agents.ts';
import type { SessionLogs } from '../../agents/event.ts';
import { transcript } from '../../agents/transcript.ts';
import { acceptOwn } from '../piped-events.ts';
import { readSession } from '../session-state.ts';
import { findLogs, type LogFile, type LogMemory, linesOf, lookAt } from './logs.ts';
import { createReader, type LoggedEvent, type Reader } from './reader.ts';

/** The result of a look at one log. */
export interface LogReport {
  host: string;
  path: string;
  /** Events put into the spool. */
  events: number;
  /** Lines that are not JSON, or report an event without a time. */
  unreadable: number;
  /** Lines too long to read. */
  too_long: number;
  /** Events of sessions that hooks report. */
  hooked: number;
  turn_ended: boolean;
  problem?: string;
}

export interface FollowerOptions {
  workspace: Workspace;
  env: Environment;
  memory: LogMemory;
  hosts: { host: LoggedHost; sinceMs: number }[];
  /** Sessions that the memory has from another source. */
  captured: ReadonlySet<string>;
  clock: () => Date;
  signal: AbortSignal;
}

/** Most events before the read position is noted: a kill repeats as many, and each note is a durable write. */
const BATCH = 64;

/** A reply that nothing follows for this long ends its turn: after less, a pause in mid-turn would end it. */
const QUIET_MS = 60_000;
/** So old a reply ended its turn even in a log that was just copied or restored. */
const OLD_MS = 1_800_000;

interface Followed {
  host: LoggedHost;
  sinceMs: number;
  inode: number;
  offset: number;
  reader: Reader;
  /** The log's first statement of its repository decides: a session that moves elsewhere later keeps it. */
  isOurs?: boolean | undefined;
}

/**
 * Follows the logs of some hosts: each look puts what is new in them into the spool. Long because a log's position, its
 * reader and its repository are one state: each step reads or moves all three, and notes the position after the events.
 */
export class Follower {
  private readonly options: FollowerOptions;
  private readonly belonging: Belonging;
  private readonly followed = new Map<string, Followed>();
  private readonly foreign = new Map<string, number>();
  private readonly ours = new Set<string>();
  private readonly problems = new Map<string, string>();

  constructor(options: FollowerOptions) {
    this.options = options;
    this.belonging = belongingTo(options.workspace.checkout);
  }

  /** Paths of the logs that are about this repository. */
  get logs(): string[] {
    return [...this.ours];
  }

  /** Looks for new logs and into all of them. */
  async *lookEverywhere(): AsyncGenerator<LogReport> {
    const { workspace, env, hosts } = this.options;
    for (const { host, sinceMs } of hosts)
      for (const log of findLogs(host.sessionLogs, workspace.checkout.root, env)) yield* this.look(host, sinceMs, log);
  }

  /** Looks only into logs that are already followed. */
  async *lookAgain(): AsyncGenerator<LogReport> {
    for (const [path, { host, sinceMs }] of this.followed) {
      const log = lookAt(path);
      if (log !== undefined) yield* this.look(host, sinceMs, log);
    }
  }

  private async *look(host: LoggedHost, sinceMs: number, log: LogFile): AsyncGenerator<LogReport> {
    if (this.options.signal.aborted || this.foreign.get(log.path) === log.inode) return;
    const { path } = log;
    const report = { host: host.name, path, events: 0, unreadable: 0, too_long: 0, hooked: 0, turn_ended: false };
    try {
      const isNews = await this.follow(host, sinceMs, log, report);
      this.problems.delete(path);
      if (isNews) yield report;
    } catch (error) {
      // What was read is not noted: the next look begins at the noted position.
      this.followed.delete(path);
      const problem = messageOf(error);
      // Retried every few seconds, but reported once.
      if (this.problems.get(path) !== problem) yield { ...report, problem };
      this.problems.set(path, problem);
    }
  }

  /** Tells whether there was anything to read. */
  private async follow(host: LoggedHost, sinceMs: number, log: LogFile, report: LogReport): Promise<boolean> {
    const { memory, clock } = this.options;
    const known = this.followed.get(log.path);
    const noted = known === undefined ? memory.read(log.path) : { ...known, isReplying: known.reader.isReplying };
    if (noted === undefined && log.changedMs < sinceMs) return false;
    if (noted !== undefined) this.ours.add(log.path);
    // A replaced or truncated file, or a request for older lines than before: read from the beginning.
    const isSame = noted?.inode === log.inode && log.size >= noted.offset && noted.sinceMs <= sinceMs;
    const offset = isSame ? noted.offset : 0;
    const isQuiet = clock().getTime() - log.changedMs > QUIET_MS;
    if (isSame && offset === log.size && !(noted.isReplying && isQuiet)) return false;
    // A line's meaning depends on those before it: without a reader that saw them they are read again, but not
    // reported.
    const isGoingOn = isSame && known !== undefined;
    const followed: Followed = isGoingOn
      ? known
      : { host, sinceMs, inode: log.inode, offset, reader: createReader(host.sessionLogs) };
    const isOurs = await this.readLines(log, followed, isGoingOn ? offset : 0, report);
    if (!isOurs) {
      this.foreign.set(log.path, log.inode);
      return false;
    }
    const old = new Date(clock().getTime() - OLD_MS).toISOString();
    const ended = followed.reader.endTurn(isQuiet ? undefined : old);
    if (ended.length > 0) this.keep(followed, log.path, ended, report);
    this.followed.set(log.path, followed);
    this.ours.add(log.path);
    return true;
  }

  /** Reads on from a byte; false as soon as the log turns out to be about another repository. */
  private async readLines(log: LogFile, followed: Followed, from: number, report: LogReport): Promise<boolean> {
    const { reader, host } = followed;
    const before = followed.offset;
    let batch: LoggedEvent[] = [];
    let end = before;
    for await (const line of linesOf(log.path, from)) {
      if (this.options.signal.aborted) break;
      const isNew = line.start >= before;
      const events = line.text === undefined ? [] : reader.read(line.text);
      followed.isOurs ??= this.belonging.isOurs(host.sessionLogs, reader);
      if (followed.isOurs === false) return false;
      if (!isNew) continue;
      if (line.text === undefined) report.too_long++;
      if (events === undefined && line.text?.trim() !== '') report.unreadable++;
      // Events before the log names its repository belong to no one.
      if (followed.isOurs) batch.push(...(events ?? []));
      end = line.end;
      if (batch.length < BATCH) continue;
      followed.offset = end;
      this.keep(followed, log.path, batch, report);
      batch = [];
    }
    // Stopped before the new lines: nothing to note.
    if (end === before && this.options.signal.aborted) return true;
    followed.offset = end;
    this.keep(followed, log.path, batch, report);
    return true;
  }

  /** Writes the events, then the position: a kill in between writes events twice, which their keys make harmless. */
  private keep(followed: Followed, path: string, events: LoggedEvent[], report: LogReport): void {
    const { inode, offset, sinceMs, reader } = followed;
    const hooked = new Set(this.hookedAmong(events));
    for (const one of events) {
      if (Date.parse(one.at) < sinceMs) continue;
      if (hooked.has(one.event.session)) report.hooked++;
      else this.spool(one, report);
    }
    this.options.memory.write({ path, inode, offset, sinceMs, isReplying: reader.isReplying });
  }

  private spool({ at, event }: LoggedEvent, report: LogReport): void {
    const { workspace, clock } = this.options;
    const checkout = this.belonging.checkoutAt(event.cwd);
    if (checkout === undefined) return;
    acceptOwn(workspace.layout.state, event, { checkout, atMs: Date.parse(at), nowMs: clock().getTime() });
    report.events++;
    if (event.kind === 'turn-end' || event.kind === 'session-end') report.turn_ended = true;
  }

  /** The sessions that hooks report. If the log was read before the drain ran, the drain finds out. */
  private hookedAmong(events: LoggedEvent[]): string[] {
    const { workspace, captured } = this.options;
    const sessions = [...new Set(events.map(({ event }) => event.session))];
    return sessions.filter((session) => {
      const host = captured.has(session) ? '' : readSession(workspace.layout.state, session)?.host;
      return host !== undefined && host !== transcript.name;
    });
  }
}

/** Tells which logs, and which places in them, are about one repository. */
type Belonging = ReturnType<typeof belongingTo>;

/** What belongs to the repository of a checkout, in any of its worktrees. */
function belongingTo(checkout: Checkout) {
  const known = new Map<string, Checkout | undefined>();
  const hashes = new Set([checkout.root, realpathSync(checkout.root)].map(sha256));

  /** The worktree of this repository that holds a directory; this checkout for an event without a directory. */
  function checkoutAt(cwd: string): Checkout | undefined {
    if (cwd === '') return checkout;
    if (!known.has(cwd)) {
      const found = locate(cwd);
      known.set(cwd, found?.commonDir === checkout.commonDir ? found : undefined);
    }
    return known.get(cwd);
  }

  return {
    checkoutAt,
    /** Undefined until the log says so. */
    isOurs({ belongs }: SessionLogs, { cwd, hash }: Reader): boolean | undefined {
      if (belongs === 'sha256') return hash === '' ? undefined : hashes.has(hash);
      return cwd === '' ? undefined : checkoutAt(cwd) !== undefined;
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
