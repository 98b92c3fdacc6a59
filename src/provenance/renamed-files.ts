import { join } from 'node:path';
import { readHead } from '../git/locate.ts';
import { runGit } from '../git/objects.ts';
import { renamesIn } from '../git/renames.ts';
import { shallowText } from '../git/shallow.ts';
import { advanceRenames, type KeptRenames, keepRenames, noRenames, readRenames } from '../kept/renames.ts';
import { lstatSync, statSync } from '../looks.ts';
import type { Workspace } from '../memory/store/workspace.ts';

// Where cited files are now. Every surface uses the same notes: drains complete them, commands add to them, and hooks
// only read them. An entry counts only while the old name is missing and the new one exists, so that an outdated one
// has no effect rather than a wrong one.

/** The renames known so far. */
export interface Renames {
  /** The current name of a cited file that is not at its place; unknown paths are remembered for `learn`. */
  nowOf(path: string): string | undefined;
  /** The same for a missing file; without a current name, `gone` only if this HEAD's whole history says that it was removed. */
  fateOf(path: string): { path: string } | 'gone' | 'unknown';
  /** The former names of a file, latest first. */
  formerNames(path: string): string[];
  /** Every known name, current or not. */
  all(): string[];
  /** Forgets what commands left to the background. */
  askAgain(): void;
  /** Searches history for some of the files that `nowOf` did not know; returns whether git answered. */
  learn(): Promise<boolean>;
}

/** Most successive names of a file: swapped names would otherwise be followed forever. */
export const MOST_NAMES = 8;

/** Most files per history walk; a command line has a length limit. */
const MOST_PATHS = 400;

/** Most history walks that a command waits for; the next drain or command does the others. */
const MOST_WALKS = 5;

/** The longest history, in commits, that a command searches itself; longer ones are left to the background. */
const SHORT_HISTORY = 1000;

export type NowOf = Renames['nowOf'];

type IsLeftOut = (path: string) => boolean;

/**
 * The renames of a checkout, compared with the current HEAD and index: a few git children if these changed, else none. For
 * commands; `isBackground` searches histories of any length. `isLeftOut` knows the files of a sparse checkout that are not
 * in the working tree.
 */
export async function openRenames(
  workspace: Workspace,
  { isBackground = false, isLeftOut }: { isBackground?: boolean; isLeftOut?: IsLeftOut } = {},
): Promise<Renames> {
  const { at, checkout } = workspace;
  const { commit } = readHead(checkout);
  if (at !== undefined || commit === undefined) return keptRenames(workspace, isLeftOut);
  const shallow = shallowText(checkout.commonDir);
  const kept = readRenames(workspace) ?? noRenames(commit, shallow);
  const index = statSync(join(checkout.gitDir, 'index'), { throwIfNoEntry: false });
  const now = `${commit} ${index?.mtimeMs} ${index?.size}`;
  if (kept.seen !== now || kept.shallow !== shallow) {
    await advanceRenames(workspace, kept, commit);
    kept.seen = now;
    kept.undecided.clear();
    keepRenames(workspace, kept);
  }
  return known(workspace, { kept, isLeftOut, mayWalk: isBackground || (() => hasShortHistory(workspace)) });
}

/** The renames as of a commit, whose tree has these paths; they are not kept. */
export function renamesAt(workspace: Workspace, commit: string, isThere: (path: string) => boolean): Renames {
  const kept = noRenames(commit, shallowText(workspace.checkout.commonDir));
  return known(workspace, { kept, head: commit, isThere, mayWalk: () => hasShortHistory(workspace) });
}

/** The renames kept last time, without asking git: for hooks, which have no time for that. */
export function keptRenames(workspace: Workspace, isLeftOut?: IsLeftOut): Renames {
  return known(workspace, { kept: readRenames(workspace) ?? noRenames('', ''), isLeftOut, mayWalk: false });
}

/** In the background, finds the new names of files renamed since; after HEAD moved, of all files that records cite. */
export async function noteRenames(workspace: Workspace, cited: () => Promise<Iterable<string>>): Promise<void> {
  const { commit } = readHead(workspace.checkout);
  const renames = await openRenames(workspace, { isBackground: true });
  if (commit === undefined || readRenames(workspace)?.complete === commit) return;
  renames.askAgain();
  for (const path of await cited()) renames.nowOf(path);
  while (await renames.learn());
  const kept = readRenames(workspace);
  if (kept !== undefined) keepRenames(workspace, { ...kept, complete: commit });
}

/**
 * Asks a question whose filter may name files, so that a renamed one is found by its new name. Asks again if history
 * had renames that were not kept yet.
 */
