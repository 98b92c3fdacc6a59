import { existsSync } from 'node:fs';
import type { DrainOptions, DrainReport } from './capture/drain/drain-options.ts';
import type { PendingTurn } from './capture/drain/pending-turns.ts';
import { durationMs, keptMs, type LoadedConfig, requireReadable } from './config.ts';
import { GitMemError, messageOf } from './errors.ts';
import type { Discussion } from './exchange/distil/discussion.ts';
import type { Distilled } from './exchange/distil/distil.ts';
import { locate } from './git/locate.ts';
import type { MemoryRecord } from './memory/record.ts';
import { log } from './memory/store/log.ts';
import { personalCheckout } from './memory/store/personal.ts';
import { openWorkspace, type Workspace, workspaceAt, workspaceOf } from './memory/store/workspace.ts';
import { loadSettings, settingsNotice } from './provenance/settings.ts';
import type { Briefing } from './recall/briefing/briefing.ts';
import { noteCitations } from './recall/briefing/citations.ts';
import type { SessionBriefingOptions } from './recall/briefing/session-briefing.ts';
import type { Cache } from './recall/index/cache.ts';
import { cleaning, type Embedder } from './recall/index/embed/embedder.ts';
import type { Embedded, EmbedOptions } from './recall/index/embed/neural.ts';
import type { FolderTimes } from './recall/index/sync-folders.ts';
import type { Annotated } from './recall/query/annotate.ts';
import type { Session } from './recall/query/session.ts';
import type { Environment } from './user-folders.ts';

/** One repository with its parts, each opened when first asked for: what commands and servers work with. */
export interface Project {
  workspace: Workspace;
  /** Throws bad-config if settings exist but cannot be read. */
  config(): LoadedConfig;
  /** The briefing for a starting session, in this checkout or as of a revision. */
  briefing(options?: BriefingOptions): Promise<Briefing>;
  /** Works off the spool, with `now` in spite of backoffs; undefined if another drain is running. */
  drain(options: DrainRequest): Promise<DrainReport | undefined>;
  /** The sessions behind all of these records, and those that a drain remembers; newest first. */
  sessions(records: Annotated[], now: Date): Promise<Session[]>;
  /** What a discussion of people leaves, by the model in the settings; writes nothing. */
  distil(discussion: Discussion, options: { now: Date; signal: AbortSignal }): Promise<Distilled>;
  /** The kept turn behind a record; none if it was not kept, or no longer is. */
  turnsBehind(record: MemoryRecord, now: Date): Promise<PendingTurn[]>;
  /** The optional embedding model in the settings, which sees no text with secrets in it; undefined if none is set. */
  embedder(): Promise<Embedder | undefined>;
  /** Computes missing vectors of records; undefined if no model is set. */
  embed(cache: Cache, options?: EmbedOptions): Promise<Embedded | undefined>;
}

/** `at`: a revision instead of the checkout. `host`: the session's host; without it, the one that is set up here. */
type BriefingOptions = Omit<SessionBriefingOptions, 'since' | 'notice' | 'request'> & { at?: string; host?: string };

type DrainRequest = Pick<DrainOptions, 'all' | 'signal' | 'onWritten'> & { now: boolean };

/** The most embedding that one drain does, in records and milliseconds: it should end soon; the next one continues. */
const EMBED_AT_MOST = { records: 128, ms: 10_000 } as const;

/** Most records of the whole store that an extractor sees. */
const NEAREST = 5;

/** Opens the user's personal store; throws not-initialised if there is none. */
export function openPersonal(env: Environment): Project {
  const checkout = personalCheckout(env);
  // That variable moves the state of the project's own repository.
  if (checkout !== undefined) return openProject(checkout.root, { ...env, GIT_MEM_STATE: undefined });
  throw new GitMemError('not-initialised', 'There is no personal store.', {
    hint: 'Make one: `git mem personal init`.',
  });
}

/**
 * Opens the repository that holds `cwd`; throws not-a-repository. The only place where all parts meet: each member
 * combines some, and loads them when it is called.
 */
