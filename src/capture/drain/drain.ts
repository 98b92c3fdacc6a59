import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, tryLock } from '../../memory/store/lock.ts';
import { noteDeadDrain } from '../../memory/store/missed.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { releaseReviewed } from '../../provenance/untracked.ts';
import type { DrainOptions, DrainReport } from './drain-options.ts';
import { Pass } from './pass.ts';
import { backlog } from './waiting-events.ts';

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
      progress = await new Pass(workspace, options, report, { lock, refused }).run();
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
