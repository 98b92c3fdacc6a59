import { durationMs } from '../../config.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import type { Prompt } from '../../memory/record.ts';
import type { Lock } from '../../memory/store/lock.ts';
import { log } from '../../memory/store/log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { assembleTurn } from '../extract/assemble.ts';
import { boundTurn } from '../extract/bound-turn.ts';
import type { Turn } from '../extract/turn.ts';
import { groupTurns, type SessionGroup, type SpooledEvent, type TurnGroup } from '../extract/turns.ts';
import { Asking } from './asking.ts';
import { type Cleaner, createCleaner } from './clean.ts';
import { Closing } from './closing.ts';
import type { DrainOptions, DrainReport } from './drain-options.ts';
import { isWanted } from './filter.ts';
import { inputsOf } from './inputs.ts';
import { type Intake, takeIn } from './intake.ts';
import { withoutLocalPaths } from './local-paths.ts';
import { Output } from './output.ts';
import { keepTurn } from './pending-turns.ts';
import { commitsOf } from './session-commits.ts';
import { digestTurn, isClientCommand } from './session-digest.ts';
import { afterTurn, headOf, keysOf } from './session-progress.ts';
import { isNewer, readSessions, type SessionState, SessionTable, seenHash } from './session-state.ts';
import { isLate, joinLate } from './waiting-events.ts';

/**
 * One walk over the whole spool, under the lock. Long because it fixes one order for all steps: nothing is acknowledged
 * before it is written, and an end last of all, so that a kill between any two of them loses and doubles nothing.
 */
export class Pass {
  private readonly workspace: Workspace;
  private readonly options: DrainOptions;
  private readonly report: DrainReport;
  private readonly lock: Lock;
  private readonly cleaner: Cleaner;
  private readonly table: SessionTable;
  /** Undefined without a model. */
  private readonly asking: Asking | undefined;
  private readonly output: Output;
  private readonly closing: Closing;

  /** `refused` names the sessions that got no answer in this drain. */
  constructor(
    workspace: Workspace,
    options: DrainOptions,
    report: DrainReport,
    { lock, refused }: { lock: Lock; refused: Set<string> },
  ) {
    this.workspace = workspace;
    this.options = options;
    this.report = report;
    this.lock = lock;
    this.cleaner = createCleaner(options.config.privacy.redact);
    this.table = new SessionTable(workspace.layout.state);
    const { extractor } = options;
    const folder = workspace.layout.state;
    this.asking = extractor && new Asking({ folder, options, extractor, table: this.table, refused });
    this.output = new Output(workspace, options, report);
    const { cleaner, table, asking, output } = this;
    this.closing = new Closing({ workspace, cleaner, table, asking, output, portion: extractor?.portion });
  }

  /** Tells whether anything was done, so that another pass is worthwhile. */
  async run(): Promise<boolean> {
    const { layout, checkout } = this.workspace;
    const { clock, all, config, signal } = this.options;
    const nowMs = clock().getTime();
    const intake = takeIn({
      states: [layout.state, ...layout.otherStates],
      commonDir: checkout.commonDir,
      isSeen: (session, key) => this.table.seen(session).has(seenHash(key)),
      hostOf: (session) => this.table.find(session)?.host,
      log: (line) => log(layout.state, line, clock()),
      nowMs,
    });
    const idleBefore = new Date(nowMs - durationMs(config.capture.idle_after)).toISOString();
    const busy = new Set<string>();
    const now = new Date(nowMs).toISOString();
    for (const group of groupTurns(intake.events, { idleBefore, now, all })) {
      if (signal.aborted) break;
      if (!(await this.session(group, intake))) busy.add(group.session);
    }
    if (!signal.aborted) await this.closeIdle(nowMs, idleBefore, busy);
    this.report.events += intake.done;
    return this.table.moved && !this.asking?.postponed;
  }

  /** Keeps the complete turns of a session and acts on its boundaries; false where something of it is unfinished. */
  private async session(group: SessionGroup, intake: Intake): Promise<boolean> {
    const { layout } = this.workspace;
    // Rewriting its state would lose what only the newer version knows: the events wait for that version.
    if (isNewer(layout.state, group.session)) return false;
    this.cleaner.learn([...group.turns.flatMap(({ events }) => events), ...group.boundaries].map(({ event }) => event));
    const { turns } = this.table.find(group.session) ?? { turns: {} };
    const isOver = group.ended || this.options.all;
    for (const turn of joinLate(group.turns, (id) => Object.hasOwn(turns, id), isOver)) {
      if (!turn.complete) {
        this.done(intake, startsOf(group));
        return false;
      }
      await this.turn(turn, intake);
      this.lock.touch();
    }
    return this.boundaries(group, intake);
  }

  /** Keeps a turn for the extractor: its cleaned events with the session, its prompt in the private store. */
  private async turn(captured: TurnGroup, intake: Intake): Promise<void> {
    const group = { ...captured, events: await harmlessBranches(captured.events, this.cleaner) };
    const [first] = group.events;
    if (first === undefined) return;
    const { config, extractor } = this.options;
    const state = this.table.of(group.session, first);
    const inputs = await inputsOf(this.workspace, group.events, state.files_modified);
    const turn = { ...(await assembled(group, { state, config, cleaner: this.cleaner })), inputs };
    const head = headOf(group.events);
    const local = withoutLocalPaths(first.root, this.workspace.env.HOME);
    const withRequest = config.privacy.prompts === 'private';
    if (withRequest && turn.promptFrom === 'user' && turn.prompt !== '' && !isClientCommand(turn)) {
      await this.output.putPrivately(
        first.root,
        promptRecord({ ...turn, prompt: local(turn.prompt) }, first.host, head),
      );
    }
    if (extractor) keepTurn(this.workspace.layout.state, { turn, root: first.root, ...head });
    const made = state.lines.flatMap(({ commits }) => commits.map(({ commit }) => commit));
    const { commits, remade } = await commitsOf(
      group.events,
      { at: state.lastAt, commit: state.commit, since: state.startedAt, made },
      this.workspace.env,
    );
    const told = digestTurn(turn, { commits, withRequest, local });
    const kept = afterTurn(state, { group, turn, told, remade, isKept: extractor !== undefined });
    this.table.save(kept);
    this.done(intake, group.events);
    const characters = kept.pending.reduce((sum, one) => sum + one.characters, 0);
    if (extractor?.portion !== undefined && characters >= extractor.portion) await this.closing.extract(group.session);
    if (config.summaries === 'turn') await this.closing.summarise(group.session);
  }

