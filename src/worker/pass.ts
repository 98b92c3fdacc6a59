import { existsSync } from 'node:fs';
import { type Config, durationMs } from '../config.ts';
import { messageOf } from '../errors.ts';
import { assembleTurn } from '../extract/assemble.ts';
import type { Extractor } from '../extract/extractor.ts';
import { groupTurns, type SessionGroup, type SpooledEvent, type TurnGroup } from '../extract/turns.ts';
import { OBSERVATION_TYPES } from '../memory/record.ts';
import { locate } from '../repo/locate.ts';
import { log } from '../repo/log.ts';
import type { Store } from '../store/store.ts';
import { type Workspace, workspaceOf } from '../store/workspace.ts';
import { clearBackoff, isBackingOff, noteFailure } from './backoff.ts';
import { type Cleaner, createCleaner } from './clean.ts';
import { isWanted } from './filter.ts';
import { harvest, workOf } from './harvest.ts';
import { type Intake, takeIn } from './intake.ts';
import type { Lock } from './lock.ts';
import { promptRecord } from './prompt-record.ts';
import { summaryOf } from './session-end.ts';
import { newSession, readSession, readSessions, type SessionState, seenHash, writeSession } from './session-state.ts';

export interface DrainOptions {
  config: Config;
  extractor: Extractor;
  /** Extracts what the provider could not for longer than `extract.fallback_after`. */
  fallback: Extractor;
  /** Takes incomplete turns too, and writes the summaries of open sessions. */
  all: boolean;
  /** Tries at once, whatever the backoff says. */
  now: boolean;
  clock: () => Date;
  signal: AbortSignal;
  /** Told after every turn, for progress. */
  onWritten?: (id: string, path: string) => void;
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
}

