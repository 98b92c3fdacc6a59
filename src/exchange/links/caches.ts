import type { Workspace } from '../../memory/store/workspace.ts';
import { type Cache, openCache } from '../../recall/index/cache.ts';
import { steadyCache } from '../../recall/index/steady-cache.ts';

/** The caches of other memories, each opened once however often it is asked for. */
export interface SourceCaches {
  of(workspace: Workspace): Cache;
  close(): void;
}

/** Documents that each keeps in memory: there may be a hundred caches, and few answers come from each. */
const REMEMBERED = 50;

export function openSourceCaches(): SourceCaches {
  const caches = new Map<string, Cache>();
  return {
    of(workspace) {
      const key = JSON.stringify([workspace.checkout.root, workspace.layout.state]);
      const cache = caches.get(key) ?? open(workspace);
      caches.set(key, cache);
      return cache;
    },
    close() {
      for (const cache of caches.values()) cache.close();
      caches.clear();
    },
  };
}

function open(workspace: Workspace): Cache {
  const cache = openCache(workspace, { remember: REMEMBERED });
  if (workspace.linked) return steadyCache(workspace, cache);
  // The commands and hooks over there check every file. Here a look at the folders must do, or fifty repositories
  // would take a third of a second; what was edited in place meanwhile is left out of the answer.
  return { ...cache, query: (use) => cache.query(use, { glance: 'folders' }) };
}
