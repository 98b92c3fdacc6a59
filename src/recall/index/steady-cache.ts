import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from './cache.ts';
import type { MemoryIndex } from './memory-index.ts';
import { NO_CHANGES, type SyncReport } from './sync.ts';
import { folderTimes } from './sync-folders.ts';

/** A file edited in place changes no folder: all files are checked again after this long. */
const REST_MS = 1000;

/** A sync that takes no longer than this runs before every question, so that nothing is ever missed. */
const QUICK_MS = 20;

/** The largest share of the time that syncs may take, as a divisor, however large the store. */
const SHARE = 10;

/**
 * The cache for many questions in a row to one process. If checking every file is quick, it is done before each
 * question. Otherwise only the folders are checked, and every file only when a folder changed or a while has passed.
 * `beforeSync` runs before every file is checked.
 */
export function steadyCache(
  workspace: Workspace,
  cache: Cache,
  {
    beforeSync = async () => {},
    quickMs = QUICK_MS,
    restMs = REST_MS,
  }: { beforeSync?: () => Promise<void>; quickMs?: number; restMs?: number } = {},
): Cache {
  let held: { index: MemoryIndex; folders: string; until: number } | undefined;

  async function synced<T>(use: (index: MemoryIndex, report: SyncReport) => T): Promise<T> {
    await beforeSync();
    const start = Date.now();
    const folders = folderTimes(workspace, start)?.key;
    held = undefined;
    return cache.query((index, report) => {
      // Runs again if the cache had to repair itself and asks another index.
      const result = use(index, report);
      const now = Date.now();
      const took = now - start;
      if (folders !== undefined && took > quickMs) {
        held = { index, folders, until: now + Math.max(restMs, took * SHARE) };
      }
      return result;
    });
  }

  return {
    ...cache,
    async query(use) {
      const now = Date.now();
      if (held === undefined || now > held.until || folderTimes(workspace, now)?.key !== held.folders)
        return synced(use);
      const { index } = held;
      try {
        return index.snapshot(() => use(index, NO_CHANGES));
      } catch {
        // Whatever the error is, the cache repairs it or throws it again.
        return synced(use);
      }
    },
    sync(options) {
      held = undefined;
      return cache.sync(options);
    },
    close() {
      held = undefined;
      cache.close();
    },
  };
}