  /** Acts on ends and compactions; false where the session's turns have to wait for an extractor. */
  private async boundaries(group: SessionGroup, intake: Intake): Promise<boolean> {
    const { all, extractor } = this.options;
    const found = this.table.find(group.session);
    if (found !== undefined) {
      const state = withBounds(found, group);
      if (state.endedAt !== found.endedAt || state.startedAt !== found.startedAt) this.table.note(state);
      const isOver = group.ended || all;
      // A model is asked before a compaction removes the turns from the agent's context.
      const isCompacted = extractor?.portion !== undefined && group.boundaries.some(isCompaction);
      if ((isOver || isCompacted) && !(await this.closing.extract(group.session))) {
        this.done(intake, startsOf(group));
        return false;
      }
      if (isOver || isCompacted) await this.closing.summarise(group.session);
      const keys = keysOf(group.boundaries);
      const now = this.table.find(group.session) ?? state;
      if (keys.length > 0) this.table.save({ ...now, seen: [...now.seen, ...keys] });
    }
    // Last, so that after a kill in between the end is acted on again.
    this.done(intake, group.boundaries);
    return true;
  }

  /** Closes sessions that went silent without an end, and those whose turns had to wait for an extractor. */
  private async closeIdle(nowMs: number, idleBefore: string, busy: Set<string>): Promise<void> {
    for (const { session, lastAt, pending, unsummarised } of readSessions(this.workspace.layout.state, nowMs)) {
      if (busy.has(session) || (pending.length === 0 && !unsummarised)) continue;
      if (lastAt >= idleBefore && !this.options.all) continue;
      if (this.options.signal.aborted || !(await this.closing.extract(session))) continue;
      await this.closing.summarise(session);
      this.lock.touch();
    }
  }

  private done(intake: Intake, events: SpooledEvent[]): void {
    if (events.length === 0) return;
    intake.acknowledge(events);
    this.table.moved = true;
  }
}

/** The events of a turn without the names of branches that hold a secret. */
async function harmlessBranches(events: SpooledEvent[], cleaner: Cleaner): Promise<SpooledEvent[]> {
  const branches = new Set(await cleaner.names([...new Set(events.flatMap(({ branch }) => branch ?? []))]));
  return events.map(({ branch, ...event }) => (branch && branches.has(branch) ? { ...event, branch } : event));
}

/** A turn of its cleaned events, without those that the settings leave out. */
async function assembled(
  group: TurnGroup,
  { state, config, cleaner }: { state: SessionState; config: DrainOptions['config']; cleaner: Cleaner },
): Promise<Turn> {
  const isKnown = (id: string) => Object.hasOwn(state.turns, id);
  const known = group.turn !== undefined && isKnown(group.turn) ? state.turns[group.turn] : undefined;
  const users = group.events.filter(({ event }) => event.kind === 'prompt' && event.from === 'user').length;
  const cleaned: SpooledEvent[] = [];
  for (const spooled of group.events.filter(({ event }) => isWanted(event, config))) {
    cleaned.push({ ...spooled, event: await cleaner.event(spooled.event) });
  }
  const turn = boundTurn(assembleTurn({ ...group, events: cleaned }, known ?? state.prompts + users));
  // For late events that no turn follows, the sub-agent's own report is the only answer.
  return isLate(group, isKnown) ? { ...turn, interrupted: false, reply: turn.reports.at(-1) ?? '' } : turn;
}

/** A session's state with the times of its start and its end. */
function withBounds(state: SessionState, { boundaries, ended }: SessionGroup): SessionState {
  const start = boundaries.find(({ event }) => event.kind === 'session-start')?.at;
  const end = ended ? boundaries.findLast(({ event }) => event.kind === 'session-end')?.at : undefined;
  const isEarlier = start !== undefined && start < (state.startedAt ?? '~');
  return { ...state, ...(isEarlier && { startedAt: start }), ...(end && { endedAt: end }) };
}

/** Hosts report it by itself, or by the start of what goes on after it. */
function isCompaction({ event }: SpooledEvent): boolean {
  return event.kind === 'compaction' || (event.kind === 'session-start' && event.source === 'compact');
}

/** What may be acknowledged while the rest of the session waits. */
function startsOf(group: SessionGroup): SpooledEvent[] {
  return group.boundaries.filter(({ event }) => event.kind === 'session-start');
}

/** The user's cleaned prompt as a record for the private store. */
function promptRecord(turn: Turn, host: string, head: Pick<Prompt, 'branch' | 'commit'>): Prompt {
  return {
    id: idOf(turn.session, turn.key, 'prompt'),
    kind: 'prompt',
    session: turn.session,
    prompt_number: turn.promptNumber,
    ...head,
    generated: { by: host, at: wholeSeconds(turn.startedAt) },
    text: turn.prompt,
  };
}
