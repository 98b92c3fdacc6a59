import { statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Checkout } from '../../git/locate.ts';
import { fieldsOf, isTexts } from '../../json.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { readNotes } from '../../memory/store/json-file.ts';

// The guards of the reviewed branch, noted by git-mem in `guards/WORKTREE` of the state folder with the commits that
// they were read from. It may be removed at any time.

/** A pin that guards: the files and commands before which some records are said. */
export interface Guard {
  mark: string;
  targets: string[];
  patterns: string[];
  /** Whether the host is to ask the person. */
  asks: boolean;
}

/** What was read from a commit, or several. */
interface GuardNote {
  commits: string;
  guards: Guard[];
}

/**
 * Tells whether this checkout may have guards, by the note's file alone: also where that is not known, or where git
 * moved a branch since. Most repositories have none, and their events must not pay for it.
 */
export function mayGuard(state: string, checkout: Checkout): boolean {
  return !isDated(state, checkout) || readGuards(state, checkout)?.guards.length !== 0;
}

/** What was noted; undefined if nothing was, or if it is damaged. */
export function readGuards(state: string, checkout: Checkout): GuardNote | undefined {
  const { commits, guards } = fieldsOf(readNotes(guardPath(state, checkout)));
  return typeof commits === 'string' && Array.isArray(guards) && guards.every(isGuard)
    ? { commits, guards }
    : undefined;
}

/** Writes the note; also if it says the same, so that its time shows that it is of now. */
export function writeGuards(state: string, checkout: Checkout, note: GuardNote): void {
  try {
    const path = guardPath(state, checkout);
    createFolder(dirname(path), 0o700);
    writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // Without it git is asked again.
  }
}

/** Tells whether the note is newer than what git writes when a branch is moved or fetched. */
export function isDated(state: string, checkout: Checkout): boolean {
  const [noted = 0, ...moved] = [
    guardPath(state, checkout),
    join(checkout.gitDir, 'logs', 'HEAD'),
    join(checkout.gitDir, 'FETCH_HEAD'),
  ].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return moved.every((time) => time < noted);
}

function guardPath(state: string, { gitDir }: Checkout): string {
  return join(state, 'guards', basename(gitDir));
}

function isGuard(value: unknown): value is Guard {
  const { mark, targets, patterns, asks } = fieldsOf(value);
  return typeof mark === 'string' && isTexts(targets) && isTexts(patterns) && typeof asks === 'boolean';
}
