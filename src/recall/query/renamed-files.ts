import { lstatSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readHead } from '../../git/locate.ts';
import { renamesIn } from '../../git/renames.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from '../index/cache.ts';
import { advanceRenames, compareRenames, type KeptRenames, keepRenames, readRenames } from './kept-renames.ts';

// Current names of cited files that were renamed. An entry counts only while the old name is missing from the working
// tree and the new one exists, so that an outdated one has no effect rather than a wrong one.

/** The renames known so far. */
export interface Renames {
  /** The current name of a cited file that is not at its place; unknown paths are remembered for `learn`. */
  nowOf(path: string): string | undefined;
  /** The former names of a file, latest first. */
  formerNames(path: string): string[];
  /** All pairs that are known and still hold: former name and current name. */
  pairs(): [former: string, now: string][];
  /** Every known name, whether it still holds or not. */
  all(): string[];
  /** Tells whether git was asked about the current HEAD and index. */
  isCurrent: boolean;
  /** Asks history about some of the files that `nowOf` did not know; tells whether there were any. */
  learn(): Promise<boolean>;
}

/** No renames: for past commits and other repositories, whose working tree we do not look at. */
const NONE: Renames = {
  nowOf: () => undefined,
  formerNames: () => [],
  pairs: () => [],
  all: () => [],
  isCurrent: true,
  learn: async () => false,
};

/** Most successive names of a file: names that were exchanged would otherwise be followed for ever. */
const MOST_NAMES = 8;

/** Most files per history walk; a command line has a length limit. */
const MOST_PATHS = 400;

/** Most history walks that a command waits for; the next drain or command does the others. */
const MOST_WALKS = 5;

/** Longest that a hook waits for the comparison, in milliseconds: most of its time is for the records. */
const HOOK_PATIENCE_MS = 200;

/**
 * Reading a larger index takes git a fifth of a session start, and checking its files far more. In bytes: some 80,000
 * files.
 */
export const LARGE_INDEX = 15_000_000;

export type NowOf = Renames['nowOf'];

/**
 * The renames of a checkout, compared with the current HEAD and index: one or two git children if these changed, else
 * none. `isHook` limits the time, and then only what was committed or staged since is new.
 */
export async function openRenames(workspace: Workspace, { isHook = false } = {}): Promise<Renames> {
  const { at, linked, checkout } = workspace;
  const { commit } = readHead(checkout);
  if (at !== undefined || linked || commit === undefined) return NONE;
  const before = readRenames(workspace);
  const kept = before ?? { commit, seen: '', names: new Map() };
  const index = statSync(join(checkout.gitDir, 'index'), { throwIfNoEntry: false });
  const now = `${commit} ${index?.mtimeMs} ${index?.size}`;
  const isLate = kept.seen !== now && !(isHook && (index?.size ?? 0) > LARGE_INDEX);
  if (isLate && (await compareRenames(workspace, kept, isHook ? HOOK_PATIENCE_MS : undefined))) {
    if (!isHook) await advanceRenames(workspace, kept, commit);
    kept.seen = now;
    // A hook that came first has not walked the history, and nobody would walk it if its result were marked as current.
    if (!isHook || before !== undefined) keepRenames(workspace, kept);
  }
  return known(workspace, kept, kept.seen === now);
}

/** The renames kept last time, without asking git: for a session start, which has no time for that. */
export function keptRenames(workspace: Workspace): Renames {
  const kept = workspace.at === undefined && !workspace.linked ? readRenames(workspace) : undefined;
  return kept === undefined ? NONE : known(workspace, kept, false);
}

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
  let walks = 0;
  while (walks < MOST_WALKS && (await renames.learn())) walks++;
  return walks > 0 ? ask(renames.nowOf) : found;
}

/**
 * The prompt as it would have read before the files that it names, by path or base name, were renamed: one text per
 * former name, none without renames.
 */
export function withFormerNames(text: string, renames: Renames): string[] {
  const former = new Map<string, string[]>();
  for (const [path, now] of renames.pairs()) {
    if (replaced(text, path, now).isNamed) former.set(now, [...(former.get(now) ?? []), path]);
  }
  const times = Math.min(MOST_NAMES, Math.max(0, ...[...former.values()].map(({ length }) => length)));
  const texts = Array.from({ length: times }, (_, i) =>
    [...former].reduce((before, [now, paths]) => replaced(before, paths[i] ?? paths.at(-1) ?? now, now).text, text),
  );
  return [...new Set(texts)].filter((before) => before !== text);
}

/**
 * A text with the current name of a file replaced by a former one, and whether the text has the current name at all.
 */
function replaced(text: string, former: string, now: string): { text: string; isNamed: boolean } {
  if (!text.includes(posix.basename(now))) return { text, isNamed: false };
  const whole = text.split(asWord(now));
  const parts = whole.map((part) => part.split(asWord(posix.basename(now))));
  const isNamed = whole.length > 1 || parts.some(({ length }) => length > 1);
  return { text: parts.map((pieces) => pieces.join(posix.basename(former))).join(former), isNamed };
}

/** Matches a name as a whole; a name without a dot or a slash never matches, because it may be any word. */
function asWord(name: string): RegExp {
  if (!/[./]/.test(name)) return /(?!)/;
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'u');
}

function known(workspace: Workspace, kept: KeptRenames, isCurrent: boolean): Renames {
  const { checkout, env } = workspace;
  const { root } = checkout;
  const { names } = kept;
  const unknown = new Set<string>();
  const there = new Map<string, boolean>();
  const isThere = (path: string) => {
    const found = there.get(path) ?? lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === false;
    there.set(path, found);
    return found;
  };
  let former: Map<string, string[]> | undefined;

  function nowOf(path: string): string | undefined {
    if (isThere(path)) return undefined;
    if (!names.has(path)) unknown.add(path);
    let name = names.get(path);
    for (let i = 0; i < MOST_NAMES && name; i++) {
      if (isThere(name)) return name;
      name = names.get(name);
    }
    return undefined;
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
    if (asked.length === 0) return false;
    const found = await renamesIn(checkout, asked, env);
    for (const path of asked) {
      names.set(path, found.get(path) ?? null);
      unknown.delete(path);
    }
    keepRenames(workspace, kept);
    former = undefined;
    return true;
  }

  const pairs = () =>
    [...names].flatMap(([path, next]): [string, string][] => {
      const now = next === null ? undefined : nowOf(path);
      return now === undefined ? [] : [[path, now]];
    });
  const all = () => [...names].flatMap(([path, now]) => (now === null ? [path] : [path, now]));
  return { nowOf, formerNames, pairs, all, isCurrent, learn };
}

function reversed(names: KeptRenames['names']): Map<string, string[]> {
  const former = new Map<string, string[]>();
  for (const [path, now] of names) if (now !== null) former.set(now, [...(former.get(now) ?? []), path]);
  return former;
}