export async function followingRenames<T>(
  workspace: Workspace,
  { file: files }: { file?: string[] | undefined },
  ask: (nowOf: NowOf | undefined) => Promise<T>,
): Promise<T> {
  if (files === undefined) return ask(undefined);
  const renames = await openRenames(workspace);
  const found = await ask(renames.nowOf);
  return (await learnAll(renames)) ? ask(renames.nowOf) : found;
}

/** Searches the history for what `nowOf` did not know, as far as a command waits for that; returns whether it did. */
export async function learnAll(renames: Renames): Promise<boolean> {
  let walks = 0;
  while (walks < MOST_WALKS && (await renames.learn())) walks++;
  return walks > 0;
}

async function hasShortHistory({ checkout, env }: Workspace): Promise<boolean> {
  const question = ['rev-list', '--count', `--max-count=${SHORT_HISTORY + 1}`, 'HEAD'];
  const count = await runGit(checkout.root, question, env);
  return count !== undefined && Number(count) <= SHORT_HISTORY;
}

interface Knowledge {
  kept: KeptRenames;
  /** The commit whose tree is asked about; without it, the working tree is. */
  head?: string;
  isThere?: (path: string) => boolean;
  isLeftOut?: IsLeftOut | undefined;
  mayWalk: boolean | (() => Promise<boolean>);
}

function known(workspace: Workspace, { kept, head, mayWalk, ...of }: Knowledge): Renames {
  const { checkout, env } = workspace;
  const isInTree = of.isThere ?? isFileIn(checkout.root);
  const isThere = (path: string) => isInTree(path) || of.isLeftOut?.(path) === true;
  const { names } = kept;
  const unknown = new Set<string>();
  let former: Map<string, string[]> | undefined;
  let isOfHead: boolean | undefined;

  /** Where the file is now; null if history says that it was removed. Notes the name to be looked up next. */
  function placeOf(path: string): { path: string } | null | undefined {
    let name = path;
    for (let i = 0; i < MOST_NAMES; i++) {
      const next = names.get(name);
      if (next === null) return null;
      if (next === undefined) break;
      if (isThere(next)) return { path: next };
      name = next;
    }
    if (!kept.undecided.has(name)) unknown.add(name);
    return undefined;
  }

  function nowOf(path: string): string | undefined {
    return isThere(path) ? undefined : placeOf(path)?.path;
  }

  function fateOf(path: string): { path: string } | 'gone' | 'unknown' {
    const place = placeOf(path);
    if (place) return place;
    // What was found out about another commit does not hold for this one.
    isOfHead ??=
      kept.commit === (head ?? readHead(checkout).commit) && kept.shallow === shallowText(checkout.commonDir);
    return place === null && isOfHead ? 'gone' : 'unknown';
  }

  function formerNames(path: string): string[] {
    former ??= reversed(names);
    const found = new Set<string>();
    let last = [path];
    for (let i = 0; i < MOST_NAMES && last.length > 0; i++) {
      last = last.flatMap((name) => former?.get(name) ?? []).filter((name) => !found.has(name) && !isThere(name));
      for (const name of last) found.add(name);
    }
    // If several paths lead here, only names whose own chain ends here count.
    return [...found].filter((name) => nowOf(name) === path);
  }

  async function learn(): Promise<boolean> {
    const asked = [...unknown].slice(0, MOST_PATHS);
    if (asked.length === 0 || mayWalk === false) return false;
    if (mayWalk !== true && !(await mayWalk())) {
      // Left to the background, and not counted again for the same HEAD and index.
      for (const path of asked) kept.undecided.add(path);
      if (head === undefined) keepRenames(workspace, kept);
      return false;
    }
    const found = await renamesIn(checkout, asked, env, head);
    if (found === undefined) return false;
    for (const path of asked) unknown.delete(path);
    for (const [path, now] of found) names.set(path, now);
    for (const path of asked) if (!found.has(path)) kept.undecided.add(path);
    if (head === undefined) keepRenames(workspace, kept);
    former = undefined;
    return true;
  }

  const all = () => [...names].flatMap(([path, now]) => (now === null ? [path] : [path, now]));
  return { nowOf, fateOf, formerNames, all, askAgain: () => kept.undecided.clear(), learn };
}

/** Returns which paths are files of a working tree; looks at each once. */
function isFileIn(root: string): (path: string) => boolean {
  const there = new Map<string, boolean>();
  return (path) => {
    const found = there.get(path) ?? lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === false;
    there.set(path, found);
    return found;
  };
}

function reversed(names: KeptRenames['names']): Map<string, string[]> {
  const former = new Map<string, string[]>();
  for (const [path, now] of names) if (now !== null) former.set(now, [...(former.get(now) ?? []), path]);
  return former;
}
