import { objectIds } from '../git/objects.ts';
import { noteEdited, readOwnPaths } from '../memory/store/ledger.ts';
import type { Entry } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/**
 * Among files whose content is not trusted, the blobs that a person made here by editing what this clone wrote. Content
 * from a checkout, merge, stash or rebase is in git's object database before it is in the working tree; content that an
 * editor saved is not, until it is staged. So the first command or session start after an edit recognises and notes it;
 * an edit that was staged before git-mem ran stays untrusted.
 */
export async function handEdits(
  workspace: Workspace,
  files: { entry: Pick<Entry, 'path'>; blob: string }[],
): Promise<Set<string>> {
  const { checkout, env, ledger, at, linked } = workspace;
  if (files.length === 0 || at !== undefined || linked) return new Set();
  const paths = readOwnPaths(workspace);
  const blobs = files.filter(({ entry }) => paths.has(entry.path)).map(({ blob }) => blob);
  if (blobs.length === 0) return new Set();
  const known = await objectIds(checkout.root, blobs, env);
  const edited = blobs.filter((_, i) => known !== undefined && known[i] === undefined);
  if (edited.length > 0) noteEdited(ledger, edited);
  return new Set(edited);
}
