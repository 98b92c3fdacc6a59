import { readHead } from '../../git/locate.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from '../index/cache.ts';
import { readRenames } from './kept-renames.ts';
import { openRenames } from './renamed-files.ts';

/** After HEAD moved, finds the new names of all cited files in the background; hooks have no time for that. */
export async function noteRenames(workspace: Workspace, cache: Cache): Promise<void> {
  const { commit } = readHead(workspace.checkout);
  if (commit === undefined || readRenames(workspace)?.commit === commit) return;
  const renames = await openRenames(workspace);
  await cache.query((index) => {
    for (const { card } of index.newest()) for (const path of card.files) renames.nowOf(path);
  });
  while (await renames.learn());
}
