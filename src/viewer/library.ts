import { type Cache, openCache } from '../cache/cache.ts';
import type { Card as IndexCard } from '../cache/memory-index.ts';
import type { Project } from '../project.ts';
import { steadyCache } from '../recall/steady-cache.ts';
import { watchMemory } from '../worker/watch.ts';
import type { ChangeEvent } from './protocol.ts';

/** The memory of one checkout as the viewer reads it: opened once, kept up to the files while it is open. */
export interface Library {
  project: Project;
  cache: Cache;
  close(): Promise<void>;
}

/** Opens it, and calls `onChange` whenever records came, went or changed. */
export async function openLibrary(
  project: Project,
  { onChange, onError }: { onChange: (change: ChangeEvent) => void; onError: (error: unknown) => void },
): Promise<Library> {
  const { workspace } = project;
  const raw = openCache(workspace);
  const cache = steadyCache(workspace, raw);
  const ids = (cards: IndexCard[]) => cards.map(({ id }) => id);
  const watching = await watchMemory(workspace, raw, {
    onChange({ added, edited, removed }) {
      onChange({ revision: `${Date.now()}`, added: ids(added), edited: ids(edited), removed: ids(removed) });
    },
    onError,
  });
  return {
    project,
    cache,
    async close() {
      await watching.close();
      cache.close();
    },
  };
}
