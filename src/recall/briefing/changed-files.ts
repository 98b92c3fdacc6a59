import { statSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../../git/objects.ts';
import { RAW_DIFF, rawChanges } from '../../git/raw-log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { LARGE_INDEX } from '../query/renamed-files.ts';

/**
 * Files that the checked-out branch or the working tree changes since it left `branch`, and their current names; in very
 * large repositories only those of commits.
 */
export async function changedSince(
  branch: string | undefined,
  { checkout: { root, gitDir }, env }: Workspace,
): Promise<{ files: Set<string>; renames: Map<string, string> }> {
  const files = new Set<string>();
  const renames = new Map<string, string>();
  if (branch === undefined) return { files, renames };
  // Compares the working tree with the point where the branch left the default one: commits and uncommitted edits in
  // one question. Memory itself is left out, or git would look at every record's file.
  const index = statSync(join(gitDir, 'index'), { throwIfNoEntry: false });
  const compared = (index?.size ?? 0) > LARGE_INDEX ? [branch, 'HEAD'] : [branch];
  const question = ['diff', ...RAW_DIFF, '-M', '-l200', '--merge-base', ...compared];
  const output = await runGit(root, [...question, '--', ':(top,exclude).memory'], env);
  for (const { path, now } of rawChanges(output ?? '')) {
    files.add(path);
    if (now === undefined) continue;
    files.add(now);
    renames.set(path, now);
  }
  return { files, renames };
}
