import { lstatSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readHead } from '../../git/locate.ts';
import { renamesIn } from '../../git/renames.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { advanceRenames, compareRenames, type KeptRenames, keepRenames, readRenames } from './kept-renames.ts';

// Which cited files have other names now. An entry only counts while the old name is missing from the working tree and the
// new one is there, so that one which is out of date is silent rather than wrong.

/** Renames as far as they are known. */
export interface Renames {
  /** What a cited file is called now, if it is not at its place; what nothing is known of is remembered for `learn`. */
  nowOf(path: string): string | undefined;
  /** The names that a file had before, the last one first. */
  formerNames(path: string): string[];
  /** All that are known and still hold: the former name and the one of now. */
  pairs(): [former: string, now: string][];
  /** Every name that is known of, whether it still holds or not. */
  all(): string[];
  /** Tells whether git was asked about HEAD and the index as they are now. */
  isCurrent: boolean;
  /** Asks history about some of the files that `nowOf` knew nothing of; tells whether there were any. */
  learn(): Promise<boolean>;
}

/** No renames: of what lies in a commit, and of other repositories, whose working tree is not ours to look at. */
const NONE: Renames = {
  nowOf: () => undefined,
  formerNames: () => [],
  pairs: () => [],
  all: () => [],
  isCurrent: true,
  learn: async () => false,
};

/** Names that a file may have had one after the other. */
const MOST_NAMES = 8;

/** Files that one walk of the history looks for; a command line has an end. */
const MOST_PATHS = 400;

/** Walks of the history that a command waits for; the next drain or command makes the others. */
const MOST_WALKS = 5;

/** Longest that a hook waits for the comparison, in milliseconds. */
const HOOK_PATIENCE_MS = 200;

/** An index of this size takes git too long to read before a file is read. In bytes: some 80,000 files. */
const LARGE_INDEX = 15_000_000;

export type NowOf = Renames['nowOf'];

/**
 * The renames of a checkout, compared with HEAD and the index as they are now: one or two git children where these
 * changed, else none. `isHook` bounds the time, and then only what was committed or staged since is new.
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
    // A hook that came first has not walked the history, and nobody would if it claimed to be current.
    if (!isHook || before !== undefined) keepRenames(workspace, kept);
  }
  return known(workspace, kept, kept.seen === now);
}

/** The renames that were kept the last time, without a question to git: for a session start, which has no time for one. */
export function keptRenames(workspace: Workspace): Renames {
  const kept = workspace.at === undefined && !workspace.linked ? readRenames(workspace) : undefined;
  return kept === undefined ? NONE : known(workspace, kept, false);
}

/**
 * Asks a question whose filter may name files, so that a renamed one is found by its new name. Asked again where history
 * had something to tell that was not kept yet.
 */
export async function followingRenames<T>(
  workspace: Workspace,
  { files }: { files?: string[] },
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
 * The prompt as it would have read before the files that it names, by path or base name, were renamed: one text for each
 * former name, none where nothing was renamed.
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

/** A text with the current name of a file replaced by a former one, and whether it has the current one at all. */
function replaced(text: string, former: string, now: string): { text: string; isNamed: boolean } {
  if (!text.includes(posix.basename(now))) return { text, isNamed: false };
  const whole = text.split(asWord(now));
  const parts = whole.map((part) => part.split(asWord(posix.basename(now))));
  const isNamed = whole.length > 1 || parts.some(({ length }) => length > 1);
  return { text: parts.map((pieces) => pieces.join(posix.basename(former))).join(former), isNamed };
}

/** Matches a name as a whole; one without a dot or a slash may be any word. */
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
    // Of several ways that lead here, that one counts which the name takes by itself.
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