export function openProject(cwd: string, env: Environment): Project {
  const workspace = openWorkspace(cwd, env);
  const { state } = workspace.layout;
  let loaded: LoadedConfig | undefined;
  const config = () => {
    loaded ??= loadSettings(workspace);
    requireReadable(loaded);
    return loaded;
  };

  let loadedEmbedder: Promise<Embedder | undefined> | undefined;
  const embedder = () => {
    loadedEmbedder ??= loadEmbedder(config().config, env);
    return loadedEmbedder;
  };

  const project: Project = {
    workspace,
    config,
    embedder,
    async embed(cache, options = {}) {
      const model = await embedder();
      if (model === undefined) return undefined;
      const { embedMissing } = await import('./recall/index/embed/neural.ts');
      return embedMissing(workspace, cache, model, options);
    },
    async briefing({ at, host, ...options } = {}) {
      const { readSession } = await import('./capture/drain/session-state.ts');
      const since = options.session ? readSession(state, options.session)?.lastAt : undefined;
      const then = at === undefined ? workspace : await workspaceAt(workspace, at);
      const { sessionBriefing } = await import('./recall/briefing/session-briefing.ts');
      const loaded = config();
      const notice = settingsNotice(loaded);
      // A hook takes what is known; a command waits for the history.
      if (at === undefined) await (await import('./recall/query/reverted.ts')).noteReverts(workspace);
      const { requestAtStart } = await import('./capture/by-hand/save-request.ts');
      const asking = loaded.config.capture.ask;
      const request = requestAtStart(then.checkout.root, { asking, host, source: options.source });
      return sessionBriefing(then, loaded.config, { ...options, notice, request, ...(since && { since }) });
    },
    async sessions(records, now) {
      const [{ readSessions }, { begunSessions }, { NO_WORK, sessionsOf }] = await Promise.all([
        import('./capture/drain/session-state.ts'),
        import('./capture/drain/waiting-events.ts'),
        import('./recall/query/sessions.ts'),
      ]);
      const idleBefore = now.getTime() - durationMs(config().config.capture.idle_after);
      const known = readSessions(state, now.getTime());
      const names = new Set(known.map(({ session }) => session));
      const begun = begunSessions([state, ...workspace.layout.otherStates], names).map((one) => ({
        ...NO_WORK,
        ...one,
      }));
      return sessionsOf(records, [...known, ...begun], new Date(idleBefore).toISOString());
    },
    async distil(discussion, options) {
      const [{ distil }, { modelsOf }, { createCleaner }] = await Promise.all([
        import('./exchange/distil/distil.ts'),
        import('./capture/extract/select.ts'),
        import('./capture/drain/clean.ts'),
      ]);
      const { config: settings } = config();
      const models = modelsOf(settings, { state, env, clean: createCleaner(settings.privacy.redact).text });
      return distil(workspace, discussion, { ...options, config: settings, models });
    },
    async turnsBehind(record, now) {
      const { turnsBehind } = await import('./capture/drain/kept-turns.ts');
      const { activeRedactions } = await import('./provenance/redactions.ts');
      const limits = { after: now.getTime() - keptMs(config().config), ...(await activeRedactions(workspace)) };
      return [state, ...workspace.layout.otherStates].flatMap((folder) => turnsBehind(folder, record, limits));
    },
    drain: (options) => drainSpool(project, env, options),
  };
  return project;
}

async function loadEmbedder(
  { embed, privacy }: LoadedConfig['config'],
  env: Environment,
): Promise<Embedder | undefined> {
  // Most users have no model set up: load nothing.
  if (embed.provider === 'local') return undefined;
  const { embedderOf } = await import('./recall/index/embed/select.ts');
  const { createCleaner } = await import('./capture/drain/clean.ts');
  const embedder = await embedderOf(embed, env);
  return embedder && cleaning(embedder, createCleaner(privacy.redact).text);
}

async function drainSpool(project: Project, env: Environment, { now, ...options }: DrainRequest) {
  const { workspace } = project;
  const { state } = workspace.layout;
  // Loaded here, not above: most commands need no extractor and no provider.
  const [{ drain }, { createCleaner }, { extractorOf, rulesExtractor }] = await Promise.all([
    import('./capture/drain/drain.ts'),
    import('./capture/drain/clean.ts'),
    import('./capture/extract/select.ts'),
  ]);
  const { config: settings } = project.config();
  const boundaries = new Set<string>();
  const report = await drain(workspace, {
    ...options,
    config: settings,
    extractor: extractorOf(settings, { state, env, now, clean: createCleaner(settings.privacy.redact).text }),
    fallback: rulesExtractor(settings.extract.mode),
    nearest: (topic) => nearest(workspace, topic),
    now,
    clock: () => new Date(),
    onBoundary: (root) => boundaries.add(root),
  });
  if (options.signal.aborted) return report;
  if (settings.commit === 'auto') for (const root of boundaries) await commitIn(root, project, env);
  if (report !== undefined) await refreshCache(project, options.signal);
  if (report !== undefined) await refreshTally(project, report.written.length > 0);
  return report;
}

