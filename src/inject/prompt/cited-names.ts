import { rmSync, utimesSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { textOf } from '../../git/locate.ts';
import type { MemoryIndex } from '../../index/memory-index.ts';
import type { FolderTimes } from '../../index/sync-folders.ts';
import { COARSE_STEP_MS } from '../../kept/keep.ts';
import { wordOf } from '../../memory/guard-pattern.ts';
import { idOf } from '../../memory/id.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Renames } from '../../provenance/renamed-files.ts';
import type { Guard } from './guard-note.ts';

// The launcher checks this list to decide whether to start Node for a read, an edit or a command. `names/WORKTREE` in
// the state folder has a line for the name of each cited file, for each of its former names, and for a word of each
// guard's pattern. If the host's event contains none of them, nothing can be injected. The list's file time is just
// after that of the newest folder of records when it was made: if a folder is newer now, or if there is no list, the
// launcher starts Node. Files renamed since then are known to the hooks only after a drain has noted them. Whoever
// finds the list outdated writes it again: a drain, or the next hook.

/** Names are split at all other characters, because JSON and command lines escape those in several ways. */
const PLAIN = /[A-Za-z0-9._-]+/g;

export interface NamedFrom {
  index: MemoryIndex;
  renames: Renames;
  /** The folders of records as they were before the index was updated. */
  folders: FolderTimes;
  /** The guards, for whose files and commands the launcher has to start Node too. */
  guards: readonly Guard[];
}

/** Writes the list, or only its time if it is up to date; removes it if a name fits no list. Throws system errors. */
export function noteNames(workspace: Workspace, from: NamedFrom): void {
  const { index } = from;
  if (dateNames(workspace, from)) return;
  const names = namesIn(from);
  const path = pathOf(workspace);
  if (names === undefined) {
    rmSync(path, { force: true });
    return;
  }
  const { newestMs } = from.folders;
  // If older than the newest folder: the launcher starts Node until a hook finds that nothing was added since.
  const time = isPast(newestMs) ? after(newestMs) : new Date(newestMs - COARSE_STEP_MS);
  replaceFile(path, `${[headOf(workspace, index), ...names].join('\n')}\n`, 0o600, time);
  index.setMeta(keyOf(workspace), madeFrom(from));
}

/** Updates the time of a list that matches the index; returns false if it does not match. */
function dateNames(workspace: Workspace, from: NamedFrom): boolean {
  const { index, folders } = from;
  const path = pathOf(workspace);
  const isMade = index.writes() !== undefined && index.meta(keyOf(workspace)) === madeFrom(from);
  if (!isMade || textOf(path)?.split('\n', 1)[0] !== headOf(workspace, index)) return false;
  const { newestMs } = folders;
  if (!isPast(newestMs)) return true;
  try {
    utimesSync(path, after(newestMs), after(newestMs));
  } catch {
    // Because of the older time the launcher starts Node, which is also correct.
  }
  return true;
}

function pathOf({ layout, checkout }: Workspace): string {
  return join(layout.state, 'names', basename(checkout.gitDir));
}

function headOf({ checkout }: Workspace, index: MemoryIndex): string {
  return `git-mem names 1 ${index.size() === 0 ? 'none' : 'some'} ${checkout.root}`;
}

/** The key under which the index notes what the list was made from. */
function keyOf({ checkout }: Workspace): string {
  return `names ${checkout.root}`;
}

function madeFrom({ index, renames, guards }: NamedFrom): string {
  return `${index.writes()} ${idOf(...renames.all(), ...guards.flatMap(({ patterns }) => patterns))}`;
}

/** Tells whether a time is past, even for a shell that compares times in whole seconds. */
function isPast(timeMs: number): boolean {
  return timeMs <= Date.now() - COARSE_STEP_MS;
}

/** The next whole millisecond and one more, because file times are more precise than that. */
function after(timeMs: number): Date {
  return new Date(Math.ceil(timeMs) + 1);
}

/** The longest plain part of each name, and guards' words; undefined if one has none, as no list could cover it. */
function namesIn({ index, renames, guards }: NamedFrom): Set<string> | undefined {
  const paths = new Set([...renames.all(), ...index.cited('observation')]);
  const names = new Set<string>();
  for (const path of paths) {
    const parts = posix.basename(path).match(PLAIN);
    if (parts === null) return undefined;
    names.add(parts.reduce((longest, part) => (part.length > longest.length ? part : longest)));
  }
  for (const pattern of guards.flatMap(({ patterns }) => patterns)) {
    const word = wordOf(pattern);
    if (word === undefined) return undefined;
    names.add(word);
  }
  return names;
}
