import { type Config, durationMs } from '../config.ts';
import { messageOf } from '../errors.ts';
import { assembleTurn } from '../extract/assemble.ts';
import type { Extraction, Extractor } from '../extract/extractor.ts';
import { typesOf } from '../extract/mode.ts';
import { ProviderError } from '../extract/provider.ts';
import type { Turn } from '../extract/turn.ts';
import { groupTurns, type SessionGroup, type SpooledEvent, type TurnGroup } from '../extract/turns.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { log } from '../repo/log.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Cleaner, createCleaner } from './clean.ts';
import { isWanted } from './filter.ts';
import { harvest } from './harvest.ts';
import { type Intake, takeIn } from './intake.ts';
import { isLate, joinLate } from './late-events.ts';
import type { Lock } from './lock.ts';
import { promptRecord } from './prompt-record.ts';
import { RecordWriter } from './record-writer.ts';
import type { Redactions } from './redactions.ts';
import { summaryOf } from './session-end.ts';
import { afterTurn, headOf, keysOf } from './session-progress.ts';
import {
  isNewer,
  newSession,
  readSession,
  readSessions,
  type SessionState,
  seenHash,
  writeSession,
} from './session-state.ts';

export interface DrainOptions {
  config: Config;
  extractor: Extractor;
  /** Extracts what no provider could for longer than `extract.fallback_after`. */
  fallback: Extractor;
  /** Takes incomplete turns too, and writes the summaries of open sessions. */
  all: boolean;
  clock: () => Date;
  signal: AbortSignal;
  /** Told after every turn, for progress. */
  onWritten?: (id: string, path: string) => void;
  /** Told of every session that is over, once its records are written, with the root of its worktree. */
  onEnded?: (root: string) => void;
}

/** The shape of `drain --json`. */
export interface DrainReport {
  /** Spool files handled. */
  events: number;
  written: string[];
  /** Spool files that still wait. */
  pending: number;
  /** Spool files set aside as unreadable, in all. */
  failed: number;
  /** Records that were not written because they say again what was redacted; left out where there are none. */
  redacted?: number;
}

/** One walk over the whole spool, under the lock. */
export class Pass {
  private readonly workspace: Workspace;
  private readonly options: DrainOptions;
  private readonly report: DrainReport;
  private readonly lock: Lock;
  private readonly cleaner: Cleaner;
  private readonly writer: RecordWriter;
  private readonly sessions = new Map<string, SessionState>();
  private readonly known = new Map<string, Set<string>>();
  private moved = false;
  private postponed = false;

  constructor(workspace: Workspace, options: DrainOptions, report: DrainReport, lock: Lock) {
    this.workspace = workspace;
    this.options = options;
    this.report = report;
    this.lock = lock;
    this.cleaner = createCleaner(options.config.privacy.redact);
    this.writer = new RecordWriter(workspace, options.config.capture.destination);
  }

  /** Tells whether anything was done, which means that it is worth looking again. */
  async run(): Promise<boolean> {
    const { layout, checkout } = this.workspace;
    const { clock, all, config, signal } = this.options;
    const nowMs = clock().getTime();
    const intake = takeIn({
      states: [layout.state, ...layout.otherStates],
      commonDir: checkout.commonDir,
      isSeen: (session, key) => this.seen(session).has(seenHash(key)),
      hostOf: (session) => (this.sessions.get(session) ?? readSession(layout.state, session))?.host,
      log: (line) => log(layout.state, line, clock()),
      nowMs,
    });
    const idleBefore = new Date(nowMs - durationMs(config.capture.idle_after)).toISOString();
    const waiting = new Set<string>();
    for (const group of groupTurns(intake.events, { idleBefore, all })) {
      if (signal.aborted) break;
      if (!(await this.session(group, intake))) waiting.add(group.session);
    }
    if (!signal.aborted) await this.closeIdle(nowMs, idleBefore, waiting);
    this.report.events += intake.done;
    return this.moved && !this.postponed;
  }

