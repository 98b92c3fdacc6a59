import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleaner } from './capture/drain/clean.ts';
import type { DrainOptions, DrainReport } from './capture/drain/drain-options.ts';
import { durationMs, type LoadedConfig, requireReadable } from './config.ts';
import { GitMemError, messageOf } from './errors.ts';
import type { Cache } from './index/cache.ts';
import { cleaning, type Embedder } from './index/embed/embedder.ts';
import type { MemoryIndex } from './index/memory-index.ts';
import type { Embedded, EmbedOptions } from './index/neural.ts';
import type { FolderTimes } from './index/sync-folders.ts';
import type { Briefing } from './inject/briefing/briefing.ts';
import { noteCitations } from './inject/briefing/citations.ts';
import type { SessionBriefingOptions } from './inject/briefing/session-briefing.ts';
import { tryLock } from './memory/store/lock.ts';
import { log } from './memory/store/log.ts';
import { personalCheckout } from './memory/store/personal.ts';
import { openWorkspace, type Workspace, workspaceAt } from './memory/store/workspace.ts';
import { loadSettings, settingsNotice } from './provenance/settings.ts';
import type { Annotated } from './records/annotate.ts';
import type { Session } from './records/session.ts';
import type { Environment } from './user-folders.ts';

/** One repository with its parts, each opened when first asked for: what commands and servers work with. */
export interface Project {
  workspace: Workspace;
  /** Throws bad-config if settings exist but cannot be read. */
  config(): LoadedConfig;
  /** The briefing for a starting session, in this checkout or as of a revision. */
  briefing(options?: BriefingOptions): Promise<Briefing>;
  /** Processes the spool, with `now` despite backoffs; undefined if another drain is running. */
  drain(options: DrainRequest): Promise<DrainReport | undefined>;
  /** The sessions behind all of these records, and those that a drain remembers; newest first. */
  sessions(records: Annotated[], now: Date): Promise<Session[]>;
  /** Reads what is new in the history; reading commands do not wait for it. */
  readHistory(cache: Cache, options: HistoryRequest): Promise<void>;
  /** Removes private text and secrets, and the middle of a text longer than `longest` UTF-16 units. */
  cleaner(longest?: number): Promise<Cleaner>;
  /** The optional embedding model in the settings, which only sees text without secrets; undefined if none is set. */
  embedder(): Promise<Embedder | undefined>;
  /** Computes missing vectors of records; undefined if no model is set. */
  embed(cache: Cache, options?: EmbedOptions): Promise<Embedded | undefined>;
}

/** `at`: a revision instead of the checkout. `host`: the session's host; without it, the one that is set up here. */
type BriefingOptions = Omit<SessionBriefingOptions, 'since' | 'notice' | 'request'> & { at?: string; host?: string };

/** `now`: a person is waiting. */
type HistoryRequest = Pick<DrainOptions, 'signal'> & { now: boolean };

type DrainRequest = Pick<DrainOptions, 'all' | 'signal' | 'onWritten'> & { now: boolean };

/** Bounds the embedding that one drain does, in records and milliseconds: it should end soon, and the next one continues. */
const EMBED_AT_MOST = { records: 128, ms: 10_000 } as const;

/** Most records of the whole store that an extractor sees: each takes room in its prompt. */
const NEAREST = 5;

/** Opens the user's personal store; throws not-initialised if there is none. */
export function openPersonal(env: Environment): Project {
  const checkout = personalCheckout(env);
  // It moves the state of the project's own repository only.
  if (checkout !== undefined) return openProject(checkout.root, { ...env, GIT_MEM_STATE: undefined });
  throw new GitMemError('not-initialised', 'There is no personal store.', {
    hint: 'Make one: `git mem personal init`.',
  });
}

