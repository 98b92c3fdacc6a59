import { join } from 'node:path';
import { lstatSync } from '../looks.ts';
import type { Environment } from '../user-folders.ts';
import type { Checkout } from './locate.ts';
import {
  COMMAND_PATIENCE_MS,
  parseRawLog,
  RAW_DIFF,
  RAW_LOG,
  type RawChange,
  type RawCommit,
  runGit,
} from './objects.ts';
import { isPartial, isSparse, shallowCommits } from './shallow.ts';

/** Most names that a file may have had in succession; each takes another walk of the history. */
const MOST_NAMES = 4;

/** Most missing files and commits that are followed: Windows takes 32,767 characters of arguments. */
const MOST_PATHS = 400;
const MOST_COMMITS = 100;

/** Above this many candidates on each side git compares exact contents only, because it compares every pair. */
const MOST_CANDIDATES = 400;

/** Options for git's rename detection; in a partial clone it has no contents to compare. */
export function detection(commonDir: string): string[] {
  return isPartial(commonDir) ? ['-M100%'] : ['-M', `-l${MOST_CANDIDATES}`];
}

/**
 * The new paths of missing files by git's rename detection, and of these if they are missing too, by old path; null for
 * one that was removed. It looks at the commits that removed them before `head` (by default HEAD, with uncommitted
 * changes). A path that cannot be decided is left out: its removal lies before a shallow clone's history, or the
 * contents are not here. Undefined if git does not answer.
 */
export async function renamesIn(
  checkout: Checkout,
  missing: readonly string[],
  env: Environment,
  head?: string,
): Promise<Map<string, string | null> | undefined> {
  const { root, gitDir, commonDir } = checkout;
  const ask = async (args: string[]): Promise<RawCommit[] | undefined> => {
    const output = await runGit(root, args, env, { patienceMs: COMMAND_PATIENCE_MS });
    return output === undefined ? undefined : parseRawLog(output);
  };
  const detect = detection(commonDir);
  // In a shallow clone the name may be older than the history.
  const unseen = shallowCommits(commonDir).size > 0 ? 'undecided' : null;
  // A file of HEAD that the working tree lacks was removed since, or a sparse checkout leaves it out.
  const uncommittedRemoval = head === undefined && !isSparse(gitDir) ? null : 'undecided';
  const isWithoutContents = isPartial(commonDir);
  const isThere = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  const working = head === undefined ? await ask(['diff', ...RAW_DIFF, ...detect, 'HEAD']) : [];
  if (working === undefined) return undefined;
  const uncommitted = fatesIn(working.flatMap(({ changes }) => changes));
  const found = new Map<string, string | null>();
  // The names to look up in the next round.
  let open = new Set([...new Set(missing)].slice(0, MOST_PATHS));
  for (let round = 0; round < MOST_NAMES && open.size > 0; round++) {
    const names = [...open];
    const committed = await removals(ask, { detect, head: head ?? 'HEAD', paths: names });
    const kept = await runGit(root, ['ls-tree', '-z', '--full-tree', head ?? 'HEAD', '--', ...names], env);
    if (committed === undefined || kept === undefined) return undefined;
    // A folder may have taken the name of a file.
    const files = new Set(kept.split('\0').flatMap((line) => /^\d+ blob \S+\t(.*)$/s.exec(line)?.[1] ?? []));
    open = new Set();
    for (const name of names) {
      const isKept = files.has(name);
      const fate = isKept ? (uncommitted.get(name) ?? uncommittedRemoval) : (committed.get(name) ?? unseen);
      if (fate === 'undecided' || (fate === null && !isKept && isWithoutContents)) continue;
      found.set(name, fate);
      if (fate !== null && !found.has(fate) && (head !== undefined || !isThere(fate))) open.add(fate);
    }
  }
  return found;
}

/** A path's new name; null if it was removed; `undecided` if git did not compare its content with all candidates. */
type Fate = string | null | 'undecided';

/** What became of paths in the last commit that removed each of them; a merge is compared with its first parent. */
async function removals(
  ask: (args: string[]) => Promise<RawCommit[] | undefined>,
  { detect, head, paths }: { detect: string[]; head: string; paths: string[] },
): Promise<Map<string, Fate> | undefined> {
  const literal = paths.map((path) => `:(top,literal)${path}`);
  // Without --full-history, git leaves out a merged line that both added and removed the path.
  const how = ['--full-history', ...RAW_LOG, '-c', '--no-renames', '--diff-filter=D', '--format=%H'];
  const removing = await ask(['log', ...how, head, '--', ...literal]);
  if (removing === undefined) return undefined;
  const last = new Map<string, string>();
  for (const { head: commit, changes } of removing) {
    for (const { path } of changes) if (!last.has(path)) last.set(path, commit);
  }
  const commits = [...new Set(last.values())].slice(0, MOST_COMMITS);
  if (commits.length === 0) return new Map();
  const compared = ['--no-walk=unsorted', '-m', '--first-parent', ...RAW_LOG, ...detect, '--format=%H'];
  const shown = await ask(['log', ...compared, ...commits, '--']);
  if (shown === undefined) return undefined;
  const byCommit = new Map(shown.map(({ head: commit, changes }) => [commit, fatesIn(changes)]));
  return new Map(
    [...last].map(([path, commit]): [string, Fate] => {
      const fates = byCommit.get(commit);
      return [path, fates === undefined ? 'undecided' : (fates.get(path) ?? null)];
    }),
  );
}

/** What became of each path that these changes removed. */
function fatesIn(changes: RawChange[]): Map<string, Fate> {
  const added = changes.filter(({ status }) => status === 'A').length;
  const removed = changes.filter(({ status }) => status === 'D');
  const isWhole = added * removed.length <= MOST_CANDIDATES ** 2;
  return new Map([
    ...removed.map(({ path }): [string, Fate] => [path, isWhole ? null : 'undecided']),
    ...changes.flatMap(({ path, now }): [string, Fate][] => (now === undefined ? [] : [[path, now]])),
  ]);
}
