import { statSync } from 'node:fs';
import { messageOf } from '../errors.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { learn } from './embed/local.ts';
import type { MemoryIndex } from './memory-index.ts';
import {
  cachePath,
  deleteCache,
  isDamage,
  isUnwritable,
  type OpenedIndex,
  type OpenOptions,
  openIndex,
} from './open.ts';
import { NO_CHANGES, type SyncReport, sync, UNLEARNED } from './sync.ts';
import { type FolderTimes, folderTimes, type Glance, noteFolders, syncFolders } from './sync-folders.ts';

/** The search cache of one checkout; it stays in step with the files and repairs itself. */
export interface Cache {
  /**
   * Brings the index up to date with the files, then runs `use` on one consistent state of it. With `glance`, only the
   * folder times of a large store are checked: added and removed records are seen, an edit in place only when all files
   * are checked again.
   */
  query<T>(use: (index: MemoryIndex, report: SyncReport) => T, options?: { glance?: Glance | undefined }): Promise<T>;
  /**
   * Like `query`, for work that writes. Runs outside a snapshot, because a reader that becomes a writer does not wait for its
   * turn, and fails if another process has written since it began.
   */
  write<T>(use: (index: MemoryIndex) => T, options?: { glance?: Glance | undefined }): Promise<T>;
  /** Brings index and local vectors up to date, from scratch with `rebuild`; notes `folders` as their current times. */
  sync(options?: { rebuild?: boolean; folders?: FolderTimes | undefined }): Promise<SyncReport>;
  /** Which index answers, and why if it is not the usual one; undefined before the first question. */
  state(): Omit<OpenedIndex, 'index'> | undefined;
  close(): void;
}

/** How thoroughly the files are checked, and how much is learned from them. */
interface Look {
  quick: boolean;
  glance?: Glance | undefined;
  writes?: boolean;
  folders?: FolderTimes | undefined;
}

/** Prepares a checkout's cache; the first question opens it, and its functions share the open index. */
export function openCache(workspace: Workspace, options: OpenOptions = {}): Cache {
  let opened: OpenedIndex | undefined;

  function close(): void {
    try {
      opened?.index.close();
    } catch {
      // A damaged or deleted database may refuse even this; the process ends or opens another.
    }
    opened = undefined;
  }

  async function attempt<T>(use: (index: MemoryIndex, report: SyncReport) => T, look: Look): Promise<T> {
    const { quick, glance, writes, folders } = look;
    opened ??= await openIndex(workspace, options);
    const { index } = opened;
    const report = glance ? await syncFolders(workspace, index, glance) : await sync(workspace, index);
    // Noted in the index itself, because a process may end after adding records and before learning from them.
    if (!quick || index.meta(UNLEARNED) === '1') {
      learn(index, { quick });
      if (index.meta(UNLEARNED) !== '0') index.setMeta(UNLEARNED, '0');
    }
    if (!quick) index.settle();
    if (folders !== undefined) noteFolders(workspace, index, folders);
    const answer = writes ? use(index, report) : index.snapshot(() => use(index, report));
    seal(index);
    return answer;
  }

  /** Tries the cache, then a rebuilt one, then one in memory: a question is answered whatever happened to the file. */
  async function repaired<T>(
    use: (index: MemoryIndex, report: SyncReport) => T,
    look: Look,
    isDamaged = false,
  ): Promise<T> {
    try {
      if (isDamaged) deleteCache(workspace);
      return await attempt(use, look);
    } catch (error) {
      if (!isDamage(error) && !isUnwritable(error)) throw error;
      close();
      if (isDamage(error) && !isDamaged) return repaired(use, look, true);
      opened = await openIndex(workspace, { prefer: 'memory', reason: messageOf(error) });
      return attempt(use, look);
    }
  }

  // One at a time: a sync awaits file reads between checking and writing.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    query: (use, { glance } = {}) => inTurn(() => repaired(use, { quick: true, glance })),
    write: (use, { glance } = {}) => inTurn(() => repaired(use, { quick: true, glance, writes: true })),
    sync: ({ rebuild = false, folders } = {}) =>
      inTurn(() => {
        if (rebuild) {
          close();
          deleteCache(workspace);
          deleteCache(workspace, 'history');
        }
        return repaired((_, report) => report, { quick: false, folders });
      }),
    state() {
      if (opened === undefined) return undefined;
      const { index: _, ...state } = opened;
      return state;
    },
    close,
  };
}

/** Opens a checkout's cache for some work, and closes it. */
export async function withCache<T>(workspace: Workspace, work: (cache: Cache) => Promise<T> | T): Promise<T> {
  const cache = openCache(workspace);
  try {
    return await work(cache);
  } finally {
    cache.close();
  }
}

function seal(index: MemoryIndex): void {
  try {
    index.seal();
  } catch (error) {
    // A busy or read-only cache: the writer sets the seal, and a question needs none.
    if (!isUnwritable(error)) throw error;
  }
}

/** An edit in place changes no folder, so all files are checked again after this long, in milliseconds. */
const REST_MS = 1000;

/** A sync that takes no longer than this, in milliseconds, runs before every question, so that nothing is ever missed. */
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

export interface CacheCondition extends Omit<OpenedIndex, 'index'> {
  /** Searchable records of this checkout. */
  documents: number;
  /** Files of both stores that are not records. */
  unreadable: number;
  /** Bytes on disk, shared by all worktrees. */
  size: number;
}

/** Brings the cache up to date with the files, or with `glance` only their folders, and reports its condition. */
export async function conditionOf(
  workspace: Workspace,
  cache: Cache,
  options: { glance?: Glance } = {},
): Promise<CacheCondition> {
  const { kind, ...counts } = await cache.query((index) => {
    return { kind: index.kind, documents: index.statistics([]).documents, unreadable: index.unreadable().length };
  }, options);
  const { engine = 'minisearch', persistent = false, reason } = cache.state() ?? {};
  const path = cachePath(workspace);
  const size = persistent ? sizeOf(path) + sizeOf(`${path}-wal`) : 0;
  return { kind, engine, persistent, ...counts, size, ...(reason !== undefined && { reason }) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