/** Opens the repository that holds `cwd`; throws not-a-repository. All parts meet here, each loaded when needed. */
export function openProject(cwd: string, env: Environment): Project {
  const workspace = openWorkspace(cwd, env);
  const { state } = workspace.layout;
  let loaded: LoadedConfig | undefined;
  const config = () => {
    loaded ??= loadSettings(workspace);
    requireReadable(loaded);
    return loaded;
  };

  const cleaner = async (longest?: number) => {
    const { createCleaner } = await import('./capture/drain/clean.ts');
    return createCleaner(config().config.privacy.redact, longest);
  };

  const loadEmbedder = async () => {
    const { embed } = config().config;
    // Most users have no model set up: load nothing.
    if (embed.provider === 'local') return undefined;
    const { embedderOf } = await import('./index/embed/embedder.ts');
    const found = embedderOf(embed, env);
    return found && cleaning(found, (await cleaner()).text);
  };
  let embedding: Promise<Embedder | undefined> | undefined;

  const project: Project = {
    workspace,
    config,
    cleaner,
    embedder() {
      embedding ??= loadEmbedder();
      return embedding;
    },
    async embed(cache, options = {}) {
      const model = await project.embedder();
      if (model === undefined) return undefined;
      return (await import('./index/neural.ts')).embedMissing(workspace, cache, model, options);
    },
    async briefing({ at, host, ...options } = {}) {
      const { readSession } = await import('./capture/drain/session-state.ts');
      const since = options.session ? readSession(state, options.session)?.lastAt : undefined;
      const then = at === undefined ? workspace : await workspaceAt(workspace, at);
      const { sessionBriefing } = await import('./inject/briefing/session-briefing.ts');
      const loaded = config();
      const notice = settingsNotice(loaded);
      const { requestAtStart, wayAtStart } = await import('./capture/by-hand/save-request.ts');
      const { ask: asking } = loaded.config.capture;
      const { joinsCommit } = await import('./setup/git-hooks.ts');
      const joins = await joinsCommit(workspace, loaded.config);
      const request = requestAtStart(then.checkout.root, { asking, host, source: options.source, joins }, then.env);
      const reads = wayAtStart(then.checkout.root, host, then.env);
      const known = { notice, request, ...(reads && { reads }), ...(since && { since }) };
      return sessionBriefing(then, loaded.config, { ...options, ...known });
    },
    sessions: (records, now) => sessionsBehind(project, records, now),
    readHistory: (cache, options) => attempt(workspace, 'history', () => readHistory(project, cache, options)),
    drain: (options) => drainSpool(project, env, options),
  };
  return project;
}

async function sessionsBehind({ workspace, config }: Project, records: Annotated[], now: Date): Promise<Session[]> {
  const { state, otherStates } = workspace.layout;
  const { readSessions } = await import('./capture/drain/session-state.ts');
  const { begunSessions } = await import('./capture/drain/waiting-events.ts');
  const { commitsOf, NO_WORK, sessionsOf } = await import('./records/sessions.ts');
  const idleBefore = now.getTime() - durationMs(config().config.capture.idle_after);
  const read = readSessions(state, now.getTime());
  const begun = begunSessions([state, ...otherStates], new Set(read.map(({ session }) => session)));
  // In the others nothing was asked, said or changed, such as a session with only `/clear`.
  const saving = new Set(records.map(({ record }) => record.session));
  const known = read.filter(({ session, lines }) => lines.length > 0 || saving.has(session));
  const worked = known.map((one) => ({ ...one, commits: commitsOf(one.lines) }));
  const all = [...worked, ...begun.map((one) => ({ ...NO_WORK, ...one }))];
  return sessionsOf(records, all, new Date(idleBefore).toISOString());
}

async function drainSpool(project: Project, env: Environment, { now, ...options }: DrainRequest) {
  const { workspace } = project;
  const { state } = workspace.layout;
  const { drain } = await import('./capture/drain/drain.ts');
  const { extractorOf } = await import('./capture/extract/select.ts');
  const { config: settings } = project.config();
  const report = await drain(workspace, {
    ...options,
    config: settings,
    extractor: extractorOf(settings, { state, env, now, clean: (await project.cleaner()).text }),
    nearest: async (topic) => {
      const find = async () => (await import('./search/near.ts')).relatedRecords(workspace, topic, NEAREST);
      return (await attempt(workspace, 'related records', find)) ?? [];
    },
    now,
    clock: () => new Date(),
  });
  if (options.signal.aborted) return report;
  if (report === undefined) return undefined;
  // Records need neither cache nor vectors to be safe.
  await attempt(workspace, 'cache', () => refreshCache(project, { ...options, now }));
  // Without these notes the next session start computes them.
  await attempt(workspace, 'notes', () => prepareStart(project, report.written.length > 0));
  return report;
}

