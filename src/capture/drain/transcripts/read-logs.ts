import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { GitMemError, messageOf } from '../../../errors.ts';
import { type Checkout, locate } from '../../../git/locate.ts';
import { tryLock } from '../../../memory/store/lock.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import type { Environment } from '../../../user-folders.ts';
import type { LoggedHost } from '../../agents/agents.ts';
import type { SessionLogs } from '../../agents/event.ts';
import { transcript } from '../../agents/transcript.ts';
import { acceptOwn } from '../piped-events.ts';
import { readSession } from '../session-state.ts';
import { findLogs, type LogFile, linesOf, logMemory } from './logs.ts';
import { createReader, type LoggedEvent, type Reader } from './reader.ts';

/** What was read of one log. */
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
  problem?: string;
}

export interface ReadLogsOptions {
  env: Environment;
  hosts: readonly LoggedHost[];
  /** Also reads what was written since then (milliseconds since 1970). */
  sinceMs?: number | undefined;
  /** Sessions that the memory has from another source. */
  captured: ReadonlySet<string>;
  clock: () => Date;
  signal: AbortSignal;
}

/** Most events before the read position is noted: a kill repeats up to this many, and each note is a durable write. */
const BATCH = 64;

/** A reply ends its turn if nothing follows for this long: with less, a pause in mid-turn would end it. */
const QUIET_MS = 60_000;
/** A reply this old ended its turn even in a log that was just copied or restored. */
const OLD_MS = 1_800_000;

/**
 * Spools what hosts wrote into their logs since the last time, and reports each log with something new. Throws `busy`
 * if another process does the same.
 */
export async function* readLogs(workspace: Workspace, options: ReadLogsOptions): AsyncGenerator<LogReport> {
  const { env, hosts, clock, signal } = options;
  const memory = logMemory(workspace.layout.state);
  const lock = tryLock(memory.lock);
  if (lock === undefined) {
    throw new GitMemError('busy', 'Another `git mem sync --transcripts` reads the logs of this repository.', {
      hint: 'It reads those of all worktrees: wait until it ends.',
    });
  }
  try {
    const belonging = belongingTo(workspace.checkout);
    for (const host of hosts) {
      const sinceMs = memory.since(host.name, options.sinceMs, clock().getTime());
      for (const file of findLogs(host.sessionLogs, workspace.checkout.root, env)) {
        if (signal.aborted) return;
        lock.touch();
        const log = { host, sinceMs, file, reader: createReader(host.sessionLogs), offset: 0 };
        const report = await new LogReading({ ...options, workspace, memory, belonging }, log).run();
        if (report !== undefined) yield report;
      }
    }
  } finally {
    lock.release();
  }
}

interface Surroundings extends Omit<ReadLogsOptions, 'sinceMs'> {
  workspace: Workspace;
  memory: ReturnType<typeof logMemory>;
  belonging: Belonging;
}

interface Log {
  host: LoggedHost;
  sinceMs: number;
  file: LogFile;
  reader: Reader;
  /** Bytes whose events are in the spool. */
  offset: number;
}

/**
 * One log's way into the spool. Long because its position, its reader and its report are one state: each step reads or moves
 * all three, and notes the position after the events.
 */
class LogReading {
  private readonly around: Surroundings;
  private readonly log: Log;
  private readonly report: LogReport;

  constructor(around: Surroundings, log: Log) {
    this.around = around;
    this.log = log;
    const { host, file } = log;
    this.report = { host: host.name, path: file.path, events: 0, unreadable: 0, too_long: 0, hooked: 0 };
  }

  /** Undefined where there was nothing to read, or the log is about another repository. */
  async run(): Promise<LogReport | undefined> {
    try {
      return (await this.follow()) ? this.report : undefined;
    } catch (error) {
      // What was read is not noted: the next run begins at the noted position.
      return { ...this.report, problem: messageOf(error) };
    }
  }

  private async follow(): Promise<boolean> {
    const { memory, clock } = this.around;
    const { file, reader, sinceMs } = this.log;
    const noted = memory.read(file.path);
    if (noted === undefined && file.changedMs < sinceMs) return false;
    // A replaced or truncated file, or a request for older lines than before: read from the beginning.
    const isSame = noted?.inode === file.inode && file.size >= noted.offset && noted.sinceMs <= sinceMs;
    const isQuiet = clock().getTime() - file.changedMs > QUIET_MS;
    if (isSame && noted.offset === file.size && !(noted.isReplying && isQuiet)) return false;
    this.log.offset = isSame ? noted.offset : 0;
    if (!(await this.readLines())) return false;
    const old = new Date(clock().getTime() - OLD_MS).toISOString();
    const ended = reader.endTurn(isQuiet ? undefined : old);
    if (ended.length > 0) this.keep(ended);
    return true;
  }

  /**
   * Reads all lines, as a line's meaning depends on those before it, and reports those after the noted position;
   * false as soon as the log turns out to be about another repository. The log's first statement decides: a session
   * that moves elsewhere later stays here.
   */
  private async readLines(): Promise<boolean> {
    const { belonging, signal } = this.around;
    const { reader, host, file, offset: before } = this.log;
    let isOurs: boolean | undefined;
    let batch: LoggedEvent[] = [];
    let end = before;
    for await (const line of linesOf(file.path)) {
      if (signal.aborted) break;
      const events = line.text === undefined ? [] : reader.read(line.text);
      isOurs ??= belonging.isOurs(host.sessionLogs, reader);
      if (isOurs === false) return false;
      if (line.start < before) continue;
      if (line.text === undefined) this.report.too_long++;
      if (events === undefined && line.text?.trim() !== '') this.report.unreadable++;
      // Events before the log names its repository belong to no one.
      if (isOurs) batch.push(...(events ?? []));
      end = line.end;
      if (batch.length < BATCH) continue;
      this.log.offset = end;
      this.keep(batch);
      batch = [];
    }
    // Stopped before the new lines: nothing to note.
    if (end === before && signal.aborted) return true;
    this.log.offset = end;
    this.keep(batch);
    return true;
  }

  /** Writes the events, then the position: a kill in between writes events twice, which their keys make harmless. */
  private keep(events: LoggedEvent[]): void {
    const { file, offset, sinceMs, reader } = this.log;
    const hooked = new Set(this.hookedAmong(events));
    for (const one of events) {
      if (Date.parse(one.at) < sinceMs) continue;
      if (hooked.has(one.event.session)) this.report.hooked++;
      else this.spool(one);
    }
    const { path, inode } = file;
    this.around.memory.write({ path, inode, offset, sinceMs, isReplying: reader.isReplying });
  }

  private spool({ at, event }: LoggedEvent): void {
    const { workspace, clock, belonging } = this.around;
    const checkout = belonging.checkoutAt(event.cwd);
    if (checkout === undefined) return;
    acceptOwn(workspace.layout.state, event, { checkout, atMs: Date.parse(at), nowMs: clock().getTime() });
    this.report.events++;
  }

  /** The sessions that hooks report. If the log was read before the drain ran, the drain finds out. */
  private hookedAmong(events: LoggedEvent[]): string[] {
    const { workspace, captured } = this.around;
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
