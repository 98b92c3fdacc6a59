import { type LoadedConfig, loadConfig } from './config.ts';
import { messageOf } from './errors.ts';
import type { Briefing } from './recall/briefing.ts';
import { type SessionBriefingOptions, sessionBriefing } from './recall/session-briefing.ts';
import { log } from './repo/log.ts';
import { openWorkspace, type Workspace } from './store/workspace.ts';
import type { DrainOptions, DrainReport } from './worker/pass.ts';
import { readSession } from './worker/session-state.ts';

/** One repository with its parts, each opened when first asked for: what commands and servers work with. */
export interface Project {
  workspace: Workspace;
  config(): LoadedConfig;
  /** What a starting session is told. */
  briefing(options?: Omit<SessionBriefingOptions, 'since'>): Promise<Briefing>;
  /** Works off the spool; undefined when another drain does. */
  drain(options: Pick<DrainOptions, 'all' | 'now' | 'signal' | 'onWritten'>): Promise<DrainReport | undefined>;
}

/** Opens the repository that holds `cwd`; throws not-a-repository. */
export function openProject(cwd: string, env: Record<string, string | undefined>): Project {
  const workspace = openWorkspace(cwd, env);
  const { state } = workspace.layout;
  let loaded: LoadedConfig | undefined;
  const config = () => {
    loaded ??= loadConfig(workspace.layout.memory, env);
    return loaded;
  };

  return {
    workspace,
    config,
    briefing(options = {}) {
      const since = options.session ? readSession(state, options.session)?.lastAt : undefined;
      return sessionBriefing(workspace, config().config, { ...options, ...(since && { since }) });
    },
    async drain(options) {
      // Loaded here, not above: most commands need no extractor and no provider.
      const [{ drain }, { extractorOf, providerOf, rulesExtractor }] = await Promise.all([
        import('./worker/drain.ts'),
        import('./extract/select.ts'),
      ]);
      const { config: settings } = config();
      const report = await drain(workspace, {
        ...options,
        // A provider that was set before may have been failing; the rules need no rest.
        now: options.now || providerOf(settings.extract, env) === 'rules',
        config: settings,
        extractor: extractorOf(settings.extract, { state, env }),
        fallback: rulesExtractor(),
        clock: () => new Date(),
      });
      // The next prompt's hook may not spend the time, and records need no cache to be safe.
      if (report !== undefined && !options.signal.aborted) {
        try {
          await (await import('./cache/warm.ts')).warm(workspace);
        } catch (error) {
          log(state, `cache: ${messageOf(error)}`, new Date());
        }
      }
      return report;
    },
  };
}