/** Does work that a drain can do without: a failure is logged, and the result is undefined. */
async function attempt<T>({ layout }: Workspace, what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log(layout.state, `${what}: ${messageOf(error)}`, new Date());
    return undefined;
  }
}

/** How long a process waits for another that reads the history, and how often it checks, in milliseconds. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

/** Continues reading the history, one process per clone at a time: others wait only with `now`. */
async function readHistory(project: Project, cache: Cache, { now, signal }: HistoryRequest): Promise<void> {
  const { workspace, cleaner } = project;
  for (let waited = 0; waited < PATIENCE_MS && !signal.aborted; waited += LOOK_MS) {
    const lock = tryLock(join(workspace.layout.state, 'history.lock'));
    try {
      if (lock === undefined && now) continue;
      if (lock === undefined) return;
      await (await import('./provenance/recorded-walk.ts')).walkAdditions(workspace, { signal });
      const { noteRenames } = await import('./provenance/renamed-files.ts');
      await noteRenames(workspace, () => cache.query((index) => [...index.cited()], { glance: 'folders' }));
      return await (await import('./search/search-commits.ts')).refreshCommits(workspace, { cleaner });
    } finally {
      lock?.release();
      if (lock === undefined && now) await sleep(LOOK_MS);
    }
  }
}

async function refreshCache(project: Project, { signal, now }: HistoryRequest): Promise<void> {
  const { workspace } = project;
  const { state } = workspace.layout;
  // So that the next prompt's hook need not spend the time.
  const folders = await (await import('./index/warm.ts')).warm(workspace);
  if (!existsSync(state)) return;
  const cache = (await import('./index/cache.ts')).openCache(workspace);
  try {
    await (await import('./records/judgement.ts')).noteKnownRecords(workspace, cache);
    await project.readHistory(cache, { now, signal });
    if (folders !== undefined) await noteCitedNames(project, cache, folders);
    if (project.config().config.embed.provider === 'local') return;
    const limits = AbortSignal.any([signal, AbortSignal.timeout(EMBED_AT_MOST.ms)]);
    const report = await project.embed(cache, { limit: EMBED_AT_MOST.records, signal: limits });
    if (report?.problem) log(state, `embed: ${report.problem}`, new Date());
  } finally {
    cache.close();
  }
}

/** Notes which names the records cite, for the next prompt's hook. */
async function noteCitedNames({ workspace, config }: Project, cache: Cache, folders: FolderTimes): Promise<void> {
  const { noteNames } = await import('./inject/prompt/cited-names.ts');
  const renames = (await import('./provenance/renamed-files.ts')).keptRenames(workspace);
  const { inject_unreviewed: isAny } = config().config.trust;
  const guards = await (await import('./inject/prompt/guards.ts')).guardsIn(workspace);
  const note = (index: MemoryIndex) =>
    noteNames(workspace, { index: isAny ? index : index.known(), renames, folders, guards });
  await cache.write(note, { glance: 'folders' });
}

/** Computes notes for session starts, such as which files the records cite. */
async function prepareStart({ workspace, config }: Project, isWritten: boolean): Promise<void> {
  const { withFewMonths } = await import('./inject/briefing/newest.ts');
  // A session start reads only some hundred files of a store that is new to it: those of a pull, for instance.
  noteCitations(await withFewMonths(workspace), { most: Number.POSITIVE_INFINITY });
  if (!isWritten) return;
  const { sessionBriefing } = await import('./inject/briefing/session-briefing.ts');
  await sessionBriefing(workspace, config().config, {});
}
