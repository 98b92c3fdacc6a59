import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checkout, readHead } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import type { Layout } from '../../memory/store/layout.ts';

/** Numbers on the records from which a session start chooses. */
export interface Tally {
  /** Records that hold, and cite a file that was changed or deleted since. */
  stale: number;
  /** Records that are not injected because nobody reviewed them. */
  unreviewed: number;
}

/** The parts of a workspace that matter here: the status line, which is to load little, has no whole one. */
interface Place {
  checkout: Checkout;
  layout: Layout;
  at?: string;
}

/** Keeps the tally of a checkout for `readTally`; written in place and never relied on, so it fails in silence. */
export function noteTally({ checkout, layout, at }: Place, tally: Tally): void {
  if (at !== undefined) return;
  note(tallyPath(layout.state, checkout, 'standing'), { head: headOf(checkout), ...tally });
}

/** Keeps how many records of a checkout's folders `list` leaves out: superseded, retired, redacted or not readable. */
export function noteHidden({ checkout, layout }: Place, hidden: number): void {
  note(tallyPath(layout.state, checkout, 'hidden'), { head: headOf(checkout), hidden });
}

/** How many they were when they were last counted on the branch that it is on now; 0 where nobody did. */
export function readHidden(state: string, checkout: Checkout): number {
  try {
    const value: unknown = JSON.parse(contentOf(tallyPath(state, checkout, 'hidden')) ?? '');
    if (typeof value !== 'object' || value === null || !('head' in value) || value.head !== headOf(checkout)) return 0;
    return 'hidden' in value && isCount(value.hidden) ? value.hidden : 0;
  } catch {
    return 0; // Absent, or half written: the next count rewrites it.
  }
}

function note(path: string, value: object): void {
  const text = JSON.stringify(value);
  try {
    if (contentOf(path) === text) return;
    createFolder(dirname(path), 0o700);
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    // A full disk or a state folder that may not be written: the status line does without.
  }
}

/** The tally of a checkout as it was last computed on the branch that it is on now; undefined where none is known. */
export function readTally(state: string, checkout: Checkout): Tally | undefined {
  try {
    const value: unknown = JSON.parse(contentOf(tallyPath(state, checkout, 'standing')) ?? '');
    if (typeof value !== 'object' || value === null || !('head' in value) || value.head !== headOf(checkout)) return;
    const { stale, unreviewed } = { stale: undefined, unreviewed: undefined, ...value };
    return isCount(stale) && isCount(unreviewed) ? { stale, unreviewed } : undefined;
  } catch {
    return undefined; // Absent, or half written: the next session start rewrites it.
  }
}

/** Where values are kept that are expensive to compute for a checkout: how its records stand, the counts of its folders, where pinned records lie, the newest names of large folders, what cites what, what files were called, what was reverted. */
export function tallyPath(
  state: string,
  { root }: Checkout,
  what: 'standing' | 'hidden' | 'counts' | 'pinned' | 'heads' | 'citations' | 'renames' | 'reverts',
): string {
  return join(state, 'tally', `${idOf(root)}-${what}.json`);
}

/** Another branch has other records; a commit on the same one changes little. */
function headOf(checkout: Checkout): string {
  const { branch, commit } = readHead(checkout);
  return branch ?? commit ?? '';
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Not written yet.
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
