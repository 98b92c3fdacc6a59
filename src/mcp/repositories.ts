import { existsSync } from 'node:fs';
import { type Cache, openCache } from '../cache/cache.ts';
import { GitMemError } from '../errors.ts';
import { openProject, type Project } from '../project.ts';
import { steadyCache } from '../recall/steady-cache.ts';
import type { Workspace } from '../store/workspace.ts';
import { cacheFiller } from './fill.ts';

/** Documents that the server keeps in memory: an agent's questions are seconds apart, and the server stays for hours. */
const REMEMBERED = 400;

/** One checkout as a tool sees it. */
export interface Repository {
  project: Project;
  cache: Cache;
}

/** The checkouts that this server was asked about. */
export interface Repositories {
  /** Opens the checkout that holds a folder; throws not-a-repository. */
  at(folder: string): Repository;
  close(): void;
}

/** Remembers the cache of each checkout between calls; everything else is looked up anew, as it may have changed. */
export function openRepositories(env: Record<string, string | undefined>): Repositories {
  const caches = new Map<string, Cache>();
  return {
    at(folder) {
      // What does not exist lies in whatever is around it: a worktree that was removed would get another one's memory.
      if (!existsSync(folder)) {
        throw new GitMemError('not-a-repository', `There is no folder ${folder} any more.`, {
          hint: 'Start the session again in a folder that exists.',
        });
      }
      const project = openProject(folder, env);
      const { checkout, layout } = project.workspace;
      const key = JSON.stringify([checkout, layout.state]);
      const cache = caches.get(key) ?? openSteadily(project.workspace);
      caches.set(key, cache);
      return { project, cache };
    },
    close() {
      for (const cache of caches.values()) cache.close();
    },
  };
}

function openSteadily(workspace: Workspace): Cache {
  return steadyCache(workspace, openCache(workspace, { remember: REMEMBERED }), { beforeSync: cacheFiller(workspace) });
}
