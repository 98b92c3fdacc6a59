import { join } from 'node:path';
import { userConfigPath } from '../../config.ts';
import { type Cache, openCache, steadyCache } from '../../index/cache.ts';
import type { Card as IndexCard } from '../../index/memory-index.ts';
import { watchMemory } from '../../index/watch.ts';
import { stampOf } from '../../kept/keep.ts';
import { openProject, type Project } from '../../project.ts';
import type { ChangeEvent } from './protocol.ts';
import { keepSnapshot, type SnapshotKeeper } from './snapshot.ts';

/** The memory of one checkout as the viewer reads it: opened once, and kept up to date while it is open. */
export interface Library extends SnapshotKeeper {
  /** With the current settings. */
  readonly project: Project;
  cache: Cache;
  close(): Promise<void>;
}

/** If checking all files before an answer takes longer than this, the last check counts for a while. */
const QUICK_MS = 5;
/**
 * How long it then counts: added and removed records are still noticed by their folders, and edits are reported by the
 * watcher.
 */
const REST_MS = 10_000;

export interface Handlers {
  onChange: (change: ChangeEvent) => void;
  onError: (error: unknown) => void;
}

/**
 * Opens the library, and calls `onChange` whenever records were added, removed or changed. Its cache keeps `remember` documents
 * in memory; by default, as many as a command's.
 */
export async function openLibrary(
  first: Project,
  { onChange, onError, remember }: Handlers & { remember?: number },
): Promise<Library> {
  const { workspace } = first;
  const raw = openCache(workspace, remember === undefined ? {} : { remember });
  const cache = steadyCache(workspace, raw, { quickMs: QUICK_MS, restMs: REST_MS });
  const { snapshot, snapshotLately } = keepSnapshot(workspace, cache);
  const project = keepProject(first);
  const ids = (cards: IndexCard[]) => cards.map(({ id }) => id);
  const watching = await watchMemory(workspace, raw, {
    onChange({ added, edited, removed }) {
      const change = { added: ids(added), edited: ids(edited), removed: ids(removed) };
      snapshot().then(({ revision }) => onChange({ revision, ...change }), onError);
    },
    onError,
  });
  return {
    get project() {
      return project();
    },
    cache,
    snapshot,
    snapshotLately,
    async close() {
      await watching.close();
      cache.close();
    },
  };
}

/** A project reads its settings once: when their files change, it is replaced by a new one. */
function keepProject(first: Project): () => Project {
  const { checkout, layout, env } = first.workspace;
  const files = [join(layout.memory, 'config.yaml'), userConfigPath(env)];
  const look = () => files.map(stampOf).join();
  let seen = look();
  let project = first;
  return () => {
    const now = look();
    if (now !== seen) project = openProject(checkout.root, env);
    seen = now;
    return project;
  };
}
