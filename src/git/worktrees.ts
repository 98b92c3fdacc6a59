import type { Environment } from '../user-folders.ts';
import type { Checkout } from './locate.ts';
import { askGit } from './objects.ts';

/** The top of every worktree of a clone, this one included; undefined if git does not answer. */
export async function worktreeRoots(place: { checkout: Checkout; env: Environment }): Promise<string[] | undefined> {
  const output = await askGit(place, ['worktree', 'list', '--porcelain', '-z']);
  return output?.split('\0').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
}
