import { join } from 'node:path';
import type { Workspace } from '../store/workspace.ts';
import { backlog } from './backlog.ts';
import { tryLock } from './lock.ts';
import { type DrainOptions, type DrainReport, Pass } from './pass.ts';

/**
 * Works off the spool: claims events in order, cleans them, groups them into turns, extracts, writes, acknowledges.
 * Undefined when another drain is at work. The order makes a kill at any instant harmless: records first (a retry finds
 * them by their ids), then what the session has seen, then the acknowledgement.
 */
export async function drain(workspace: Workspace, options: DrainOptions): Promise<DrainReport | undefined> {
  const { layout } = workspace;
  const report: DrainReport = { events: 0, written: [], pending: 0, failed: 0 };
  for (;;) {
    const lock = tryLock(join(layout.state, 'lock'));
    if (lock === undefined) return report.events > 0 || report.written.length > 0 ? finished() : undefined;
    let progress: boolean;
    try {
      progress = await new Pass(workspace, options, report, lock).run();
    } finally {
      lock.release();
    }
    // Whoever came while the lock was held has gone again, so look once more after letting go of it.
    if (!progress || options.signal.aborted) return finished();
  }

  function finished(): DrainReport {
    return { ...report, ...backlog(layout) };
  }
}
