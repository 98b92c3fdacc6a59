import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { durationMs } from '../../config.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import type { Prompt } from '../../memory/record.ts';
import { isLocked, type Lock, tryLock } from '../../memory/store/lock.ts';
import { log } from '../../memory/store/log.ts';
import { noteDeadDrain } from '../../memory/store/missed.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { releaseReviewed } from '../../provenance/untracked.ts';
import { assembleTurn } from '../extract/assemble.ts';
import { boundTurn } from '../extract/bound-turn.ts';
import type { Turn } from '../extract/turn.ts';
import { groupTurns, type SessionGroup, type SpooledEvent, type TurnGroup } from '../extract/turns.ts';
import { createAsking } from './asking.ts';
import { type Cleaner, createCleaner, isWanted } from './clean.ts';
import { createClosing } from './closing.ts';
import type { DrainOptions, DrainReport } from './drain-options.ts';
import { inputsOf } from './inputs.ts';
import { takeIn } from './intake.ts';
import { withoutLocalPaths } from './local-paths.ts';
import { createOutput } from './output.ts';
import { keepTurn } from './pending-turns.ts';
import { commitsOf } from './session-commits.ts';
import { digestTurn, isClientCommand } from './session-digest.ts';
import { afterTurn, headOf, keysOf } from './session-progress.ts';
import { readSessions, type SessionState, SessionTable, seenHash } from './session-state.ts';
import { backlog, isLate, joinLate } from './waiting-events.ts';

/**
 * Works off the spool: claims events in order, cleans them, groups them into turns, keeps these with their session's
 * state, and acknowledges them; at the session's end, extracts and writes. Undefined when another drain is running. The
 * order makes a kill at any instant harmless: a turn is kept before its events are acknowledged, and records are written
 * before the turns are dropped, under ids that a retry finds again.
 */
export async function drain(workspace: Workspace, options: DrainOptions): Promise<DrainReport | undefined> {
  const { layout } = workspace;
  const refused = new Set<string>();
  const report: DrainReport = { events: 0, written: [], pending: 0, failed: 0 };
  for (;;) {
    const path = join(layout.state, 'lock');
    const isLeft = existsSync(path) && !isLocked(path);
    const lock = tryLock(path);
    if (lock && isLeft) noteDeadDrain(layout.state);
    if (lock === undefined) return report.events > 0 || report.written.length > 0 ? finished() : undefined;
    let progress: boolean;
    try {
      progress = await pass(workspace, options, report, { lock, refused });
    } finally {
      lock.release();
    }
    // A drain that found the lock held has ended, so look once more after releasing it.
    if (progress && !options.signal.aborted) continue;
    await releaseReviewed(workspace);
    return finished();
  }

  function finished(): DrainReport {
    return { ...report, ...backlog(layout) };
  }
}

/**
 * One walk over the whole spool, under the lock; tells whether anything was done, so that another one is worthwhile. `refused`
 * names the sessions that got no answer in this drain. Long because it fixes one order for all steps: nothing is acknowledged
 * before it is written, and an end comes last, so a kill between any two of them neither loses nor duplicates anything.
 */
