import { join } from 'node:path';
import { type Checkout, readHead } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';
import type { Layout } from '../../memory/store/layout.ts';
import { isCount, readNotes, writeNotes } from './notes.ts';

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
  writeNotes(tallyPath(layout.state, checkout, 'standing'), { head: headOf(checkout), ...tally });
}

/** Keeps how many records of a checkout's folders `list` leaves out: superseded, retired, redacted or not readable. */
export function noteHidden({ checkout, layout }: Place, hidden: number): void {
  writeNotes(tallyPath(layout.state, checkout, 'hidden'), { head: headOf(checkout), hidden });
}

/** How many they were when they were last counted on the branch that it is on now; 0 where nobody did. */
export function readHidden(state: string, checkout: Checkout): number {
  const { hidden } = { hidden: 0, ...readHere(state, checkout, 'hidden') };
  return isCount(hidden) ? hidden : 0;
}

/** The tally of a checkout as it was last computed on the branch that it is on now; undefined where none is known. */
export function readTally(state: string, checkout: Checkout): Tally | undefined {
  const { stale, unreviewed } = { stale: undefined, unreviewed: undefined, ...readHere(state, checkout, 'standing') };
  return isCount(stale) && isCount(unreviewed) ? { stale, unreviewed } : undefined;
}

/** Where a checkout's notes on something are; of `citations` it is a folder, without the ending. */
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

/** What was noted on the branch that the checkout is on now; nothing where that was another one, or nothing was. */
function readHere(state: string, checkout: Checkout, what: 'standing' | 'hidden'): object {
  const value = readNotes(tallyPath(state, checkout, what));
  return typeof value === 'object' && value !== null && 'head' in value && value.head === headOf(checkout) ? value : {};
}
