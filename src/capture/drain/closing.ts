import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { LIMITS, type Observation, type Summary } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type Extraction, mapLists, type SessionSummary } from '../extract/extractor.ts';
import { summarise } from '../extract/summary.ts';
import type { Turn } from '../extract/turn.ts';
import type { Asking } from './asking.ts';
import type { Cleaner } from './clean.ts';
import { harvest } from './harvest.ts';
import { cleanedHere } from './local-paths.ts';
import type { Output } from './output.ts';
import { dropTurns, type PendingTurn, readTurns } from './pending-turns.ts';
import { digestOf } from './session-digest.ts';
import { afterExtraction } from './session-progress.ts';
import type { SessionState, SessionTable } from './session-state.ts';

interface ClosingParts {
  workspace: Workspace;
  cleaner: Cleaner;
  table: SessionTable;
  /** Undefined without a model. */
  asking: Asking | undefined;
  output: Output;
  /** Characters per question, as near as turns allow; undefined for no limit. */
  portion?: number | undefined;
}

/**
 * Turns a session's waiting turns into records, its summary and its digest. Long because the steps share a session's state, saved
 * after each, from which the next drain resumes if this one is killed.
 */
export function createClosing({ workspace, cleaner, table, asking, output, portion = Infinity }: ClosingParts) {
  const folder = workspace.layout.state;

  /** Writes what the extractor makes of the waiting turns; false if they have to keep waiting. */
  async function extract(session: string): Promise<boolean> {
    const state = table.find(session);
    if (state === undefined || state.pending.length === 0) return true;
    if ((asking === undefined || asking.isOverdue(state)) && state.answer === undefined) {
      // Turns that no model will be asked about are left to the digest.
      const { failure: _, ...given } = state;
      table.save({ ...given, pending: [] });
      dropTurns(folder, session, []);
      return true;
    }
    const keys = state.pending.slice(0, state.answer?.turns ?? portionOf(state)).map(({ key }) => key);
    const pending = readTurns(folder, session, keys);
    const turns = pending.map(({ turn }) => turn);
    const extraction = state.answer?.extraction ?? (await ask(state, turns));
    if (extraction === undefined) return false;
    const records = await write(state, extraction, pending);
    // Turns whose file was lost have nothing to wait for.
    const left = state.pending.slice(keys.length);
    table.save(afterExtraction(state, { turns, pending: left, extraction, records }));
    const waiting = left.map(({ key }) => key);
    dropTurns(folder, session, waiting);
    return left.length === 0 || extract(session);
  }

  /** Writes the summary and the digest of the session so far, each replacing the one before. */
  async function summariseSession(session: string): Promise<void> {
    const state = table.find(session);
    if (state === undefined || !state.unsummarised) return;
    const redactions = await output.redactionsAt(state.root);
    const free = { ...state, ...(state.summary && { summary: withoutRedacted(state.summary, redactions.isFree) }) };
    const summary = await summaryOf(free, cleanerAt(state.root));
    const isKept = summary !== undefined && (await output.put(state.root, summary));
    const digest = await digestOf(state, cleaner, redactions.isFree);
    const isDigested = digest !== undefined && (await output.putPrivately(state.root, digest));
    table.save({
      ...state,
      summaries: isKept ? [...new Set([...state.summaries, summary.id])] : state.summaries,
      digests: isDigested ? [...new Set([...state.digests, digest.id])] : state.digests,
      unsummarised: false,
    });
  }

  /** The cleaner for records of a session in one of the clone's worktrees. */
  function cleanerAt(root: string): Cleaner {
    return cleanedHere(cleaner, { checkout: { ...workspace.checkout, root }, env: workspace.env });
  }

  /** How many of the waiting turns make one question; at least one. */
  function portionOf({ pending }: SessionState): number {
    let characters = 0;
    const end = pending.findIndex((one) => {
      characters += one.characters;
      return characters >= portion;
    });
    return end < 0 ? pending.length : end + 1;
  }

  /** A new answer; one that a killed drain had already received is in the state. */
  async function ask(state: SessionState, turns: Turn[]): Promise<Extraction | undefined> {
    const extraction = await asking?.ask(state, turns);
    // A paid answer is stored before it is used.
    if (extraction?.spent !== undefined)
      table.save({ ...(table.find(state.session) ?? state), answer: { turns: turns.length, extraction } });
    return extraction;
  }

  async function write(state: SessionState, extraction: Extraction, pending: PendingTurn[]): Promise<Observation[]> {
    const { extractor, observations } = extraction;
    const provenance = { host: state.host, extractor, format: workspace.format };
    const written: Observation[] = [];
    for (const { root, record } of await harvest(observations, pending, provenance, cleanerAt(state.root))) {
      // Facts are left out one by one: each is independent, and some recur in many records, such as a test's result.
      const free = (await output.redactionsAt(root)).withoutRedactedFacts(record);
      if (await output.put(root, free)) written.push(free);
    }
    return written;
  }

  return { extract, summarise: summariseSession };
}

/**
 * A session's summary record; undefined if it left no observation, if no extractor gave a summary, or if the agent saved one
 * itself. A later summary of the same session replaces the earlier ones.
 */
async function summaryOf(state: SessionState, cleaner: Cleaner): Promise<Summary | undefined> {
  const { summary, earlier, summaries } = state;
  if (summary === undefined || earlier.length === 0 || state.summarisedByAgent) return undefined;
  const titles = earlier.map(({ title }) => title);
  const parts = summarise(summary, titles);
  const clean = (text: string) => cleaner.text(text);
  return {
    id: idOf(state.session, 'summary', String(summaries.length), String(state.lines.length)),
    kind: 'summary',
    type: 'summary',
    title: await clean(parts.title),
    files_read: state.files_read.slice(0, LIMITS.files),
    files_edited: state.files_modified.slice(0, LIMITS.files),
    supersedes: summaries,
    session: state.session,
    prompt_number: state.prompts,
    ...(state.branch && { branch: state.branch }),
    ...(state.commit && { commit: state.commit }),
    generated: { by: state.host, at: wholeSeconds(state.lastAt) },
    ...(state.extractor && { extractor: state.extractor }),
    inputs: state.inputs,
    discovery_tokens: state.tokens,
    request: await clean(parts.request),
    investigated: await clean(parts.investigated),
    learned: await clean(parts.learned),
    completed: await clean(parts.completed),
    next_steps: await clean(parts.next_steps),
    notes: await clean(parts.notes),
  };
}

/** A session's summary without the entries that repeat what was redacted. */
function withoutRedacted(summary: SessionSummary, isFree: (text: string) => boolean): SessionSummary {
  const request = isFree(summary.request) ? summary.request : '';
  return { request, ...mapLists(summary, (entries) => entries.filter(isFree)) };
}
