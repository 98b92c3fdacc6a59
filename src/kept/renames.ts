import { join } from 'node:path';
import { isObjectId } from '../git/object-id.ts';
import { askGit, isAncestor, RAW_DIFF, RAW_LOG, rawChanges, runGit } from '../git/objects.ts';
import { detection } from '../git/renames.ts';
import { shallowText } from '../git/shallow.ts';
import { fieldsOf, isObject, isTexts } from '../json.ts';
import { idOf } from '../memory/id.ts';
import { keepNotes } from '../memory/store/atomic.ts';
import { readNotes } from '../memory/store/json-file.ts';
import type { Workspace } from '../memory/store/workspace.ts';

// Renames of cited files, kept in the state folder with the commit up to which history is known. A later commit costs
// one comparison of two trees instead of a history walk, and an unchanged HEAD and index cost nothing.

/** The known renames of a checkout. */
export interface KeptRenames {
  /** History was walked up to here. */
  commit: string;
  /** Where a shallow clone's history ended. */
  shallow: string;
  /** HEAD and the index when they were last compared with that commit. */
  seen: string;
  /** The next name of a file; null if it was removed. */
  names: Map<string, string | null>;
  /** Missing files whose fate the history seen so far does not tell; they are not looked up again. */
  undecided: Set<string>;
  /** The HEAD at which all missing files that records cite had been looked up. */
  complete?: string;
}

/**
 * Advances the kept renames to `commit`. Along one line of history this compares two trees, and files that were removed
 * again since are looked up anew; on another line, or after a shallow clone was deepened, they are forgotten.
 */
export async function advanceRenames(workspace: Workspace, kept: KeptRenames, commit: string): Promise<void> {
  const { checkout, env } = workspace;
  const shallow = shallowText(checkout.commonDir);
  if (shallow !== kept.shallow || !(await isAncestor(checkout.root, kept.commit, commit, env))) {
    kept.names.clear();
    delete kept.complete;
    Object.assign(kept, { commit, shallow });
  }
  const { names } = kept;
  if (kept.commit !== commit && [...names.values()].includes(null)) {
    const question = ['log', ...RAW_LOG, '-c', '--no-renames', '--diff-filter=D', '--format=%H'];
    const output = await askGit(workspace, [...question, `${kept.commit}..${commit}`, '--', OUTSIDE_MEMORY]);
    const removed = output === undefined ? names.keys() : rawChanges(output).map(({ path }) => path);
    for (const path of removed) if (names.get(path) === null) names.delete(path);
  }
  const question = ['diff', '--cached', ...RAW_DIFF, ...detection(checkout.commonDir), '--diff-filter=R', kept.commit];
  const output = await runGit(checkout.root, [...question, '--', OUTSIDE_MEMORY], env);
  for (const { path, now } of rawChanges(output ?? '')) {
    if (now !== undefined) names.set(path, now);
  }
  kept.commit = commit;
}

/** The memory may have many times as many files as the code. */
const OUTSIDE_MEMORY = ':(top,exclude).memory';

/** The starting point, before anything was asked. */
export function noRenames(commit: string, shallow: string): KeptRenames {
  return { commit, shallow, seen: '', names: new Map(), undecided: new Set() };
}

/** The renames kept last time; undefined if there are none, or they are damaged. */
export function readRenames(workspace: Workspace): KeptRenames | undefined {
  const { commit, shallow, seen, names, undecided, complete } = fieldsOf(readNotes(pathOf(workspace)));
  if (!isObjectId(commit) || typeof seen !== 'string' || typeof shallow !== 'string') return undefined;
  if (!isObject(names) || !isTexts(undecided)) return undefined;
  const pairs = Object.entries(names).map(([path, now]): [string, string | null] => {
    return [path, typeof now === 'string' ? now : null];
  });
  const known = { commit, shallow, seen, names: new Map(pairs), undecided: new Set(undecided) };
  return { ...known, ...(isObjectId(complete) && { complete }) };
}

/** Never fails: without the file, history is simply asked again. */
export function keepRenames(workspace: Workspace, { names, undecided, ...kept }: KeptRenames): void {
  keepNotes(pathOf(workspace), { ...kept, names: Object.fromEntries(names), undecided: [...undecided] });
}

function pathOf({ layout, checkout }: Workspace): string {
  return join(layout.state, 'renames', `${idOf(checkout.root)}.json`);
}
