import { statSync } from 'node:fs';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from './cache.ts';
import { cachePath, type OpenedIndex } from './open.ts';
import type { Glance } from './sync-folders.ts';

/** The condition of a checkout's cache. */
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