/** One walk over the whole spool, under the lock. */
export class Pass {
  private readonly workspace: Workspace;
  private readonly options: DrainOptions;
  private readonly report: DrainReport;
  private readonly lock: Lock;
  private readonly cleaner: Cleaner;
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
  }

  /** Tells whether anything was done, which means that it is worth looking again. */
  async run(): Promise<boolean> {
    const { layout, checkout } = this.workspace;
    const { clock, all, config } = this.options;
    const nowMs = clock().getTime();
    const intake = takeIn({
      states: [layout.state, ...layout.otherStates],
      commonDir: checkout.commonDir,
      isSeen: (session, key) => this.seen(session).has(seenHash(key)),
      log: (line) => log(layout.state, line, clock()),
      nowMs,
    });
    const idleBefore = new Date(nowMs - durationMs(config.capture.idle_after)).toISOString();
    for (const group of groupTurns(intake.events, { idleBefore, all })) {
      if (this.options.signal.aborted) return false;
      await this.session(group, intake);
    }
    await this.closeIdle(nowMs, idleBefore);
    this.report.events += intake.done;
    return this.moved && !this.postponed;
  }

  private async session(group: SessionGroup, intake: Intake): Promise<void> {
    this.cleaner.learn([...group.turns.flatMap(({ events }) => events), ...group.boundaries].map(({ event }) => event));
    for (const turn of group.turns) {
      if (!turn.complete) return this.boundaries(group, intake, false);
      if (!(await this.turn(turn, intake))) return;
      this.lock.touch();
    }
    await this.boundaries(group, intake, true);
  }

  /** Extracts one turn and puts it away; false when the provider cannot answer now. */
  private async turn(group: TurnGroup, intake: Intake): Promise<boolean> {
    const [first] = group.events;
    if (first === undefined) return true;
    const state = this.stateOf(group.session, first);
    const known = group.turn === undefined ? undefined : state.turns[group.turn];
    const users = group.events.filter(({ event }) => event.kind === 'prompt' && event.from === 'user').length;
    const promptNumber = known ?? state.prompts + users;
    const events = group.events.filter(({ event }) => isWanted(event, this.options.config));
    const cleaned: SpooledEvent[] = [];
    for (const spooled of events) cleaned.push({ ...spooled, event: await this.cleaner.event(spooled.event) });
    const turn = assembleTurn({ ...group, events: cleaned }, promptNumber);

    const { config, clock, signal } = this.options;
    const overdue = clock().getTime() - Date.parse(turn.endedAt) > durationMs(config.extract.fallback_after);
    if (!overdue && isBackingOff(this.workspace.layout.state, this.options)) return this.postpone();
    const extractor = overdue ? this.options.fallback : this.options.extractor;
    const context = {
      earlier: state.earlier,
      requests: state.requests,
      types: [...OBSERVATION_TYPES, ...config.types],
      language: config.extract.language,
      signal,
    };
    let extraction: Awaited<ReturnType<Extractor['extract']>>;
    try {
      extraction = await extractor.extract(turn, context);
      clearBackoff(this.workspace.layout.state);
    } catch (error) {
      // Nothing is acknowledged: the events stay for a later drain.
      log(this.workspace.layout.state, `turn postponed: ${messageOf(error)}`, clock());
      noteFailure(this.workspace.layout.state, error, clock());
      return this.postpone();
    }

    const last = group.events.findLast(({ branch }) => branch !== undefined) ?? first;
    const store = this.storeOf(first.root);
    const records = await harvest(
      extraction.observations,
      turn,
      {
        host: first.host,
        branch: last.branch,
        commit: last.commit,
        extractor: extraction.extractor,
        root: first.root,
        format: this.workspace.format,
      },
      this.cleaner,
    );
    for (const record of records) this.put(store, record);
    if (
      records.length > 0 &&
      config.privacy.prompts === 'private' &&
      turn.promptFrom === 'user' &&
      turn.prompt !== ''
    ) {
      this.workspace.stores.private.put(promptRecord(turn, first.host, last));
    }

    const replaced = new Set(records.flatMap(({ supersedes }) => supersedes));
    const earlier = records.map(({ id, type, title, narrative, facts, files_modified }) => ({
      ...{ id, type, title, narrative, facts, files_modified },
    }));
    this.save({
      ...state,
      prompts: Math.max(state.prompts, promptNumber),
      turns: group.turn === undefined ? state.turns : { ...state.turns, [group.turn]: promptNumber },
      requests: extraction.digest.request ? [...state.requests, extraction.digest.request].slice(-20) : state.requests,
      earlier: [...state.earlier.filter(({ id }) => !replaced.has(id)), ...earlier].slice(-60),
      digests: [
        ...state.digests,
        {
          digest: extraction.digest,
          promptNumber,
          files_read: [...new Set(turn.calls.filter((call) => call.action === 'read').flatMap(({ paths }) => paths))],
          files_modified: [...new Set(records.flatMap((record) => record.files_modified))],
          tokens: workOf(turn),
        },
      ],
      ...(last.branch && { branch: last.branch }),
      ...(last.commit && { commit: last.commit }),
      extractor: extraction.extractor,
      unsummarised: true,
      lastAt: [turn.endedAt, state.lastAt].sort().at(-1) ?? '',
      seen: [...state.seen, ...keysOf(group.events)],
    });
    this.done(intake, group.events);
    return true;
  }

  private postpone(): false {
    this.postponed = true;
    return false;
  }

  /** Acts on ends and compactions; `all` tells that no turn of the session waits any longer. */
  private async boundaries(group: SessionGroup, intake: Intake, all: boolean): Promise<void> {
    const starts = group.boundaries.filter(({ event }) => event.kind === 'session-start');
    this.done(intake, all ? group.boundaries : starts);
    const state = this.sessions.get(group.session) ?? readSession(this.workspace.layout.state, group.session);
    if (!all || state === undefined) return;
    const keys = keysOf(group.boundaries);
    if (keys.length > 0) this.save({ ...state, seen: [...state.seen, ...keys] });
    const compacted = group.boundaries.some(({ event }) => event.kind === 'compaction');
    const perTurn = this.options.config.summaries === 'turn';
    if (group.ended || compacted || perTurn || this.options.all) await this.summarise(group.session);
  }

  /** Writes the summaries of sessions that fell silent without an end. */
  private async closeIdle(nowMs: number, idleBefore: string): Promise<void> {
    for (const state of readSessions(this.workspace.layout.state, nowMs)) {
      if (state.unsummarised && (state.lastAt < idleBefore || this.options.all)) {
        this.sessions.set(state.session, state);
        await this.summarise(state.session);
      }
    }
  }

  private async summarise(session: string): Promise<void> {
    const state = this.sessions.get(session) ?? readSession(this.workspace.layout.state, session);
    if (state === undefined || !state.unsummarised) return;
    const summary = await summaryOf(state, this.cleaner);
    if (summary !== undefined) this.put(this.storeOf(state.root), summary);
    const summaries = summary === undefined ? state.summaries : [...state.summaries, summary.id];
    this.save({ ...state, summaries, unsummarised: false });
  }

  private put(store: Store, record: Parameters<Store['put']>[0]): void {
    const { path, created } = store.put(record);
    if (!created) return;
    this.report.written.push(record.id);
    this.options.onWritten?.(record.id, path);
  }

  /** The team store of the worktree where it happened; the private store when that worktree is gone, or by choice. */
  private storeOf(root: string): Store {
    const { checkout, env, stores } = this.workspace;
    if (this.options.config.capture.destination === 'private') return stores.private;
    if (root === checkout.root) return stores.team;
    const other = existsSync(root) ? locate(root) : undefined;
    return other?.commonDir === checkout.commonDir ? workspaceOf(other, env).stores.team : stores.private;
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

function keysOf(events: SpooledEvent[]): string[] {
  return events.flatMap(({ event }) => (event.key === undefined ? [] : [seenHash(event.key)]));
}
