import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { claudeCode, claudeCodeLogs } from '../../capture/agents/claude-code.ts';
import { harvest } from '../../capture/drain/harvest.ts';
import type { PendingTurn } from '../../capture/drain/pending-turns.ts';
import { linesOf } from '../../capture/drain/transcripts/log-lines.ts';
import { createReader, type LoggedEvent } from '../../capture/drain/transcripts/reader.ts';
import { assembleTurn } from '../../capture/extract/assemble.ts';
import type { ExtractionContext } from '../../capture/extract/extractor.ts';
import { createRulesExtractor } from '../../capture/extract/rules/rules.ts';
import { groupTurns, type SessionGroup, type SpooledEvent } from '../../capture/extract/turns.ts';
import { below } from '../../git/paths.ts';
import { OBSERVATION_TYPES } from '../../memory/record.ts';
import { claudeFolder } from './claude-memory.ts';
import type { Arrival, Importer, ImportSource } from './importer.ts';
import { problem, realPlace } from './place.ts';

/** Largest transcript that is read, in bytes: its events are in memory together. */
const MAX_BYTES = 512_000_000;

/**
 * Transcripts of Claude Code, turned into observations by the rules: offline and deterministic. Sessions of which
 * git-mem captured something are left out, and so are turns outside this repository.
 */
export const transcripts: Importer = {
  name: 'transcripts',
  describe: 'transcripts of Claude Code (~/.claude/projects/.../*.jsonl)',
  async *read(source) {
    const place = realPlace(source.path ?? claudeFolder(source), source.workspace);
    const files = statSync(place).isDirectory() ? filesOf(place) : [place];
    for (const file of files) yield* arrivalsOf(file, source);
  },
};

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

async function* arrivalsOf(path: string, source: ImportSource): AsyncGenerator<Arrival> {
  const name = basename(path);
  const stat = lstatSync(path);
  if (!stat.isFile()) return yield problem(name, 'It is not a file.');
  if (stat.size > MAX_BYTES) return yield problem(name, `It has ${stat.size} bytes, more than ${MAX_BYTES}.`);
  const { root } = source.workspace.checkout;
  const { events, unreadable } = await eventsOf(path, root);
  if (unreadable > 0) yield problem(name, `${unreadable} of its lines are not JSON, or too long.`);
  const ours = events.filter(({ event }) => event.cwd === root || below(root, event.cwd) !== undefined);
  // Secrets are learned from the whole session, before a rule cuts a text in the middle of one.
  source.cleaner.learn(ours.map(({ event }) => event));
  for (const session of groupTurns(ours, { idleBefore: '', all: true })) yield* sessionArrivals(session, name, source);
}

/** The events that the hooks would have reported, read the way the log follower reads them. */
async function eventsOf(path: string, root: string): Promise<{ events: SpooledEvent[]; unreadable: number }> {
  const reader = createReader(claudeCodeLogs);
  const events: SpooledEvent[] = [];
  let unreadable = 0;
  const add = (logged: LoggedEvent[]) => {
    for (const { at, branch, event } of logged) {
      const name = `${at}-${String(events.length).padStart(8, '0')}`;
      events.push({ name, at, host: claudeCode.name, root, ...(branch && { branch }), event });
    }
  };
  for await (const { text } of linesOf(path, 0, { rest: true })) {
    const logged = text === undefined ? undefined : reader.read(text);
    if (logged !== undefined) add(logged);
    else if (text?.trim() !== '') unreadable++;
  }
  add(reader.endTurn());
  return { events, unreadable };
}

async function* sessionArrivals(session: SessionGroup, place: string, source: ImportSource): AsyncGenerator<Arrival> {
  const { workspace, cleaner } = source;
  const { root } = workspace.checkout;
  const pending: PendingTurn[] = [];
  for (const [i, group] of session.turns.entries()) {
    const events = await Promise.all(
      group.events.map(async (one) => ({ ...one, event: await cleaner.event(one.event) })),
    );
    const branch = group.events[0]?.branch;
    pending.push({ turn: assembleTurn({ ...group, events }, i + 1), root, ...(branch && { branch }) });
  }
  const turns = pending.map(({ turn }) => turn);
  const { observations } = await createRulesExtractor().extract(turns, CONTEXT);
  const provenance = { host: claudeCode.name, extractor: 'import/transcripts', format: workspace.format };
  for (const { record } of await harvest(observations, pending, provenance, cleaner)) {
    yield {
      kind: 'record',
      at: { place },
      brought: { record, isDated: true, isAnchored: true, isOurs: false },
      origin: { from: 'transcripts', key: record.id },
      isOfCapturedSession: true,
    };
  }
}

/** The context of a session with nothing written before it; the rules ask no model. */
const CONTEXT: ExtractionContext = {
  earlier: [],
  previousReply: '',
  summary: undefined,
  nearest: async () => [],
  types: OBSERVATION_TYPES,
  language: 'en',
  signal: new AbortController().signal,
};
