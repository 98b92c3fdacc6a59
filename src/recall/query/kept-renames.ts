import { isObjectId } from '../../git/object-id.ts';
import { runGit } from '../../git/objects.ts';
import { RAW_DIFF, rawChanges } from '../../git/raw-log.ts';
import { fieldsOf, isObject } from '../../json.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { tallyPath } from '../briefing/tally.ts';

// Renames of cited files, kept in the state folder with the commit up to which history was compared. A later commit
// costs one comparison of two trees instead of a history walk, and an unchanged HEAD and index cost nothing.

/** The known renames of a checkout. */
export interface KeptRenames {
  /** History was walked up to here. */
  commit: string;
  /** HEAD and the index when they were last compared with that commit. */
  seen: string;
  /** The next name of a file; null if history has no new name for it. */
  names: Map<string, string | null>;
}

/** Notes the renames that git finds between the kept commit and the index; false if git does not answer. */
export async function compareRenames(
  { checkout, env }: Workspace,
  kept: KeptRenames,
  patienceMs?: number,
): Promise<boolean> {
  const question = ['diff', '--cached', ...RAW_DIFF, '-M', '-l400', '--diff-filter=R', kept.commit];
  // Memory itself is left out: it may have many times the files of the code.
  const args = [...question, '--', ':(top,exclude).memory'];
  const output = await runGit(checkout.root, args, env, { patienceMs });
  for (const { path, now } of rawChanges(output ?? '')) {
    if (now !== undefined) kept.names.set(path, now);
  }
  // A commit that was garbage-collected will never answer: a command starts again at HEAD.
  return output !== undefined || patienceMs === undefined;
}

/** Marks history as walked up to `commit`; on a different line of history, files without a new name may have one. */
export async function advanceRenames({ checkout, env }: Workspace, kept: KeptRenames, commit: string): Promise<void> {
  if (kept.commit === commit) return;
  const question = ['merge-base', '--is-ancestor', kept.commit, commit];
  if ((await runGit(checkout.root, question, env)) === undefined) {
    for (const [path, now] of kept.names) if (now === null) kept.names.delete(path);
  }
  kept.commit = commit;
}

/** The renames kept last time; undefined if there are none, or they are damaged. */
export function readRenames({ layout, checkout }: Workspace): KeptRenames | undefined {
  const { commit, seen, names } = fieldsOf(readNotes(tallyPath(layout.state, checkout, 'renames')));
  if (!isObjectId(commit)) return undefined;
  if (typeof seen !== 'string' || !isObject(names)) return undefined;
  const pairs = Object.entries(names).map(([path, now]): [string, string | null] => {
    return [path, typeof now === 'string' ? now : null];
  });
  return { commit, seen, names: new Map(pairs) };
}

/** Never fails: without the file, history is simply asked again. */
export function keepRenames({ layout, checkout }: Workspace, { commit, seen, names }: KeptRenames): void {
  try {
    const text = JSON.stringify({ commit, seen, names: Object.fromEntries(names) });
    replaceFile(tallyPath(layout.state, checkout, 'renames'), text);
  } catch {
    // No space, or the state folder is not writable.
  }
}
