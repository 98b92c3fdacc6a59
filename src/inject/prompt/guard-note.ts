import { statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Checkout } from '../../git/locate.ts';
import { fieldsOf, isTexts } from '../../json.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { readNotes } from '../../memory/store/json-file.ts';

// The guards of the reviewed branch are noted in `guards/WORKTREE` of the state folder, with the commits from which
// they were read. The note may be removed at any time.

/** A pin that guards files or commands: before these are touched, the records that it targets are told. */
export interface Guard {
  mark: string;
  targets: string[];
  patterns: string[];
  /** Whether the host should ask the person. */
  asks: boolean;
}

/** The guards, and the ids of the commits that they were read from, joined by spaces. */
interface GuardNote {
  commits: string;
  guards: Guard[];
}

/**
 * Tells whether this checkout may have guards, without asking git: also true if that is unknown, or if git moved a
 * branch since the note. Most repositories have no guards, and their events must not pay for them.
 */
export function mayGuard(state: string, checkout: Checkout): boolean {
  return !isDated(state, checkout) || readGuards(state, checkout)?.guards.length !== 0;
}

/** Reads the note; undefined if there is none, or if it is damaged. */
export function readGuards(state: string, checkout: Checkout): GuardNote | undefined {
  const { commits, guards } = fieldsOf(readNotes(guardPath(state, checkout)));
  return typeof commits === 'string' && Array.isArray(guards) && guards.every(isGuard)
    ? { commits, guards }
    : undefined;
}

/** Writes the note, even if it says the same, so that its file's time shows that it is current. */
export function writeGuards(state: string, checkout: Checkout, note: GuardNote): void {
  try {
    const path = guardPath(state, checkout);
    createFolder(dirname(path), 0o700);
    writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // Without the note, git is asked again.
  }
}

/** Tells whether the note is newer than the files that git writes when it moves HEAD or fetches. */
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
