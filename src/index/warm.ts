import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { COARSE_STEP_MS, STEP_MS } from '../kept/keep.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { withCache } from './cache.ts';
import type { MemoryIndex, RecordIndex } from './memory-index.ts';
import { cachePath, openIndex } from './open.ts';
import { sync } from './sync.ts';
import { type FolderTimes, folderTimes, isAsNoted, noteFolders } from './sync-folders.ts';

/** Longest wait for a process that is writing the cache, in milliseconds: an agent is waiting. */
const BUSY_MS = 100;

/** Maximum rows read for one word, for the same reason: rarer words justify injecting a record unasked. */
const MOST_ROWS = 4000;

/** If more files than this differ, the update is left to the next drain. */
const BEHIND = 200;

/**
 * Queries all records of the cache, or the known ones, if that is quick; undefined if it is far behind the files. A
 * folder's time shows whether records came or went, so that most hooks look at no record at all; edits in place are
 * noticed by the next full sync. `use` gets the folders' times as they were before, if these have settled. Throws
 * SQLite's errors, including those caused by another process that is writing.
 */
export async function queryIfWarm<T>(
  workspace: Workspace,
  part: 'all' | 'known',
  use: (index: MemoryIndex, folders: FolderTimes | undefined) => T,
): Promise<T | undefined> {
  const { index } = await openIndex(workspace, { busyMs: BUSY_MS, mostRows: MOST_ROWS });
  try {
    const times = folderTimes(workspace);
    if (times === undefined || !isAsNoted(workspace, index, times)) {
      if (isFarBehind(workspace, index)) return undefined;
      await sync(workspace, index);
      if (times !== undefined) noteFolders(workspace, index, times);
    }
    const asked = part === 'known' ? index.known() : index;
    return asked.snapshot(() => use(asked, times));
  } finally {
    index.close();
  }
}

/**
 * Updates the cache, so that the next `queryIfWarm` finds nothing left to do. Returns the folders' times as they were
 * before; undefined if they do not settle.
 */
export async function warm(workspace: Workspace): Promise<FolderTimes | undefined> {
  // A checkout that was removed in the meantime must not be recreated.
  if (!existsSync(workspace.layout.state)) return undefined;
  return withCache(workspace, async (cache) => {
    let times = folderTimes(workspace);
    for (let wait = STEP_MS; times === undefined && wait <= COARSE_STEP_MS; wait *= 2) {
      await sleep(wait);
      times = folderTimes(workspace);
    }
    await cache.sync({ folders: times });
    return times;
  });
}

function isFarBehind({ stores }: Workspace, index: RecordIndex): boolean {
  let different = 0;
  for (const store of [stores.team, stores.private]) {
    const known = index.files(store.name);
    for (const { path } of store.newest()) if (!known.delete(path) && ++different > BEHIND) return true;
    different += known.size;
  }
  return different > BEHIND;
}

/** A cache of some 30,000 records. With more of them a search runs long enough for optimised code to pay off. */
const LARGE_CACHE_BYTES = 40_000_000;

/**
 * Answers one question in a process that then ends, without V8's optimising compiler: on a store of usual size it takes a
 * fifth of the processor time of a prompt or a search, and has barely finished when the answer is ready.
 */
export async function unoptimised<T>(workspace: Workspace, answer: () => Promise<T>): Promise<T> {
  const cache = statSync(cachePath(workspace), { throwIfNoEntry: false });
  if (cache === undefined || cache.size > LARGE_CACHE_BYTES) return answer();
  // With other flags V8 also refuses the compiled code of Node's own modules, so those that are needed are loaded first.
  for (const name of ['node:crypto', 'node:zlib']) process.getBuiltinModule(name);
  setFlagsFromString('--no-opt');
  try {
    return await answer();
  } finally {
    // Compiled code is kept for other processes, which V8 refuses if its flags differ.
    setFlagsFromString('--opt');
  }
}
