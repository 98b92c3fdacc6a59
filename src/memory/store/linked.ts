import { join } from 'node:path';
import { type Checkout, objectFormat } from '../../git/locate.ts';
import type { Environment } from '../../user-folders.ts';
import { folderFiles } from './folder.ts';
import type { Layout } from './layout.ts';
import { revisionFiles } from './tree.ts';
import { readOnlyStores, type Workspace } from './workspace.ts';

/**
 * Another repository's memory: that of its checkout, or with `at`, a full commit id, that of the commit. `state` is a
 * folder of our own: nothing is written to the other repository. Undefined if there is no such commit.
 */
export async function linkedWorkspace(
  checkout: Checkout,
  { state, env, at }: { state: string; env: Environment; at?: string | undefined },
): Promise<Workspace | undefined> {
  const { root, commonDir } = checkout;
  const format = objectFormat(commonDir);
  const layout: Layout = { memory: join(root, '.memory'), state, otherStates: [], private: join(state, 'private') };
  const files = at === undefined ? folderFiles(layout.memory) : await revisionFiles(root, at, env);
  if (files === undefined) return undefined;
  return {
    checkout,
    layout,
    env,
    format,
    linked: true,
    stores: readOnlyStores(layout, files, format),
    ledger: join(commonDir, 'git-mem', 'own'),
    otherLedgers: [],
    ...(at !== undefined && { at }),
  };
}