/** Never fails: existing records help an extractor, but are not required. */
async function nearest(workspace: Workspace, topic: { files: string[]; text: string }) {
  try {
    const { relatedRecords } = await import('./recall/search/related.ts');
    return await relatedRecords(workspace, topic, NEAREST);
  } catch (error) {
    log(workspace.layout.state, `related records: ${messageOf(error)}`, new Date());
    return [];
  }
}

/** Never fails: records need neither cache nor vectors to be safe. */
async function refreshCache(project: Project, signal: AbortSignal): Promise<void> {
  const { workspace } = project;
  const { state } = workspace.layout;
  try {
    // The next prompt's hook must not spend the time.
    const folders = await (await import('./recall/index/warm.ts')).warm(workspace);
    if (!existsSync(state)) return;
    const cache = (await import('./recall/index/cache.ts')).openCache(workspace);
    try {
      await (await import('./recall/query/known-records.ts')).noteKnownRecords(workspace, cache);
      await (await import('./recall/query/renamed-files.ts')).noteRenames(workspace, cache);
      await (await import('./recall/query/note-disputes.ts')).noteDisputes(workspace, cache);
      if (folders !== undefined) await noteCitedNames(project, cache, folders);
      await (await import('./recall/query/reverted.ts')).noteReverts(workspace);
      await (await import('./recall/query/use.ts')).countUse(workspace, cache, new Date());
      if (project.config().config.embed.provider === 'local') return;
      const limits = AbortSignal.any([signal, AbortSignal.timeout(EMBED_AT_MOST.ms)]);
      const report = await project.embed(cache, { limit: EMBED_AT_MOST.records, signal: limits });
      if (report?.problem) log(state, `embed: ${report.problem}`, new Date());
    } finally {
      cache.close();
    }
  } catch (error) {
    log(state, `cache: ${messageOf(error)}`, new Date());
  }
}

/** Notes which names the records cite, for the next prompt's hook. */
async function noteCitedNames({ workspace, config }: Project, cache: Cache, folders: FolderTimes): Promise<void> {
  const { noteNames } = await import('./recall/prompt/cited-names.ts');
  const { openRenames } = await import('./recall/query/renamed-files.ts');
  const renames = await openRenames(workspace);
  const { inject_unreviewed: isAny } = config().config.trust;
  const guards = await (await import('./recall/prompt/guards.ts')).guardsIn(workspace);
  await cache.query((index) =>
    noteNames(workspace, { index: isAny ? index : index.known(), renames, folders, guards }),
  );
}

/** Never fails: the status line may still show the counts of the last session start. */
async function refreshTally({ workspace, config }: Project, isWritten: boolean): Promise<void> {
  try {
    // A session start reads only some hundred files of a store that is new to it: those of a pull, for instance.
    noteCitations(workspace, Number.POSITIVE_INFINITY);
    if (!isWritten) return;
    const { sessionBriefing } = await import('./recall/briefing/session-briefing.ts');
    await sessionBriefing(workspace, config().config, {});
    await (await import('./recall/query/active-count.ts')).recount(workspace, new Date());
  } catch (error) {
    log(workspace.layout.state, `status line: ${messageOf(error)}`, new Date());
  }
}

/** Commits the memory of a worktree where a session begins or is over. A later drain retries a failed commit. */
async function commitIn(root: string, { workspace, config }: Project, env: Environment): Promise<void> {
  try {
    const checkout = root === workspace.checkout.root ? workspace.checkout : locate(root);
    // The leftovers of a removed worktree may be inside another repository.
    if (checkout?.root !== root || checkout.commonDir !== workspace.checkout.commonDir) return;
    const { commitMemory } = await import('./review/commit/policy.ts');
    await commitMemory(workspaceOf(checkout, env), config().config, new Date());
  } catch (error) {
    log(workspace.layout.state, `commit: ${messageOf(error)}`, new Date());
  }
}
