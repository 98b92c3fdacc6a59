import { spawn } from 'node:child_process';
import type { Workspace } from '../../memory/store/workspace.ts';
import { openIndex } from '../../recall/index/open.ts';

/** If more files than this came or went since the last check, a separate process takes them in. */
const MANY = 200;

/**
 * Checks whether the cache is far behind the files, and if so lets `git-mem sync` update it: taking in thousands of
 * records needs a few hundred megabytes, which a long-lived process would keep. Anything that process does not do, the
 * sync before the next question does.
 */
export function cacheFiller(workspace: Workspace): () => Promise<void> {
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
  const program = process.argv[1];
  if (program === undefined) return Promise.resolve();
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, 'sync'], { cwd: root, env, stdio: 'ignore', windowsHide: true });
    child.once('error', () => done());
    child.once('exit', () => done());
  });
}