async function pass(
  workspace: Workspace,
  options: DrainOptions,
  report: DrainReport,
  { lock, refused }: { lock: Lock; refused: Set<string> },
): Promise<boolean> {
  const { layout, checkout, env } = workspace;
  const { clock, all, config, signal, extractor } = options;
  const nowMs = clock().getTime();
  const idleBefore = new Date(nowMs - durationMs(config.capture.idle_after)).toISOString();
  const cleaner = createCleaner(config.privacy.redact);
  const table = new SessionTable(layout.state);
  const asking = extractor && createAsking({ folder: layout.state, options, extractor, table, refused });
  const output = createOutput(workspace, options, report);
  const closing = createClosing({ workspace, cleaner, table, asking, output, portion: extractor?.portion });
  const intake = takeIn({
    states: [layout.state, ...layout.otherStates],
    commonDir: checkout.commonDir,
    env,
    isSeen: (session, key) => table.seen(session).has(seenHash(key)),
    hostOf: (session) => table.find(session)?.host,
    log: (line) => log(layout.state, line, clock()),
    nowMs,
  });

  const busy = new Set<string>();
  for (const group of groupTurns(intake.events, { idleBefore, all })) {
    if (signal.aborted) break;
    if (!(await takeSession(group))) busy.add(group.session);
  }
  if (!signal.aborted) await closeIdle();
  report.events += intake.done;
  return table.moved && !asking?.isPostponed();

  /** Keeps the complete turns of a session and acts on its boundaries; false if part of it is unfinished. */
  async function takeSession(group: SessionGroup): Promise<boolean> {
    cleaner.learn([...group.turns.flatMap(({ events }) => events), ...group.boundaries].map(({ event }) => event));
    const { turns } = table.find(group.session) ?? { turns: {} };
    for (const turn of joinLate(group.turns, (id) => Object.hasOwn(turns, id), group.ended || all)) {
      if (!turn.complete) {
        done(startsOf(group));
        return false;
      }
      await takeTurn(turn);
      lock.touch();
    }
    return takeBoundaries(group);
  }

  /** Keeps a turn for the extractor: its cleaned events with the session, its prompt in the private store. */
  async function takeTurn(captured: TurnGroup): Promise<void> {
    const group = { ...captured, events: await harmlessBranches(captured.events, cleaner) };
    const [first] = group.events;
    if (first === undefined) return;
    const state = table.of(group.session, first);
    const inputs = await inputsOf(workspace, group.events, {
      written: state.files_modified,
      since: state.startedAt,
    });
    const turn = { ...(await assembled(group, { state, config, cleaner })), inputs };
    const head = headOf(group.events);
    const local = withoutLocalPaths(first.root, env.HOME);
    const withRequest = config.privacy.prompts === 'private';
    if (withRequest && turn.promptFrom === 'user' && turn.prompt !== '' && !isClientCommand(turn)) {
      const prompt = promptRecord({ ...turn, prompt: local(turn.prompt) }, first.host, head);
      await output.putPrivately(first.root, prompt);
    }
    if (extractor) keepTurn(layout.state, { turn, root: first.root, ...head });
    const made = state.lines.flatMap(({ commits }) => commits.map(({ commit }) => commit));
    const before = { at: state.lastAt, commit: state.commit, since: state.startedAt, made };
    const { commits, remade } = await commitsOf(group.events, before, env);
    const told = digestTurn(turn, { commits, withRequest, local });
    const kept = afterTurn(state, { group, turn, told, remade, isKept: extractor !== undefined });
    table.save(kept);
    done(group.events);
    const characters = kept.pending.reduce((sum, one) => sum + one.characters, 0);
    if (extractor?.portion !== undefined && characters >= extractor.portion) await closing.extract(group.session);
    if (config.summaries === 'turn') await closing.summarise(group.session);
  }

  /** Acts on ends and compactions; false where the session's turns have to wait for an extractor. */
  async function takeBoundaries(group: SessionGroup): Promise<boolean> {
    const found = table.find(group.session);
    if (found !== undefined) {
      const state = withBounds(found, group);
      if (state.endedAt !== found.endedAt || state.startedAt !== found.startedAt) table.note(state);
      // A model is asked before a compaction removes the turns from the agent's context.
      const isCompacted = extractor?.portion !== undefined && group.boundaries.some(isCompaction);
      const isDue = group.ended || all || isCompacted;
      if (isDue && !(await closing.extract(group.session))) {
        done(startsOf(group));
        return false;
      }
      if (isDue) await closing.summarise(group.session);
      const keys = keysOf(group.boundaries);
      const now = table.find(group.session) ?? state;
      if (keys.length > 0) table.save({ ...now, seen: [...now.seen, ...keys] });
    }
    // Last, so that after a kill in between the end is acted on again.
    done(group.boundaries);
    return true;
  }

  /** Closes sessions that went silent without an end, and those whose turns had to wait for an extractor. */
  async function closeIdle(): Promise<void> {
    for (const { session, lastAt, pending, unsummarised } of readSessions(layout.state, nowMs)) {
      if (busy.has(session) || (pending.length === 0 && !unsummarised)) continue;
      if (lastAt >= idleBefore && !all) continue;
      if (signal.aborted || !(await closing.extract(session))) continue;
      await closing.summarise(session);
      lock.touch();
    }
  }

  function done(events: SpooledEvent[]): void {
    if (events.length === 0) return;
    intake.acknowledge(events);
    table.moved = true;
  }
}

/** A turn's events without branch names that hold a secret. */
async function harmlessBranches(events: SpooledEvent[], cleaner: Cleaner): Promise<SpooledEvent[]> {
  const branches = new Set(await cleaner.names([...new Set(events.flatMap(({ branch }) => branch ?? []))]));
  return events.map(({ branch, ...event }) => (branch && branches.has(branch) ? { ...event, branch } : event));
}

/** A turn made of its cleaned events, without those that the settings exclude. */
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

/** Hosts report a compaction as such, or as the session start that follows it. */
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