  /** Tells whether every turn of the session is done. */
  private async session(group: SessionGroup, intake: Intake): Promise<boolean> {
    // Written anew, its state would lack what only the newer version knows: the events wait for that one.
    if (isNewer(this.workspace.layout.state, group.session)) return false;
    this.cleaner.learn([...group.turns.flatMap(({ events }) => events), ...group.boundaries].map(({ event }) => event));
    const { turns } = readSession(this.workspace.layout.state, group.session) ?? { turns: {} };
    for (const turn of joinLate(group.turns, (id) => Object.hasOwn(turns, id))) {
      if (!turn.complete) {
        await this.boundaries(group, intake, false);
        return false;
      }
      if (!(await this.turn(turn, intake))) return false;
      if (this.options.config.summaries === 'turn') await this.summarise(group.session);
      this.lock.touch();
    }
    await this.boundaries(group, intake, true);
    return true;
  }

  /** Extracts one turn and puts it away; false when it has to wait. */
  private async turn(group: TurnGroup, intake: Intake): Promise<boolean> {
    const [first] = group.events;
    if (first === undefined) return true;
    const { config } = this.options;
    const state = this.stateOf(group.session, first);
    const isWritten = (id: string) => Object.hasOwn(state.turns, id);
    const known = group.turn !== undefined && isWritten(group.turn) ? state.turns[group.turn] : undefined;
    const users = group.events.filter(({ event }) => event.kind === 'prompt' && event.from === 'user').length;
    const promptNumber = known ?? state.prompts + users;
    const events = group.events.filter(({ event }) => isWanted(event, config));
    const cleaned: SpooledEvent[] = [];
    for (const spooled of events) cleaned.push({ ...spooled, event: await this.cleaner.event(spooled.event) });
    const assembled = assembleTurn({ ...group, events: cleaned }, promptNumber);
    // Late events that no turn follows were not interrupted: the sub-agent's own report is all that tells of them.
    const told = { interrupted: false, reply: assembled.reports.at(-1) ?? '' };
    const turn = isLate(group, isWritten) ? { ...assembled, ...told } : assembled;
    const extracted = await this.extract(turn, state);
    if (extracted === undefined) return false;

    const head = headOf(group.events);
    const { extractor } = extracted;
    const { format } = this.workspace;
    const provenance = { host: first.host, ...head, extractor, root: first.root, format };
    const harvested = await harvest(extracted.observations, turn, provenance, this.cleaner);
    const redactions = await this.writer.redactionsAt(first.root);
    // A fact stands for itself, and some say the same in many records, such as what a test run did: it goes alone.
    const records = harvested
      .map((record) => redactions.withoutRedactedFacts(record))
      .filter((record) => this.isFree(record, redactions));
    for (const record of records) this.put(first.root, record);
    const isAsked = turn.promptFrom === 'user' && turn.prompt !== '';
    if (records.length > 0 && config.privacy.prompts === 'private' && isAsked) {
      const prompt = promptRecord(turn, first.host, head);
      if (this.isFree(prompt, redactions)) this.workspace.stores.private.put(prompt);
    }
    const extraction = { ...extracted, digest: redactions.withoutRedacted(extracted.digest) };
    this.save(afterTurn(state, { group, turn, extraction, records }));
    this.done(intake, group.events);
    return true;
  }

  /** What the extractor makes of a turn; undefined when the turn has to wait. Nothing is acknowledged then. */
  private async extract(turn: Turn, state: SessionState): Promise<Extraction | undefined> {
    const { config, clock, signal, extractor, fallback } = this.options;
    const folder = this.workspace.layout.state;
    const overdue = clock().getTime() - Date.parse(turn.endedAt) > durationMs(config.extract.fallback_after);
    // One failure a pass is enough: every further question would wait for the same silence.
    if (!overdue && (this.postponed || extractor.isResting?.())) {
      this.postponed = true;
      return undefined;
    }
    const context = {
      earlier: state.earlier,
      requests: state.requests,
      types: typesOf(config),
      language: config.extract.language,
      signal,
    };
    try {
      return await (overdue ? fallback : extractor).extract(turn, context);
    } catch (error) {
      log(folder, `turn postponed: ${messageOf(error)}`, clock());
      // Only providers that are down are down for the other sessions too.
      if (error instanceof ProviderError) this.postponed = true;
      return undefined;
    }
  }

