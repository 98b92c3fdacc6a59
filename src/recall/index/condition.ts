import { statSync } from 'node:fs';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from './cache.ts';
import type { MemoryIndex } from './memory-index.ts';
import { cachePath, type Engine } from './open.ts';
import type { Glance } from './sync-folders.ts';

/** The condition of a checkout's cache. */
export interface CacheCondition {
  kind: MemoryIndex['kind'];
  /** The package or module behind it. */
  engine: Engine;
  /** Whether the index outlives the process. */
  persistent: boolean;
  /** Searchable records of this checkout. */
  documents: number;
  /** Files of both stores that are not records. */
  unreadable: number;
  /** Bytes on disk, shared by all worktrees. */
  size: number;
  /** Why it is not the usual engine. */
  reason?: string;
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
