import type { Workspace } from '../../memory/store/workspace.ts';
import { belongsHere } from './own-branch.ts';
import { ownNewFiles } from './own-files.ts';

/** How many of the records in these untracked files belong to another branch than the one checked out. */
export async function countElsewhere(workspace: Workspace, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const own = (await ownNewFiles(workspace, [], files)).map(({ record }) => record);
  const isHere = await belongsHere(workspace, own);
  return own.filter((record) => !isHere(record)).length;
}
