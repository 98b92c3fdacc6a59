import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { statSync } from '../../looks.ts';
import { idOf } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readJson } from '../../memory/store/json-file.ts';
import { namesIn } from '../../memory/store/names-in.ts';
import type { SpooledEvent } from '../extract/turns.ts';

/** The schemas of the state. Long because it is the list of all keys, each with its meaning. */
function makeSchemas() {
  const texts = z.array(z.string());
  const none = z._default(texts, []);

  const summary = z.object({
    request: z.string(),
    investigated: texts,
    learned: texts,
    completed: texts,
    next_steps: texts,
    notes: texts,
  });

  const known = z.object({
    id: z.string(),
    type: z.string(),
    title: z.string(),
    narrative: z.string(),
    facts: texts,
    files_modified: texts,
  });

  const line = z.looseObject({
    number: z.number(),
    prompt: z.string(),
    answer: z.string(),
    files: texts,
    checks: z.array(z.object({ command: z.string(), passed: z.optional(z.boolean()) })),
    commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
    saved: texts,
  });

  const draft = z.object({
    turn: z.string(),
    type: z.string(),
    title: z.string(),
    subtitle: z.string(),
    narrative: z.string(),
    facts: texts,
    concepts: texts,
    files_read: texts,
    files_modified: texts,
    supersedes: texts,
  });

  // Keys of a newer version are kept, here and in `line`.
  const whole = z.looseObject({
    session: z.string(),
    host: z.string(),
    root: z.string(),
    /** Short hashes of event keys that were acknowledged: a replay of the session changes nothing. */
    seen: none,
    /** User prompts so far. */
    prompts: z._default(z.number(), 0),
    /** Prompt number by the host's id of the turn, for events that come after the turn's end. */
    turns: z._default(z.record(z.string(), z.number()), {}),
    /** Kept turns that wait for an extractor, oldest first; each has a file of its own. */
    pending: z._default(z.array(z.object({ key: z.string(), characters: z.number() })), []),
    /**
     * An extractor's answer about the first `turns` of those, until its records are written: after a kill in between,
     * no model is asked a second time.
     */
    answer: z.optional(
      z.object({
        turns: z.number(),
        extraction: z.object({ observations: z.array(draft), summary: z.optional(summary), extractor: z.string() }),
      }),
    ),
    /** When extractors stopped answering, how often one was asked since, and until when none is asked (ISO 8601). */
    failure: z.optional(z.object({ since: z.string(), count: z.number(), until: z.string() })),
    /** Active observations of this session. */
    earlier: z._default(z.array(known), []),
    /** What the summary says so far. */
    summary: z.optional(summary),
    /** The agent left a summary itself: none is derived. */
    summarisedByAgent: z.optional(z.boolean()),
    /** What each turn was, for the private digest. */
    lines: z.catch(z.array(line), []),
    /** First sentences of the last answer, which a prompt such as "yes" replies to. */
    reply: z._default(z.string(), ''),
    /** Key of the last turn, so that it is not taken twice. */
    lastKey: z.optional(z.string()),
    /** What the last turn did, for the request to save. */
    lastTurn: z.optional(z.object({ edited: z.boolean(), saved: z.boolean(), telling: z.optional(z.boolean()) })),
    files_read: none,
    files_modified: none,
    /** What its turns took in. */
    inputs: none,
    tokens: z._default(z.number(), 0),
    branch: z.optional(z.string()),
    commit: z.optional(z.string()),
    /** When its first event came, and its end if the host reported one and nothing followed (ISO 8601). */
    startedAt: z.optional(z.string()),
    endedAt: z.optional(z.string()),
    /** The last turn has no end. */
    isCut: z._default(z.boolean(), false),
    extractor: z.optional(z.string()),
    /** Summaries written so far; the newest replaces the others. */
    summaries: none,
    /** The same for private digests. */
    digests: z.catch(none, []),
    /** True when turns came after the newest summary and digest. */
    unsummarised: z._default(z.boolean(), false),
    /** Time of the last event (ISO 8601). */
    lastAt: z._default(z.string(), ''),
  });

  return whole;
}

let made: ReturnType<typeof makeSchemas> | undefined;

/** Made when the first session is read: a new session's hook reads none, and making them takes as long as handling its event. */
function schemas(): ReturnType<typeof makeSchemas> {
  made ??= makeSchemas();
  return made;
}

/** What the drain remembers of a session between its runs; everything in it is redacted. */
export type SessionState = z.infer<ReturnType<typeof makeSchemas>>;

/** Sessions silent for this long are forgotten; their records stay. One that is resumed later starts afresh. */
const FORGET_MS = 90 * 86_400_000;

export function newSession(session: string, host: string, root: string): SessionState {
  return schemas().parse({ session, host, root });
}

/** Reads a session's state; undefined if it is missing or damaged (the records' ids still prevent duplicates). */
export function readSession(state: string, session: string): SessionState | undefined {
  return readFileState(pathOf(state, session));
}

/** Replaces a session's state; durable when it returns. */
export function writeSession(state: string, value: SessionState): void {
  replaceFile(pathOf(state, value.session), JSON.stringify(value));
}

/** Every remembered session; forgets those silent for long. `now` in milliseconds since 1970. */
export function readSessions(state: string, now: number): SessionState[] {
  const folder = join(state, 'sessions');
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    const isOld = stat !== undefined && now - stat.mtimeMs > FORGET_MS;
    if (stat?.isDirectory()) {
      if (isOld) rmSync(path, { recursive: true, force: true });
      return [];
    }
    if (isOld) rmSync(path, { force: true });
    // A leading dot marks the temporary file of a killed drain: it is not the session's current state.
    const value = name.endsWith('.json') && !name.startsWith('.') ? readFileState(path) : undefined;
    return value ? [value] : [];
  });
}

/** The short hash under which an event key is remembered. */
export function seenHash(key: string): string {
  return idOf(key);
}

function pathOf(state: string, session: string): string {
  return join(state, 'sessions', `${idOf(session)}.json`);
}

function readFileState(path: string): SessionState | undefined {
  const json = readJson(path);
  return json === undefined ? undefined : schemas().safeParse(json).data;
}

/** The sessions that a drain works on, each read once and written at every change. */
export class SessionTable {
  /** Whether anything was saved. */
  moved = false;
  private readonly folder: string;
  private readonly states = new Map<string, SessionState>();
  private readonly known = new Map<string, Set<string>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  find(session: string): SessionState | undefined {
    return this.states.get(session) ?? readSession(this.folder, session);
  }

  /** The session of an event; a new one if it is the session's first. */
  of(session: string, first: SpooledEvent): SessionState {
    const state = this.find(session) ?? newSession(session, first.host, first.root);
    this.states.set(session, state);
    return state;
  }

  save(state: SessionState): void {
    this.note(state);
    this.moved = true;
  }

  /** Writes a change that isn't progress, such as a missing answer. */
  note(state: SessionState): void {
    writeSession(this.folder, state);
    this.states.set(state.session, state);
    this.known.set(state.session, new Set(state.seen));
  }

  /** Hashes of the event keys that were acknowledged. */
  seen(session: string): Set<string> {
    const known = this.known.get(session) ?? new Set(this.find(session)?.seen ?? []);
    this.known.set(session, known);
    return known;
  }
}
