import { join } from 'node:path';
import { type Checkout, readHead } from '../../git/locate.ts';
import { fieldsOf } from '../../json.ts';
import { idOf } from '../../memory/id.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Layout } from '../../memory/store/layout.ts';
import { isCount, writeNotes } from './notes.ts';

/** Numbers on the records from which a session start chooses. */
export interface Tally {
  /** Active records that cite a file changed or deleted since. */
  stale: number;
  /** Records that are not injected because nobody reviewed them. */
  unreviewed: number;
}

/** The parts of a workspace needed here: the status line, which must load little, has no complete one. */
interface Place {
  checkout: Checkout;
  layout: Layout;
  at?: string;
}

/**
 * Keeps the tally of a checkout for `readTally`; written in place, and errors are ignored because nothing relies on it.
 */
export function noteTally({ checkout, layout, at }: Place, tally: Tally): void {
  if (at !== undefined) return;
  writeNotes(tallyPath(layout.state, checkout, 'standing'), { head: headOf(checkout), ...tally });
}

/** Keeps how many records of a checkout's folders `list` leaves out: superseded, retired, redacted or unreadable. */
export function noteHidden({ checkout, layout }: Place, hidden: number): void {
  writeNotes(tallyPath(layout.state, checkout, 'hidden'), { head: headOf(checkout), hidden });
}

/** The number last counted on the branch that is checked out now; 0 if it was never counted. */
export function readHidden(state: string, checkout: Checkout): number {
  const { hidden } = readHere(state, checkout, 'hidden');
  return isCount(hidden) ? hidden : 0;
}

/** The tally last computed for the branch that is checked out now; undefined if there is none. */
export function readTally(state: string, checkout: Checkout): Tally | undefined {
  const { stale, unreviewed } = readHere(state, checkout, 'standing');
  return isCount(stale) && isCount(unreviewed) ? { stale, unreviewed } : undefined;
}

type Noted = 'standing' | 'hidden' | 'counts' | 'pinned' | 'heads' | 'citations' | Compared;
type Compared = 'renames';

/** The path of a checkout's notes on something; for `citations` it is a folder, without an extension. */
export function tallyPath(state: string, { root }: Checkout, what: Noted): string {
  return join(state, 'tally', `${idOf(root)}-${what}.json`);
}

/** Another branch has other records; a new commit on the same one changes little. */
function headOf(checkout: Checkout): string {
  const { branch, commit } = readHead(checkout);
  return branch ?? commit ?? '';
}

/** What was noted on the branch that is checked out now; empty if the notes are missing or of another branch. */
function readHere(state: string, checkout: Checkout, what: 'standing' | 'hidden'): Record<string, unknown> {
  const notes = fieldsOf(readNotes(tallyPath(state, checkout, what)));
  return notes.head === headOf(checkout) ? notes : {};
}
