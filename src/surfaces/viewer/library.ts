import { join } from 'node:path';
import { userConfigPath } from '../../config.ts';
import { fileStamp } from '../../memory/store/stamp.ts';
import { openProject, type Project } from '../../project.ts';
import { type Cache, openCache } from '../../recall/index/cache.ts';
import type { Card as IndexCard } from '../../recall/index/memory-index.ts';
import { steadyCache } from '../../recall/index/steady-cache.ts';
import { watchMemory } from '../../recall/index/watch.ts';
import type { ChangeEvent } from './protocol.ts';
import { keepSnapshot, type Snapshot } from './snapshot.ts';

/** The memory of one checkout as the viewer reads it: opened once, kept up to the files while it is open. */
export interface Library {
  /** With the settings as they are now. */
  readonly project: Project;
  cache: Cache;
  snapshot(): Promise<Snapshot>;
  /** The snapshot as it was at most some seconds ago, without asking git. */
  snapshotLately(): Promise<Snapshot>;
  close(): Promise<void>;
}

/** Looking at all files before an answer may take this long; where it takes longer, the last look counts for a while. */
const QUICK_MS = 5;
/** That while: records that come and go are seen all the same by their folders, and what is edited the watcher tells. */
const REST_MS = 10_000;

/** Opens it, and calls `onChange` whenever records came, went or changed. */
export async function openLibrary(
  first: Project,
  { onChange, onError }: { onChange: (change: ChangeEvent) => void; onError: (error: unknown) => void },
): Promise<Library> {
  const { workspace } = first;
  const raw = openCache(workspace);
  const cache = steadyCache(workspace, raw, { quickMs: QUICK_MS, restMs: REST_MS });
  const { now: snapshot, lately: snapshotLately } = keepSnapshot(workspace, cache);
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

/** A project reads its settings once: when their files change, another one takes its place. */
function keepProject(first: Project): () => Project {
  const { checkout, layout, env } = first.workspace;
  const files = [join(layout.memory, 'config.yaml'), userConfigPath(env)];
  const look = () => files.map(fileStamp).join();
  let seen = look();
  let project = first;
  return () => {
    const now = look();
    if (now !== seen) project = openProject(checkout.root, env);
    seen = now;
    return project;
  };
}
