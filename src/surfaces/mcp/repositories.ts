import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { GitMemError } from '../../errors.ts';
import { openSourceCaches, type SourceCaches } from '../../exchange/places/reader.ts';
import { type Cache, openCache, steadyCache } from '../../index/cache.ts';
import { openIndex } from '../../index/open.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { openProject, type Project } from '../../project.ts';
import type { Environment } from '../../user-folders.ts';
import { isUninvited } from './root.ts';

/** Documents kept in memory: few, because questions are seconds apart and the server lives for hours. */
const REMEMBERED = 400;

/** One checkout, as the tools see it. */
export interface Repository {
  project: Project;
  /** The folder that was asked for, which paths are relative to. */
  folder: string;
  cache: Cache;
  /** For memories of other repositories. */
  others: SourceCaches;
}

export type Repositories = ReturnType<typeof openRepositories>;

/** Keeps the cache of each checkout between calls; everything else is looked up again, as it may have changed. */
export function openRepositories(env: Environment) {
  const caches = new Map<string, Cache>();
  const others = openSourceCaches();
  return {
    /** Opens the checkout that holds a folder; throws not-a-repository, and not-initialised before creating anything. */
    at(folder: string): Repository {
      // A missing folder would resolve to the repository around it: a removed worktree would get another one's memory.
      if (!existsSync(folder)) {
        throw new GitMemError('not-a-repository', `There is no folder ${folder} any more.`, {
          hint: 'Start the session again in a folder that exists.',
        });
      }
      if (isUninvited(folder, env)) {
        throw new GitMemError('not-initialised', 'This repository has no memory, and nothing was looked up or saved.', {
          hint: 'Go on without it. Where the user wants one, `git mem init` sets it up.',
        });
      }
      const project = openProject(folder, env);
      const { checkout, layout } = project.workspace;
      const key = JSON.stringify([checkout, layout.state]);
      const cache = caches.get(key) ?? openSteadily(project.workspace);
      caches.set(key, cache);
      return { project, folder, cache, others };
    },
    close() {
      for (const cache of caches.values()) cache.close();
      others.close();
    },
  };
}

function openSteadily(workspace: Workspace): Cache {
  return steadyCache(workspace, openCache(workspace, { remember: REMEMBERED }), { beforeSync: cacheFiller(workspace) });
}

/** If more files came or went since the last check, a separate process takes them in: fewer cost little memory. */
const MANY = 200;

/**
 * Checks whether the cache is far behind the files, and if so lets `git-mem sync` update it: taking in thousands of
 * records needs a few hundred megabytes, which a long-lived process would keep. The sync before the next question
 * does whatever that process left undone.
 */
function cacheFiller(workspace: Workspace): () => Promise<void> {
  const { stores, checkout, env } = workspace;
  let seen: number | undefined;
  let filling: Promise<void> | undefined;

  async function fill(): Promise<void> {
    const there = stores.team.ids().length + stores.private.ids().length;
    const known = seen ?? (there > MANY ? await filesKnown(workspace) : there);
    seen = there;
    if (Math.abs(there - known) > MANY) await syncElsewhere(checkout.root, env);
  }

  return () => {
    // Calls may overlap, and one process is enough.
    filling ??= fill().finally(() => {
      filling = undefined;
    });
    return filling;
  };
}

/** Number of files known to the cache on disk; NaN if it is in memory only, because no other process could fill it. */
async function filesKnown(workspace: Workspace): Promise<number> {
  const { index, persistent } = await openIndex(workspace);
  try {
    return persistent ? index.files('team').size + index.files('private').size : Number.NaN;
  } finally {
    index.close();
  }
}

function syncElsewhere(root: string, env: Workspace['env']): Promise<void> {
  const args = [...process.argv.slice(1, 2), 'sync'];
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore', windowsHide: true });
    child.once('error', () => done()).once('exit', () => done());
  });
}
