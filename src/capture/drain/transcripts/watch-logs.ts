import { setTimeout as sleep } from 'node:timers/promises';
import { GitMemError } from '../../../errors.ts';
import { tryLock } from '../../../memory/store/lock.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import type { LoggedHost } from '../../agents/agents.ts';
import { Follower, type FollowerOptions, type LogReport } from './follower.ts';
import { logMemory } from './logs.ts';

export interface WatchLogsOptions extends Pick<FollowerOptions, 'env' | 'captured' | 'clock' | 'signal'> {
  hosts: readonly LoggedHost[];
  /** Also reads what was written since then (milliseconds since 1970). */
  sinceMs?: number;
  /** Reads what is there and ends. */
  once: boolean;
  onReport: (report: LogReport) => void;
  /** Called after the first look at everything. */
  onReady: (logs: string[]) => void;
}

/** How often followed logs are checked: often enough for a session that starts after another, and no load. */
const LOOK_MS = 1000;

/** New logs are searched for at every Nth look: hosts keep a log per session, and thousands of old ones. */
const SEARCH_EVERY = 5;

/**
 * Puts what hosts write into their logs into the spool, until it is stopped. It polls modification times instead of
 * watching: logs are in folders that come and go, one for a day or a project, and on file systems without
 * notifications. Throws `busy` if another process does the same.
 */
export async function watchLogs(workspace: Workspace, options: WatchLogsOptions): Promise<void> {
  const { env, hosts, sinceMs, captured, clock, signal, onReport } = options;
  const memory = logMemory(workspace.layout.state);
  const lock = tryLock(memory.lock);
  if (lock === undefined) {
    throw new GitMemError('busy', 'Another `git mem sync --transcripts` follows the logs of this repository.', {
      hint: 'One is enough for all of its worktrees: end the other one first.',
    });
  }
  try {
    const since = hosts.map((host) => ({ host, sinceMs: memory.since(host.name, sinceMs, clock().getTime()) }));
    const follower = new Follower({ workspace, env, memory, hosts: since, captured, clock, signal });
    for (let look = 0; !signal.aborted; look++) {
      const reports = look % SEARCH_EVERY === 0 ? follower.lookEverywhere() : follower.lookAgain();
      for await (const report of reports) onReport(report);
      lock.touch();
      if (look === 0) options.onReady(follower.logs);
      if (options.once) return;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {}); // Stopped: the loop sees it.
    }
  } finally {
    lock.release();
  }
}