  /** Acts on ends and compactions; `all` tells that no turn of the session waits any longer. */
  private async boundaries(group: SessionGroup, intake: Intake, all: boolean): Promise<void> {
    const { layout } = this.workspace;
    const state = all ? (this.sessions.get(group.session) ?? readSession(layout.state, group.session)) : undefined;
    if (state !== undefined) {
      const keys = keysOf(group.boundaries);
      if (keys.length > 0) this.save({ ...state, seen: [...state.seen, ...keys] });
      const compacted = group.boundaries.some(({ event }) => event.kind === 'compaction');
      if (group.ended || compacted || this.options.all) await this.summarise(group.session);
      if (group.ended || this.options.all) this.options.onEnded?.(state.root);
    }
    // Last, so that a kill in between leaves the end to act on again.
    this.done(intake, all ? group.boundaries : group.boundaries.filter(({ event }) => event.kind === 'session-start'));
  }

  /** Writes the summaries of sessions that fell silent without an end; those `waiting` have not fallen silent. */
  private async closeIdle(nowMs: number, idleBefore: string, waiting: Set<string>): Promise<void> {
    for (const state of readSessions(this.workspace.layout.state, nowMs)) {
      if (!state.unsummarised || waiting.has(state.session)) continue;
      if (state.lastAt >= idleBefore && !this.options.all) continue;
      this.sessions.set(state.session, state);
      await this.summarise(state.session);
      this.options.onEnded?.(state.root);
    }
  }

  private async summarise(session: string): Promise<void> {
    const state = this.sessions.get(session) ?? readSession(this.workspace.layout.state, session);
    if (state === undefined || !state.unsummarised) return;
    const summary = await summaryOf(state, this.cleaner);
    const isKept = summary !== undefined && this.isFree(summary, await this.writer.redactionsAt(state.root));
    if (isKept) this.put(state.root, summary);
    const summaries = isKept ? [...state.summaries, summary.id] : state.summaries;
    this.save({ ...state, summaries, unsummarised: false });
  }

  private put(root: string, record: MemoryRecord): void {
    const { path, created } = this.writer.put(root, record);
    if (!created) return;
    this.report.written.push(record.id);
    this.options.onWritten?.(record.id, path);
  }

  /** Tells whether a record says nothing that was redacted; one that does is counted and leaves a line in the log. */
  private isFree(record: MemoryRecord, redactions: Redactions): boolean {
    const mark = redactions.against(record);
    if (mark === undefined) return true;
    this.report.redacted = (this.report.redacted ?? 0) + 1;
    const what = `${record.kind} ${record.id}`;
    log(this.workspace.layout.state, `${what} dropped: the mark ${mark} redacted what it says`, this.options.clock());
    return false;
  }

  private stateOf(session: string, first: SpooledEvent): SessionState {
    const found = this.sessions.get(session) ?? readSession(this.workspace.layout.state, session);
    const state = found ?? newSession(session, first.host, first.root);
    this.sessions.set(session, state);
    return state;
  }

  private save(state: SessionState): void {
    writeSession(this.workspace.layout.state, state);
    this.sessions.set(state.session, state);
    this.known.set(state.session, new Set(state.seen));
    this.moved = true;
  }

  private seen(session: string): Set<string> {
    const known = this.known.get(session);
    if (known) return known;
    const seen = new Set(readSession(this.workspace.layout.state, session)?.seen ?? []);
    this.known.set(session, seen);
    return seen;
  }

  private done(intake: Intake, events: SpooledEvent[]): void {
    if (events.length === 0) return;
    intake.acknowledge(events);
    this.moved = true;
  }
}
