import { closeSync, lstatSync, openSync, readSync, rmSync, utimesSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { idOf } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { COARSE_STEP_MS } from '../../memory/store/stamp.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { FolderTimes } from '../index/folder-times.ts';
import type { MemoryIndex } from '../index/memory-index.ts';
import type { Renames } from '../query/renamed-files.ts';

// The launcher asks this list whether Node is worth starting for a read, an edit or a command: `names/WORKTREE` in the
// state folder has a line for the name of each file that a record cites, and for each name that such a file had. Where the
// host names none of them, nothing can be injected. The file's time is that of the newest folder of records and of git's
// index when the list was made: where one of them is newer now, or where there is no list, the launcher starts Node.

/** Names are split at all other signs, because JSON and shell lines write those in several ways. */
const PLAIN = /[A-Za-z0-9._-]+/g;

/** Longest first line that is looked at, in bytes. */
const MAX_HEAD = 8192;

export interface NamedFrom {
  index: MemoryIndex;
  renames: Renames;
  /** The folders of records as they were before the index was brought up to the files. */
  folders: FolderTimes;
}

/** Makes the list from the records, or dates it where it is made from them already. Throws where it cannot be written. */
export function noteNames(workspace: Workspace, from: NamedFrom): void {
  const { index, renames } = from;
  if (dateNames(workspace, from)) return;
  const names = namesIn(index, renames);
  const path = pathOf(workspace);
  if (names === undefined) {
    rmSync(path, { force: true });
    return;
  }
  const newestMs = newestOf(workspace, from);
  // A date before the newest folder's: Node is started until a hook finds that nothing came since.
  const time = isPast(newestMs) ? after(newestMs) : new Date(newestMs - COARSE_STEP_MS);
  replaceFile(path, `${[headOf(workspace, index), ...names].join('\n')}\n`, 0o600, time);
  index.setMeta(keyOf(workspace), madeFrom(index, renames));
}

/** Dates the list to now where it is made from what the index has; false where it is not. */
export function dateNames(workspace: Workspace, from: NamedFrom): boolean {
  const { index, renames } = from;
  const path = pathOf(workspace);
  const isMade = index.writes() !== undefined && index.meta(keyOf(workspace)) === madeFrom(index, renames);
  if (!isMade || firstLine(path) !== headOf(workspace, index)) return false;
  const newestMs = newestOf(workspace, from);
  if (!renames.isCurrent || !isPast(newestMs)) return true;
  try {
    utimesSync(path, after(newestMs), after(newestMs));
  } catch {
    // With its older date it makes the launcher start Node, which is right as well.
  }
  return true;
}

function pathOf({ layout, checkout }: Workspace): string {
  return join(layout.state, 'names', basename(checkout.gitDir));
}

function headOf({ checkout }: Workspace, index: MemoryIndex): string {
  return `git-mem names 1 ${index.size() === 0 ? 'none' : 'some'} ${checkout.root}`;
}

/** Under which key the index has what the list was made from. */
function keyOf({ checkout }: Workspace): string {
  return `names ${checkout.root}`;
}

function madeFrom(index: MemoryIndex, renames: Renames): string {
  return `${index.writes()} ${idOf(...renames.all())}`;
}

function newestOf({ checkout }: Workspace, { folders }: NamedFrom): number {
  return Math.max(folders.newestMs, ...gitTimes(checkout.gitDir));
}

/** Shells may compare times by whole seconds. */
function isPast(timeMs: number): boolean {
  return timeMs <= Date.now() - COARSE_STEP_MS;
}

/** Rounded up: a file's time has more digits than a number of milliseconds. */
function after(timeMs: number): Date {
  return new Date(Math.ceil(timeMs) + 1);
}

/** Times of what git writes when files get other names. */
function gitTimes(gitDir: string): number[] {
  return ['index', 'HEAD', 'logs/HEAD'].map(
    (name) => lstatSync(join(gitDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
}

/** The longest plain part of each name; undefined where a name has none, so that no list could speak for it. */
function namesIn(index: MemoryIndex, renames: Renames): Set<string> | undefined {
  const paths = new Set(renames.all());
  for (const { card } of index.newest())
    if (card.kind === 'observation') for (const path of card.files) paths.add(path);
  const names = new Set<string>();
  for (const path of paths) {
    const parts = posix.basename(path).match(PLAIN);
    if (parts === null) return undefined;
    names.add(parts.reduce((longest, part) => (part.length > longest.length ? part : longest)));
  }
  return names;
}

function firstLine(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(MAX_HEAD);
    return bytes.toString('utf8', 0, readSync(file, bytes)).split('\n')[0];
  } catch {
    return undefined; // There is no list yet.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
